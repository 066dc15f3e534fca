import { expect, test } from 'vitest'
import { timelineOf } from '#src/run/timeline-rows.ts'
import type { TimelineEntry } from '#src/run/use-run.ts'

const epoch = Date.parse('2026-11-23T10:00:00.000Z')
const time = (ms: number) => new Date(epoch + ms).toISOString()

function entry(reference: string, from: number, to: number, more: Partial<TimelineEntry> = {}): TimelineEntry {
  const name = reference.split('/').at(-1) ?? ''
  const times = { startedAt: time(from), endedAt: time(to) }
  return {
    position: `${reference}@${from}`,
    reference,
    name,
    kind: 'set',
    iteration: [],
    attempt: 1,
    state: 'completed',
    ...times,
    ...more,
  }
}

test('a loop is a row with a bar for each round, and its tasks are indented below it', () => {
  const { rows, entries } = timelineOf(
    [
      entry('/do/0/each', 0, 30, { kind: 'for' }),
      ...[0, 1, 2].map((round) =>
        entry('/do/0/each/do/0/take', round * 10, round * 10 + 10, { iteration: [round], state: round === 1 ? 'faulted' : 'completed' }),
      ),
    ],
    () => false,
    epoch,
  )
  expect(entries).toBe(3)
  expect(rows.map(({ name, depth, rounds, bars }) => [name, depth, rounds, bars.map(({ look }) => look)])).toEqual([
    ['each', 0, 3, ['', 'bad', '']],
    ['take', 1, undefined, ['', 'fail', '']],
  ])
})

test('a fault that was caught is no failure of its round, its row or its bar', () => {
  const { rows } = timelineOf(
    [
      entry('/do/0/each', 0, 20, { kind: 'for' }),
      entry('/do/0/each/do/0/check', 0, 10, { iteration: [0], state: 'caught' }),
      entry('/do/0/each/do/1/note', 10, 20, { iteration: [0] }),
    ],
    () => false,
    epoch,
  )
  expect(rows.map(({ failed, bars }) => [failed, bars.map(({ look }) => look)])).toEqual([
    [false, ['caught']],
    [false, ['caught']],
    [false, ['']],
  ])
})

test('a wait of days is folded, and its begin and end stay beside the work', () => {
  const days = 3 * 86_400_000
  const { rows, scale, wholeMs } = timelineOf(
    [entry('/do/0/one', 0, 100), entry('/do/1/ask', 100, days), entry('/do/2/two', days, days + 100)],
    (reference) => reference.endsWith('ask'),
    epoch,
  )
  expect(scale.folds).toHaveLength(1)
  expect(wholeMs).toBe(days + 100)
  expect(rows.map(({ bars }) => bars[0]?.look)).toEqual(['', 'wait', ''])
  expect((rows[0]?.bars[0]?.to ?? 0) - (rows[0]?.bars[0]?.from ?? 0)).toBeGreaterThan(0.3)
})

test('containers and skipped tasks have no row, and an open task reaches until now', () => {
  const { rows } = timelineOf(
    [
      entry('/do/0/all', 0, 9, { kind: 'do' }),
      entry('/do/1/no', 1, 1, { state: 'skipped' }),
      entry('/do/2/yes', 2, 2, { state: 'running', endedAt: null }),
    ],
    () => false,
    epoch + 50,
  )
  expect(rows.map(({ name }) => name)).toEqual(['yes'])
  expect(rows[0]?.bars[0]?.to).toBe(1)
})
