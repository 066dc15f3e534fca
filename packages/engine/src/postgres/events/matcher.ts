import type { Pool, PoolClient } from 'pg'
import { createLoop } from '#durable/process/loop.ts'
import type { Evaluations } from '#events/evaluate.ts'
import type { EventFilterCache } from '#events/filter-cache.ts'
import { isDeadlock } from '#postgres/deadlock.ts'
import type { JobSender } from '#postgres/job-queue.ts'
import { tell } from '#postgres/tell.ts'
import { transact } from '#postgres/with-client.ts'
import { applyPlans, lockListeners } from './apply-plan.ts'
import { matchSlice } from './match-slice.ts'
import type { AccountPlan } from './plan-account.ts'
import { hasUnmatched } from './read-unmatched.ts'
import { inTurn } from './turn.ts'

export interface MatcherDeps {
  readonly pool: Pool
  readonly jobs: JobSender
  readonly filters: EventFilterCache
  readonly processId: () => string
  /** Told after the commit which executions have got something. */
  readonly onReached: (executionIds: readonly string[]) => void
  readonly onError: (error: unknown) => void
}

/** Brings events and those who listen for them together. */
export interface Matcher {
  start(): void
  /** There is something to be done. */
  nudge(): void
  stop(): Promise<void>
}

/** How often it is looked for what another process left behind. */
const IDLE_MS = 1_000

/**
 * Events and listeners are committed first and brought together after, each looking for the other: whichever commits last finds the other
 * one, so none is missed, and what a process that died had left to do the next look of any process does.
 */
export function createMatcher(deps: MatcherDeps): Matcher {
  const matching = createMatching(deps)
  let timer: NodeJS.Timeout | undefined
  const loop = createLoop(IDLE_MS, async (called) => {
    try {
      // Nobody waits for a turn who has not been told that there is something, and sees nothing.
      if (!called && !(await hasUnmatched(deps.pool))) return false
      const { found, pauseMs } = await matching.look()
      clearTimeout(timer)
      if (pauseMs !== undefined) timer = setTimeout(() => loop.wake(), pauseMs)
      return found
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
   * Looks once at what nobody has looked at.
   * @returns whether there was anything to do, and after how long one of the accounts with much to do has a turn again, if there are any.
   */
  look(): Promise<{ readonly found: boolean; readonly pauseMs: number | undefined }>
}

export interface MatchingOptions {
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsed?: () => number
  /** Steps that one account may take before others have their turn. Default 200,000, some 50 milliseconds. */
  readonly accountSteps?: number
}

/**
 * Accounts that have more to do than their budget make way: each look serves all others first, then one of them, and no longer than half of the time.
 */
export function createMatching(deps: Omit<MatcherDeps, 'onError'>, options: MatchingOptions = {}): Matching {
  const { elapsed = () => performance.now(), accountSteps = 200_000 } = options
  const unfinished = new Map<string, Evaluations>()
  /** In the order of their turns. */
  const overspent = new Set<string>()
  let resumesAt = 0

  async function slice(client: PoolClient, accounts: Parameters<typeof matchSlice>[2]): Promise<boolean> {
    const apply = (connection: PoolClient, plans: readonly AccountPlan[]) => applyAndTell(connection, deps, plans)
    const { found, overspent: again } = await matchSlice(
      client,
      { filters: deps.filters, apply, elapsed, unfinished, accountSteps },
      accounts,
    )
    for (const accountId of again) overspent.add(accountId)
    return found
  }

  /** One turn of the account that has waited longest. */
  async function serveOverspent(client: PoolClient): Promise<void> {
    const [accountId] = overspent
    if (accountId === undefined || elapsed() < resumesAt) return
    const began = elapsed()
    overspent.delete(accountId)
    await slice(client, { only: accountId })
    const took = elapsed() - began
    resumesAt = began + 2 * took
  }

  return {
    look: () =>
      inTurn(deps.pool, async (client) => {
        const found = await slice(client, { but: [...overspent] })
        await serveOverspent(client)
        for (const accountId of unfinished.keys()) if (!overspent.has(accountId)) unfinished.delete(accountId)
        return { found, pauseMs: overspent.size === 0 ? undefined : Math.max(0, resumesAt - elapsed()) }
      }),
  }
}

async function applyAndTell(client: PoolClient, deps: Omit<MatcherDeps, 'onError'>, plans: readonly AccountPlan[]): Promise<void> {
  const reached = await transact(client, async () => {
    const possible = await lockListeners(client, plans)
    const ids = await applyPlans(client, possible)
    const jobs = await tell(client, { parents: ids, cancels: [], by: deps.processId() })
    if (jobs.length > 0) await deps.jobs.send(client, jobs)
    return ids
  })
  if (reached.length > 0) deps.onReached(reached)
}
