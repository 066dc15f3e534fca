import { createReclaim } from '#modules/identity/index.ts'
import type { FeatureParts } from './feature.ts'

/** Removes what signs in as a user whose address is confirmed for the first time. */
export function reclaimOf({ authentication, mail, system }: Pick<FeatureParts, 'authentication' | 'mail' | 'system'>) {
  const { access, identity } = authentication
  return createReclaim({ mail, sessions: identity.sessions, revokeKeys: access.revokeAll, now: () => new Date(system.now()) })
}
