import type { groups, Reply } from '@millrace/contract'
import { api } from '#src/api/client.ts'

export type HomeRun = Reply<(typeof groups)['executions']['search']>['data'][number]
export type DayFigures = Pick<Reply<(typeof groups)['analytics']['workflows']>, 'totals' | 'buckets' | 'workflows'>

/** A workflow whose latest run of the day failed, or that failed with data of its own, which a later run does not make up for. */
export interface Failing {
  /** The latest one that failed. */
  readonly last: HomeRun
  readonly failed: number
  /** Whether later runs succeeded. */
  readonly isPast: boolean
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

/** Failures with data of their own, by workflow, newest first. */
type Lost = ReadonlyMap<string, readonly HomeRun[]>

/** What starts a run with data of its own. A later run on schedule does again what a failed one should have done, and who starts one by hand sees its end. */
const withData = ['webhook', 'event', 'watch', 'workflow']
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
  const mayLose = figures?.workflows.some(({ faulted }) => faulted > 0) ?? runs.some(losesData)
  const lost: Lost = mayLose ? await lostSince(from) : new Map()
  return {
    latest: today.data,
    runs,
    waiting: open.data.filter(isReal),
    moreWait: open.nextCursor !== null,
    failing: figures === undefined ? failingOf(runs, lost) : await failingOfMany(runs, from, figures, lost),
    figures,
  }
}

function isReal({ trigger }: HomeRun): boolean {
  return trigger !== 'test'
}

function losesData({ state, trigger }: HomeRun): boolean {
  return state === 'faulted' && withData.includes(trigger)
}

async function lostSince(from: string): Promise<Lost> {
  const query = { needsAttention: 'true', trigger: withData.join(','), from, limit: listed } as const
  const { data } = await api.executions.search({ query })
  return Map.groupBy(data, ({ workflowId }) => workflowId)
}

/** Of all runs of a day. */
function failingOf(runs: readonly HomeRun[], lost: Lost): readonly Failing[] {
  return [...Map.groupBy(runs, ({ workflowId }) => workflowId)].flatMap(([workflowId, own]) => {
    const failed = own.filter(({ state }) => state === 'faulted').length
    return failingIn(own.find(hasEnded), lost.get(workflowId), { failed, all: own.length })
  })
}

/** @param unsolved failures with data of their own. */
function failingIn(
  last: HomeRun | undefined,
  unsolved: readonly HomeRun[] | undefined,
  { failed, all }: Pick<Failing, 'failed' | 'all'>,
): readonly Failing[] {
  if (last?.state === 'faulted') return [{ last, failed, all, isPast: false }]
  const [first] = unsolved ?? []
  return first === undefined ? [] : [{ last: first, failed: unsolved?.length ?? 0, all, isPast: true }]
}

/** Of a day of which only the latest runs are listed: the last run of a workflow that is not among them is looked up. */
async function failingOfMany(runs: readonly HomeRun[], from: string, { workflows }: DayFigures, lost: Lost): Promise<readonly Failing[]> {
  const latest = Map.groupBy(runs.filter(hasEnded), ({ workflowId }) => workflowId)
  const suspects = workflows.filter(({ faulted }) => faulted > 0)
  const looked = suspects.filter(({ workflowId }) => !latest.has(workflowId)).slice(0, lookedUp)
  const found = new Map(await Promise.all(looked.map(async ({ workflowId }) => [workflowId, await lastEnded(workflowId, from)] as const)))
  return suspects.flatMap(({ workflowId, faulted: failed, executions: all }) => {
    const last = latest.get(workflowId)?.[0] ?? found.get(workflowId)
    return failingIn(last, lost.get(workflowId), { failed, all })
  })
}

async function lastEnded(workflowId: string, from: string): Promise<HomeRun | undefined> {
  const { data } = await api.executions.search({ query: { workflowId, state: 'completed,faulted,cancelled', from, limit: 10 } })
  return data.find(isReal)
}

function hasEnded({ endedAt }: HomeRun): boolean {
  return endedAt !== null
}
