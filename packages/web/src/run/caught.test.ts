import { expect, test } from 'vitest'
import { withCaught } from '#src/run/caught.ts'
import { taskStates } from '#src/run/task-states.ts'
import type { ReadEntry } from '#src/run/use-run.ts'

const entry = (position: string, state: ReadEntry['state'], more: Partial<ReadEntry> = {}): ReadEntry => ({
  position,
  reference: position.replaceAll(/\[\d+\]/g, ''),
  name: position.split('/').at(-1) ?? '',
  kind: 'set',
  iteration: [],
  attempt: 1,
  state,
  startedAt: '2026-11-23T10:00:00.000Z',
  endedAt: '2026-11-23T10:00:00.000Z',
  ...more,
})

const statesOf = (entries: readonly ReadEntry[]) => withCaught(entries).map(({ state }) => state)

test('a fault is caught if a task around it completed, and no other one is', () => {
  expect(
    statesOf([entry('/do/0/tryIt', 'completed'), entry('/do/0/tryIt/try/0/check', 'faulted'), entry('/do/0/tryIt2', 'faulted')]),
  ).toEqual(['completed', 'caught', 'faulted'])
  expect(statesOf([entry('/do/0/tryIt', 'faulted'), entry('/do/0/tryIt/try/0/check', 'faulted')])).toEqual(['faulted', 'faulted'])
})

test('in the round of a loop that goes wrong, only the fault of another round is caught', () => {
  const round = (index: number, state: 'completed' | 'faulted') => [
    entry(`/do/0/each[${index}]/do/0/tryIt`, state),
    entry(`/do/0/each[${index}]/do/0/tryIt/try/0/check`, 'faulted'),
  ]
  expect(statesOf([entry('/do/0/each', 'faulted'), ...round(0, 'completed'), ...round(1, 'faulted')])).toEqual([
    'faulted',
    'completed',
    'caught',
    'faulted',
    'faulted',
  ])
})

test('a task that ran in one round counts as run, whatever was skipped after it', () => {
  const [check] = taskStates(
    withCaught([
      entry('/do/0/tryIt', 'completed'),
      entry('/do/0/tryIt/try/0/check', 'faulted', { iteration: [1] }),
      entry('/do/0/tryIt/try/0/check', 'skipped', { iteration: [2] }),
    ]).slice(1),
  ).values()
  expect([check?.state, check?.last.iteration]).toEqual(['caught', [1]])
})
