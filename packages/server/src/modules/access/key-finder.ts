import type { LiveKey } from '#platform/auth/authenticator.ts'
import { createBatcher } from '#platform/batching/batcher.ts'
import type { Prepared } from '#platform/db/prepared.ts'
import { findLiveKeys } from './store.ts'

/** Makes what finds the keys of a prefix: one query for all requests of a turn, and nothing remembered from one to the next. */
export function createKeyFinder(prepared: Prepared): (prefix: string) => Promise<readonly LiveKey[]> {
  return createBatcher<string, readonly LiveKey[]>({
    lanes: 2,
    keysMax: 500,
    async load(prefixes) {
      const found = await findLiveKeys(prepared, [...new Set(prefixes)])
      return prefixes.map((prefix) => found.get(prefix) ?? [])
    },
  })
}
