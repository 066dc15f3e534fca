import type { Pool, PoolClient } from 'pg'
import type { JobSender } from '#postgres/job-queue.ts'
import { tell } from '#postgres/tell.ts'
import { inTransaction } from '#postgres/with-client.ts'
import { findUnmatchedListeners, lockUnmatched, matchEvent, type MatchDeps, matchListener } from './match.ts'

export interface MatcherDeps extends MatchDeps {
  readonly pool: Pool
  readonly jobs: JobSender
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

const BATCH = 100
/** How often it is looked for what another process left behind. */
const IDLE_MS = 1_000

/**
 * Events and listeners are committed first and brought together after, each looking for the other: whichever commits last finds the other
 * one, so none is missed, and what a process that died had left to do the next look of any process does.
 */
export function createMatcher(deps: MatcherDeps): Matcher {
  let stopped = false
  let nudged = false
  let wake: () => void = () => undefined
  let loop: Promise<void> = Promise.resolve()

  async function pass(): Promise<boolean> {
    const { reached, found } = await inTransaction(deps.pool, async (client) => {
      const events = await lockUnmatched(client, BATCH)
      const told: string[] = []
      for (const event of events) told.push(...(await matchEvent(client, deps, event)))
      await wakeUp(client, deps.jobs, told)
      return { reached: told, found: events.length }
    })
    const listeners = await inTransaction(deps.pool, async (client) => {
      const rows = await findUnmatchedListeners(client, BATCH)
      const told: string[] = []
      for (const row of rows) told.push(...(await matchListener(client, deps, row)))
      await wakeUp(client, deps.jobs, told)
      return { reached: told, found: rows.length }
    })
    const all = [...new Set([...reached, ...listeners.reached])]
    if (all.length > 0) deps.onReached(all)
    return found + listeners.found > 0
  }

  async function work(): Promise<void> {
    while (!stopped) {
      nudged = false
      const busy = await pass().catch((error: unknown) => {
        deps.onError(error)
        return false
      })
      if (!busy && !nudged && !stopped) await idle()
    }
  }

  function idle(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, IDLE_MS)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  return {
    start() {
      loop = work()
    },
    nudge() {
      nudged = true
      wake()
    },
    async stop() {
      stopped = true
      wake()
      await loop
    },
  }
}

async function wakeUp(client: PoolClient, jobs: JobSender, executionIds: readonly string[]): Promise<void> {
  const waking = await tell(client, { parents: [...new Set(executionIds)], cancels: [] })
  if (waking.length > 0) await jobs.send(client, waking)
}
