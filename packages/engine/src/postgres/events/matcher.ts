import type { Pool, PoolClient } from 'pg'
import { createLoop } from '#durable/loop.ts'
import { isDeadlock } from '#postgres/deadlock.ts'
import type { JobSender } from '#postgres/job-queue.ts'
import { tell } from '#postgres/tell.ts'
import { inTransaction } from '#postgres/with-client.ts'
import { applyPlan, lockListeners } from './apply-plan.ts'
import { makePlan, type Pass, type PlanDeps } from './plan.ts'
import { hasUnmatched } from './read-unmatched.ts'
import { writeIndexing } from './write-kept.ts'

export interface MatcherDeps extends PlanDeps {
  readonly pool: Pool
  readonly jobs: JobSender
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
/** Executions whose wait ends while it is being planned what it gets; each makes one more plan. */
const PLANS_MAX = 20
/** A process that stands still in the middle of a pass is cut off, so that others can do it. */
const STALL_MS = 20_000

/**
 * Events and listeners are committed first and brought together after, each looking for the other: whichever commits last finds the other
 * one, so none is missed, and what a process that died had left to do the next look of any process does. One process at a time does it, so events
 * go out in the order in which they came, and an event is taken once without anybody having to wait for somebody else's row.
 */
export function createMatcher(deps: MatcherDeps): Matcher {
  const loop = createLoop(IDLE_MS, (called) =>
    lookOnce(deps, called).catch((error: unknown) => {
      if (isDeadlock(error)) return true
      deps.onError(error)
      return false
    }),
  )
  return { start: () => loop.start(), nudge: () => loop.wake(), stop: () => loop.stop() }
}

/** Nobody waits for a turn who has not been told that there is something, and sees nothing. */
async function lookOnce(deps: MatcherDeps, called: boolean): Promise<boolean> {
  return called || (await hasUnmatched(deps.pool)) ? matchOnce(deps) : false
}

/**
 * Looks once at what nobody has looked at.
 * @returns whether there was anything to do.
 */
export async function matchOnce(deps: Omit<MatcherDeps, 'onError'>): Promise<boolean> {
  const { found, reached } = await inTransaction(deps.pool, async (client) => {
    await client.query({
      name: 'matcher-turn',
      text: `select set_config('idle_in_transaction_session_timeout', $1, true), pg_advisory_xact_lock(hashtext('millrace.matcher'))`,
      values: [String(STALL_MS)],
    })
    return match(client, deps)
  })
  if (reached.length > 0) deps.onReached(reached)
  return found
}

async function match(client: PoolClient, deps: Omit<MatcherDeps, 'onError'>) {
  const pass: Pass = { gone: new Set(), indexing: new Map() }
  for (let plans = 1; ; plans++) {
    const plan = await makePlan(client, deps, pass)
    if (plan.events.length + plan.fresh.length + pass.indexing.size === 0) return { found: false, reached: [] }
    const missing = await lockListeners(client, plan)
    if (missing.length === 0) {
      const reached = await applyPlan(client, plan)
      await writeIndexing(client, pass.indexing)
      const jobs = await tell(client, { parents: reached, cancels: [], by: deps.processId() })
      if (jobs.length > 0) await deps.jobs.send(client, jobs)
      return { found: true, reached }
    }
    if (plans === PLANS_MAX) throw new Error('listeners went away as fast as they were planned for')
    for (const id of missing) pass.gone.add(id)
  }
}
