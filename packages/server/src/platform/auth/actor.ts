import { toTypeId } from '#platform/ids/index.ts'
import type { Principal } from './principal.ts'

/** Who does something, as rows keep it: `key:key_…` for an API key, else `user:usr_…`; `anonymous` without a credential. */
export function actorOf(principal: Principal | undefined): string {
  if (principal === undefined) return 'anonymous'
  return principal.keyId === undefined ? `user:${toTypeId('usr', principal.userId)}` : `key:${toTypeId('key', principal.keyId)}`
}
