import type { Pool, PoolClient } from 'pg'
import { createLoop } from '#durable/process/loop.ts'
import type { Evaluations } from '#events/evaluate.ts'
import type { EventFilterCache } from '#events/filter-cache.ts'
import { isDeadlock } from '#postgres/sql/pg-errors.ts'
import type { JobSender } from '#postgres/queue/job-queue.ts'
import { signalExecutions } from '#postgres/claims/signal-executions.ts'
import { transact } from '#postgres/sql/with-client.ts'
import { type AccountChanges, applyMatches, lockListeners } from './apply-matches.ts'
import { matchSlice } from './match-slice.ts'
import { withMatcherLock } from './matcher-lock.ts'
import { type AccountSelection, hasUnmatched } from './read-unmatched.ts'

export interface MatcherDeps {
  readonly pool: Pool
  readonly jobs: JobSender
  readonly filters: EventFilterCache
  readonly processId: () => string
  /** Called after the commit with the executions that have received messages. */
  readonly onMessages: (executionIds: readonly string[]) => void
  readonly onError: (error: unknown) => void
}

/** Matches events with listeners, in the background. */
export interface Matcher {
  start(): void
  /** Call it after new events or listeners were committed. */
  nudge(): void
  stop(): Promise<void>
}

/** The interval at which an idle process looks for events and listeners that another process left unmatched. */
const IDLE_MS = 1_000

/**
 * Events and listeners are committed first and matched afterwards. Whichever of an event and its listener commits last is matched with the other, so none is missed. An
 * unmatched row is a row with `matched_at` null, so any process continues the work of one that died (docs/adr/0017).
 */
export function createMatcher(deps: MatcherDeps): Matcher {
  const matching = createMatching(deps)
  let timer: NodeJS.Timeout | undefined
  const loop = createLoop(IDLE_MS, async (isNudged) => {
    try {
      // Without a nudge, check for work before waiting for the lock.
      if (!isNudged && !(await hasUnmatched(deps.pool))) return false
      const { hadWork, pauseMs } = await matching.runSlice()
      clearTimeout(timer)
      if (pauseMs !== undefined) timer = setTimeout(() => loop.wake(), pauseMs)
      return hadWork
    } catch (error) {
      if (isDeadlock(error)) return true
      deps.onError(error)
      return false
    }
  })
  return {
    start: () => loop.start(),
    nudge: () => loop.wake(),
    async stop() {
      await loop.stop()
      clearTimeout(timer)
    },
  }
}

export interface Matching {
  /**
   * Matches once, in bounded time.
   * @returns whether there was work, and after how many milliseconds the next account that is over its budget has its turn; undefined if no account is.
   */
  runSlice(): Promise<{ readonly hadWork: boolean; readonly pauseMs: number | undefined }>
}

export interface MatchingOptions {
  /** Milliseconds of a monotonic clock. */
  readonly elapsed?: () => number
  /** Steps that one account may take before other accounts have their turn. Default 200,000, about 50 milliseconds. */
  readonly accountSteps?: number
}

/**
 * Accounts with more work than their budget give way: each slice serves all other accounts first, then one of them, and such accounts together get at most half of the time.
 */
export function createMatching(deps: Omit<MatcherDeps, 'onError'>, options: MatchingOptions = {}): Matching {
  const { elapsed = () => performance.now(), accountSteps = 200_000 } = options
  /** By account, the evaluations of a slice that ended before all its matches were made, for the next slice. */
  const unfinished = new Map<string, Evaluations>()
  /** Accounts that are over their budget, in the order of their turns. */
  const overBudget = new Set<string>()
  /** The time of `elapsed` from which one of them has its turn. */
  let nextTurnAt = 0

  async function serve(client: PoolClient, accounts: AccountSelection): Promise<boolean> {
    const apply = (connection: PoolClient, changes: readonly AccountChanges[]) => applyAndSignal(connection, deps, changes)
    const result = await matchSlice(client, { filters: deps.filters, apply, elapsed, unfinished, accountSteps }, accounts)
    for (const accountId of result.overBudget) overBudget.add(accountId)
    return result.hadWork
  }

  /** One turn of the account that has waited longest. */
  async function serveNextOverBudget(client: PoolClient): Promise<void> {
    const [accountId] = overBudget
    if (accountId === undefined || elapsed() < nextTurnAt) return
    const startedAt = elapsed()
    overBudget.delete(accountId)
    await serve(client, { only: accountId })
    const durationMs = elapsed() - startedAt
    nextTurnAt = startedAt + 2 * durationMs
  }

  return {
    runSlice: () =>
      withMatcherLock(deps.pool, async (client) => {
        const hadWork = await serve(client, { except: [...overBudget] })
        await serveNextOverBudget(client)
        for (const accountId of unfinished.keys()) if (!overBudget.has(accountId)) unfinished.delete(accountId)
        return { hadWork, pauseMs: overBudget.size === 0 ? undefined : Math.max(0, nextTurnAt - elapsed()) }
      }),
  }
}

async function applyAndSignal(client: PoolClient, deps: Omit<MatcherDeps, 'onError'>, changes: readonly AccountChanges[]): Promise<void> {
  const reached = await transact(client, async () => {
    const valid = await lockListeners(client, changes)
    const executionIds = await applyMatches(client, valid)
    const jobs = await signalExecutions(client, { wake: executionIds, cancel: [], signalledBy: deps.processId() })
    if (jobs.length > 0) await deps.jobs.send(client, jobs)
    return executionIds
  })
  if (reached.length > 0) deps.onMessages(reached)
}
