import type { groups, Reply } from '@millrace/contract'
import { api } from '#src/api/client.ts'

export type HomeRun = Reply<(typeof groups)['executions']['search']>['data'][number]
export type DayFigures = Pick<Reply<(typeof groups)['analytics']['workflows']>, 'totals' | 'buckets' | 'workflows'>

/** A workflow whose latest run of the day failed. */
export interface Failing {
  readonly last: HomeRun
  readonly failed: number
  /** Runs of the workflow today. */
  readonly all: number
}

/** What ran since midnight, and what waits. Tests are those of the person who tries a draft: nothing here counts them. */
export interface Day {
  /** The latest runs, newest first, tests among them. */
  readonly latest: readonly HomeRun[]
  /** Those that are no tests. */
  readonly runs: readonly HomeRun[]
  /** Runs that wait now, whenever they began. */
  readonly waiting: readonly HomeRun[]
  /** Whether there are more of them. */
  readonly moreWait: boolean
  readonly failing: readonly Failing[]
  /** Of a day with more runs than are listed: the figures of those that ended. */
  readonly figures: DayFigures | undefined
}

const listed = 100
/** How many workflows that failed before the listed runs are looked up. */
const lookedUp = 8

/** Reads the day that began at a time. */
export async function readDay(from: string, zone: string): Promise<Day> {
  const [today, open] = await Promise.all([
    api.executions.search({ query: { from, limit: listed } }),
    api.executions.search({ query: { state: 'pending,waiting', limit: listed } }),
  ])
  const runs = today.data.filter(isReal)
  const isWhole = today.nextCursor === null
  const figures = isWhole
    ? undefined
    : await api.analytics.workflows({ query: { from, zone, interval: 'hour', sort: 'faulted', limit: 100 } })
  return {
    latest: today.data,
    runs,
    waiting: open.data.filter(isReal),
    moreWait: open.nextCursor !== null,
    failing: figures === undefined ? failingOf(runs) : await failingOfMany(runs, from, figures),
    figures,
  }
}

function isReal({ trigger }: HomeRun): boolean {
  return trigger !== 'test'
}

/** Of all runs of a day. */
function failingOf(runs: readonly HomeRun[]): readonly Failing[] {
  return [...Map.groupBy(runs, ({ workflowId }) => workflowId).values()].flatMap((own) => {
    const last = own.find(hasEnded)
    if (last?.state !== 'faulted') return []
    return [{ last, failed: own.filter(({ state }) => state === 'faulted').length, all: own.length }]
  })
}

/** Of a day of which only the latest runs are listed: the last run of a workflow that is not among them is looked up. */
async function failingOfMany(runs: readonly HomeRun[], from: string, { workflows }: DayFigures): Promise<readonly Failing[]> {
  const latest = Map.groupBy(runs.filter(hasEnded), ({ workflowId }) => workflowId)
  const suspects = workflows.filter(({ faulted }) => faulted > 0)
  const looked = suspects.filter(({ workflowId }) => !latest.has(workflowId)).slice(0, lookedUp)
  const found = new Map(await Promise.all(looked.map(async ({ workflowId }) => [workflowId, await lastEnded(workflowId, from)] as const)))
  return suspects.flatMap(({ workflowId, faulted: failed, executions: all }) => {
    const last = latest.get(workflowId)?.[0] ?? found.get(workflowId)
    return last?.state === 'faulted' ? [{ last, failed, all }] : []
  })
}

async function lastEnded(workflowId: string, from: string): Promise<HomeRun | undefined> {
  const { data } = await api.executions.search({ query: { workflowId, state: 'completed,faulted,cancelled', from, limit: 10 } })
  return data.find(isReal)
}

function hasEnded({ endedAt }: HomeRun): boolean {
  return endedAt !== null
}
