import { expect, test } from 'vitest'
import { compareRuns } from '#src/run/comparison.ts'
import type { TimelineEntry } from '#src/run/use-run.ts'

const epoch = Date.parse('2026-11-23T10:00:00.000Z')

function entry(
  reference: string,
  output: TimelineEntry['output'],
  more: Partial<TimelineEntry> & { readonly ms?: number } = {},
): TimelineEntry {
  const { ms = 10, ...rest } = more
  return {
    position: reference,
    reference,
    name: reference.split('/').at(-1) ?? '',
    kind: 'set',
    iteration: [],
    attempt: 1,
    state: 'completed',
    startedAt: new Date(epoch).toISOString(),
    endedAt: new Date(epoch + ms).toISOString(),
    output,
    ...rest,
  }
}

test('runs that did the same do not part', () => {
  const run = [entry('/do/0/one', { a: 1 }), entry('/do/1/two', [1, 2])]
  const { first, tasks } = compareRuns(run, structuredClone(run), true)
  expect(first).toBeUndefined()
  expect(tasks.map(({ name, different, slower }) => [name, different, slower])).toEqual([
    ['one', 0, undefined],
    ['two', 0, undefined],
  ])
})

test('runs part at the first task with another outcome, and tasks of one run stand where it had them', () => {
  const { first, tasks } = compareRuns(
    [entry('/do/0/one', 1), entry('/do/1/large', 2), entry('/do/3/end', 3)],
    [entry('/do/0/one', 1), entry('/do/2/small', 2), entry('/do/3/end', 4, { ms: 500 })],
    true,
  )
  expect(first?.name).toBe('small')
  expect(tasks.map(({ name, left, right }) => [name, left !== undefined, right !== undefined])).toEqual([
    ['one', true, true],
    ['small', false, true],
    ['large', true, false],
    ['end', true, true],
  ])
  expect(tasks.at(-1)?.slower).toBe('right')
})

test('in another version a task is found by the names around it', () => {
  const left = [entry('/do/0/all/do/0/pay', 1), entry('/do/1/end', 1)]
  const right = [entry('/do/0/new', 0), entry('/do/1/all/do/0/pay', 1), entry('/do/2/end', 2)]
  expect(compareRuns(left, right, false).tasks.map(({ name, different }) => [name, different])).toEqual([
    ['new', 1],
    ['pay', 0],
    ['end', 1],
  ])
})

test('rounds that differ are counted', () => {
  const rounds = (outputs: readonly number[]) =>
    outputs.map((output, round) =>
      entry('/do/0/each/do/0/take', output, { position: `/do/0/each[${round}]/do/0/take`, iteration: [round] }),
    )
  const [task] = compareRuns(rounds([1, 2, 3, 4]), rounds([1, 5, 3, 6]), true).tasks
  expect(task?.different).toBe(2)
  expect(task?.differs?.left?.iteration).toEqual([1])
})

test('an error that is another one is a difference, a task that both skipped is not one', () => {
  const error = (status: number) => ({ type: 'about:blank', status })
  const failed = (status: number) => [
    entry('/do/0/pay', undefined, { state: 'faulted', error: error(status) }),
    entry('/do/1/no', undefined, { state: 'skipped' }),
  ]
  expect(compareRuns(failed(402), failed(402), true).first).toBeUndefined()
  expect(compareRuns(failed(402), failed(503), true).first?.name).toBe('pay')
})
