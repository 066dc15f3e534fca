import type { LiveKey } from '#platform/auth/authenticator.ts'
import { createBatcher } from '#platform/batching/batcher.ts'
import { type Executor, findLiveKeys } from './store.ts'

/** Makes what finds the keys of a prefix: one query for all requests of a turn, and nothing remembered from one to the next. */
export function createKeyFinder({ db }: { readonly db: Executor }): (prefix: string) => Promise<readonly LiveKey[]> {
  return createBatcher<string, readonly LiveKey[]>({
    lanes: 2,
    keysMax: 500,
    async load(prefixes) {
      const found = await findLiveKeys(db, [...new Set(prefixes)])
      return prefixes.map((prefix) => found.get(prefix) ?? [])
    },
  })
}
