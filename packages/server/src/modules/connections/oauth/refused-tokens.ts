import type { Http } from '#modules/connections/authorised-port.ts'
import type { UsableConnection } from '#modules/connections/model.ts'
import { refusesCredentials } from '#modules/connections/test-connection.ts'

const refusalsMin = 3
const spanMs = 60_000

interface Refusals {
  readonly token: string | undefined
  readonly sinceMs: number
  count: number
  testedMs: number
}

export type RefusedTokens = ReturnType<typeof createRefusedTokens>

/**
 * Decides whether a token that cannot be renewed has ended. One 401 does not show it, since some services answer so where a user may not use a
 * path. The test path of the connection decides; without one, only refusals over a minute do, without a call between them that succeeds.
 */
export function createRefusedTokens({ http, now }: { readonly http: Http; readonly now: () => number }) {
  const known = new Map<string, Refusals>()
  return {
    /** The service took the token. */
    accept: (id: string): void => void known.delete(id),

    /** Call it after each 401. */
    async hasEnded(id: string, connection: UsableConnection): Promise<boolean> {
      const before = known.get(id)
      const isNew = before === undefined || before.token !== connection.accessToken
      const refusals = isNew ? { token: connection.accessToken, sinceMs: now(), count: 0, testedMs: -Infinity } : before
      known.set(id, refusals)
      refusals.count += 1
      const { settings } = connection
      if (settings.kind !== 'oauth2' || settings.testPath === undefined)
        return refusals.count >= refusalsMin && now() - refusals.sinceMs >= spanMs
      if (now() - refusals.testedMs < spanMs) return false
      refusals.testedMs = now()
      return refusesCredentials(connection, settings, http)
    },
  }
}
