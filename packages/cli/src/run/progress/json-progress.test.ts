import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createProgress, type Show } from './create-progress.ts'
import type { TaskEvent } from './task-event.ts'

const event: TaskEvent = {
  event: 'completed',
  position: '/do/0/add',
  reference: '/do/0/add',
  name: 'add',
  kind: 'set',
  what: 'set',
  depth: 0,
  branches: [],
  output: { token: 'hunter2', text: 'line\nline' },
}

function written(show: Show): string {
  const output = new PassThrough().setEncoding('utf8')
  const progress = createProgress(output, show, { now: () => Date.UTC(2026, 0, 1), mask: (text) => text.replaceAll('hunter2', '***') })
  progress.task(event)
  progress.close()
  return String(output.read() ?? '')
}

test('for programs an event is one line of JSON with its time, secrets masked', () => {
  const text = written('json')
  expect(text.trimEnd().split('\n')).toHaveLength(1)
  expect(JSON.parse(text)).toEqual({
    ...event,
    event: 'task.completed',
    at: '2026-01-01T00:00:00.000Z',
    output: { token: '***', text: 'line\nline' },
  })
})

test('with --quiet nothing is shown', () => {
  expect(written('nothing')).toBe('')
})

test('tasks are shown without their values by default', () => {
  expect(written('tasks')).toMatch(/^✓ add +set\n$/)
  expect(written('values')).toContain('out {"token":"***","text":"line\\nline"}')
})
