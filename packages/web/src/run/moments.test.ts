import { expect, test } from 'vitest'
import { entriesAfter, momentsOf } from '#src/run/moments.ts'
import type { TimelineEntry } from '#src/run/use-run.ts'

const epoch = Date.parse('2026-11-23T10:00:00.000Z')

function entry(position: string, from: number, to: number | undefined, kind = 'set'): TimelineEntry {
  return {
    position,
    reference: position.replaceAll(/\[\d+\]/g, ''),
    name: position.split('/').at(-1) ?? '',
    kind,
    iteration: [],
    attempt: 1,
    state: to === undefined ? 'running' : 'completed',
    startedAt: new Date(epoch + from).toISOString(),
    endedAt: to === undefined ? null : new Date(epoch + to).toISOString(),
    output: 1,
  }
}

const listed = (entries: readonly TimelineEntry[]) =>
  momentsOf(entries).list.map(({ index, ended, atMs }) => `${entries[index]?.name ?? ''} ${ended ? 'ended' : 'began'} ${atMs - epoch}`)

test('a task that takes no time is one moment, and a container is around its tasks at the same time', () => {
  expect(
    listed([
      entry('/do/0/all', 0, 5, 'do'),
      entry('/do/0/all/do/0/one', 0, 0),
      entry('/do/0/all/do/1/two', 0, 5),
      entry('/do/1/all2', 5, 5),
    ]),
  ).toEqual(['all began 0', 'one ended 0', 'two began 0', 'two ended 5', 'all ended 5', 'all2 ended 5'])
})

test('branches end when they end, whichever began first', () => {
  expect(listed([entry('/do/0/fork', 0, 9, 'fork'), entry('/do/0/fork/a', 0, 9), entry('/do/0/fork/b', 1, 3)])).toEqual([
    'fork began 0',
    'a began 0',
    'b began 1',
    'b ended 3',
    'a ended 9',
    'fork ended 9',
  ])
})

test('at a moment, tasks that had not ended are open and have no output', () => {
  const entries = [entry('/do/0/one', 0, 2), entry('/do/1/ask', 2, 8), entry('/do/2/last', 8, undefined)]
  const moments = momentsOf(entries)
  const at = (count: number) =>
    entriesAfter(moments, count, ({ name }) => name === 'ask').map(
      ({ name, state, output }) => `${name} ${state} ${JSON.stringify(output) ?? 'none'}`,
    )
  expect(at(0)).toEqual([])
  expect(at(1)).toEqual(['one running none'])
  expect(at(3)).toEqual(['one completed 1', 'ask waiting none'])
  expect(at(moments.list.length)).toEqual(['one completed 1', 'ask completed 1', 'last running none'])
})

test('every entry of a long loop is found at its moment', () => {
  const entries = Array.from({ length: 2000 }, (_, round) => entry(`/do/0/each[${round}]/do/0/take`, round, round + 1))
  const moments = momentsOf(entries)
  expect(moments.list).toHaveLength(4000)
  for (const count of [1, 777, 4000])
    expect(entriesAfter(moments, count, () => false)).toHaveLength(Math.min(2000, Math.floor(count / 2) + 1))
})
