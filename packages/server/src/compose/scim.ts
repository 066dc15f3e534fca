import { scim } from '@millrace/contract'
import { composeScim, type SeatOf } from '#modules/identity/index.ts'
import { served } from '#platform/http/index.ts'
import type { Feature, FeatureParts } from './feature.ts'
import { originOf } from './origin.ts'

/** Provisioning of users by the directory of an account. */
export function composeProvisioning(parts: FeatureParts, seatOf: SeatOf): Feature {
  const { audit, authentication, config, database, system } = parts
  const { access, identity } = authentication
  const { handlers, server } = composeScim({
    db: database.system,
    inAccount: (accountId, fn) => database.account(accountId, fn),
    sessions: identity.sessions,
    revokeKeys: access.revokeAll,
    seatOf,
    audit: (tx, accountId, { event, target, details }, { id, ip }) =>
      audit.write({ accountId, actor: 'scim:directory', event, target, requestId: id, ip, details }, tx),
    origin: originOf(config.http),
    now: () => new Date(system.now()),
    newId: system.newId,
    randomBytes: system.randomBytes,
  })
  return { groups: { scim: served(scim, handlers), scimServer: server } }
}
