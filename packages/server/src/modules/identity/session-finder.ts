import type { LiveSession } from '#platform/auth/authenticator.ts'
import { createBatcher } from '#platform/batching/batcher.ts'
import type { Prepared } from '#platform/db/prepared.ts'
import { type SessionLimits, sessionLimitsDefault } from './model.ts'
import { findLiveSessions } from './session-store.ts'

export interface SessionFinderDeps {
  readonly prepared: Prepared
  readonly now: () => Date
  readonly limits?: SessionLimits
}

/** Makes what finds the session of a request: one query for all requests of a turn, and nothing remembered from one to the next. */
export function createSessionFinder(deps: SessionFinderDeps): (id: string) => Promise<LiveSession | undefined> {
  const { prepared, now, limits = sessionLimitsDefault } = deps
  return createBatcher<string, LiveSession | undefined>({
    lanes: 2,
    keysMax: 500,
    async load(ids) {
      const at = now()
      const found = await findLiveSessions(prepared, [...new Set(ids)], at, new Date(at.getTime() - limits.idleMs))
      return ids.map((id) => found.get(id))
    },
  })
}
