import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import type { TaskEvent } from './task-event.ts'
import { createTextProgress } from './text-progress.ts'

function shown(
  isTTY: boolean,
  events: readonly Partial<TaskEvent>[],
  options: { verbose?: boolean; mask?: (text: string) => string } = {},
): string {
  const output = Object.assign(new PassThrough().setEncoding('utf8'), { isTTY, columns: 80 })
  const progress = createTextProgress(output, { verbose: false, mask: (text) => text, now: () => 0, ...options })
  for (const event of events) progress.task({ ...wait, ...event })
  progress.close()
  return String(output.read() ?? '')
}

const wait: TaskEvent = {
  event: 'started',
  position: '/do/0/rest',
  reference: '/do/0/rest',
  name: 'rest',
  kind: 'wait',
  what: 'wait PT5S',
  depth: 0,
  branches: [],
}
const done: Partial<TaskEvent> = { event: 'completed', durationMs: 5000 }
const set: Partial<TaskEvent> = { kind: 'set', what: 'set', name: 'add', position: '/do/1/add' }

test('in a pipe a long task has a line at its start and one at its end', () => {
  expect(shown(false, [{}, done])).toMatch(/^▸ rest +wait PT5S\n✓ rest +wait PT5S +5\.0 s\n$/)
})

test('on a terminal a task in progress is in the status line, which leaves nothing behind', () => {
  const text = shown(true, [{}, { ...set, event: 'completed' }, done])
  expect(text).toContain('⠋ rest 0 ms')
  const kept = text.split('\n').map((line) =>
    line
      .slice(line.lastIndexOf('\r') + 1)
      .replace('\u001b[2K', '')
      .replace('\u001b[?25h', ''),
  )
  expect(kept.filter((line) => line.includes('rest'))).toHaveLength(1)
  expect(kept.at(-1)).toBe('')
})

test('a wait that lost a race is shown as cancelled and leaves the status line', () => {
  const text = shown(true, [{}, { event: 'cancelled', durationMs: 30 }, { ...set, event: 'completed' }])
  expect(stripVTControlCharacters(text)).toMatch(/■ rest +cancelled +30 ms/)
  expect(text.slice(text.indexOf('■'))).not.toContain('⠋')
})

test('a short task has one line, and a task that contains others has one at each end', () => {
  expect(shown(false, [set, { ...set, event: 'completed' }]).split('\n')).toHaveLength(2)
  const loop: Partial<TaskEvent> = { kind: 'for', what: 'for each n' }
  expect(shown(false, [loop, { ...loop, event: 'completed' }])).toBe(`▸ rest${' '.repeat(28)}for each n\n✓ rest\n`)
})

test('iteration, attempt, visit and branches are shown beside the name', () => {
  const text = shown(false, [{ ...set, event: 'completed', iteration: 4, attempt: 2, visit: 3, branches: ['left', 'inner'] }])
  expect(text).toMatch(/^✓ left › inner › add #5 attempt 2 visit 3 /)
})

test('a fault is shown in full once, and in short by the tasks around it', () => {
  const error = { type: 't', status: 503, title: 'Away', detail: `key=secret ${'long '.repeat(30)}` }
  const mask = (text: string): string => text.replaceAll('secret', '***')
  const inner = shown(false, [{ event: 'faulted', error }], { mask })
  expect(inner).toMatch(/^✗ rest +Away \(503\)\n {4}key=\*\*\* long/)
  for (const line of inner.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  expect(shown(false, [{ event: 'faulted', error, kind: 'try' }])).toMatch(/^✗ rest +Away \(503\)\n$/)
})

test('with --verbose input and output are shown, cut to the width', () => {
  const text = shown(
    false,
    [
      { ...set, input: { a: 1 } },
      { ...set, event: 'completed', output: { long: 'x'.repeat(200) } },
    ],
    { verbose: true },
  )
  expect(text).toContain('\n    in  {"a":1}\n')
  expect(text).toMatch(/out \{"long":"x+…\n/)
})

test.each([true, false])(
  'while the screen is left to questions nothing is shown, and all of it in order after the last one (terminal: %s)',
  (isTTY) => {
    const output = Object.assign(new PassThrough().setEncoding('utf8'), { isTTY, columns: 80 })
    const progress = createTextProgress(output, { verbose: false, mask: (text) => text, now: () => 0 })
    const releases = [progress.pause(), progress.pause()]
    progress.task({ ...wait, ...set, event: 'completed' })
    releases[0]?.()
    progress.task({ ...wait, event: 'completed' })
    expect(output.read()).toBe(null)
    releases[1]?.()
    progress.close()
    expect(stripVTControlCharacters(String(output.read()))).toMatch(/✓ add +set\n[^]*✓ rest +wait PT5S\n/)
  },
)
