import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { createPaint } from '#terminal/paint.ts'
import type { TimelineEntry } from '#demo/session.ts'
import { createTimelinePrinter } from '#demo/timeline.ts'

const at = (ms: number): string => new Date(Date.UTC(2026, 0, 1) + ms).toISOString()

const call: TimelineEntry = {
  position: '/do/0/order',
  reference: '/do/0/order',
  name: 'order',
  kind: 'call',
  iteration: [],
  attempt: 1,
  state: 'completed',
  startedAt: at(0),
  endedAt: at(20),
}
const running = (entry: Partial<TimelineEntry>): TimelineEntry => ({ ...call, ...entry, state: 'running', endedAt: null })

function printer() {
  const { linesOf } = createTimelinePrinter(createPaint(new PassThrough()), 80)
  return (...entries: TimelineEntry[]): readonly string[] => linesOf(entries).map((line) => line.replaceAll(/ {2,}(?=\S)/g, '  '))
}

describe('the timeline of the demo', () => {
  test('says a task once, when it has ended, however often it is asked', () => {
    const lines = printer()
    expect(lines(running({}))).toEqual([])
    expect(lines(call)).toEqual(['  ✓ order  call  20 ms'])
    expect(lines(call)).toEqual([])
  })

  test('says a wait when it begins and when it ends', () => {
    const lines = printer()
    const wait = { kind: 'wait', name: 'rest' }
    expect(lines(running(wait))).toEqual(['  … rest  wait'])
    expect(lines({ ...call, ...wait, endedAt: at(4000) })).toEqual(['  ✓ rest  wait  4.0 s'])
  })

  test('a task that contains others is printed when it starts, and the inner ones are indented', () => {
    const lines = printer()
    const loop = running({ kind: 'for', name: 'each', reference: '/do/1/each' })
    const inner = (index: number): TimelineEntry => ({ ...call, reference: '/do/1/each/do/0/order', iteration: [index] })
    expect(lines(loop, inner(0), inner(1))).toEqual(['  ▸ each  for', '  ✓ order #1  call  20 ms', '  ✓ order #2  call  20 ms'])
  })

  test('attempts are numbered, and a fault is printed with its error', () => {
    const lines = printer()
    const reference = '/do/2/pay/try/0/charge'
    const failed: TimelineEntry = { ...call, reference, state: 'faulted', error: { type: 't', status: 503, title: 'Away' } }
    expect(lines(failed, { ...call, reference, attempt: 2 })).toEqual([
      '  ✗ order  call: Away (503)  20 ms',
      '  ✓ order attempt 2  call  20 ms',
    ])
  })

  test('indents the tasks of a branch below the fork', () => {
    const { linesOf } = createTimelinePrinter(createPaint(new PassThrough()), 80)
    const [line = ''] = linesOf([{ ...call, reference: '/do/3/side/fork/branches/0/left/do/0/order' }])
    expect(line.startsWith('      ✓ order')).toBe(true)
  })
})
