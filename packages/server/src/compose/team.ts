import { accountUsers, invitations } from '@millrace/contract'
import {
  accountUserHandlers,
  createInvitations,
  deleteExpiredInvitations,
  invitationHandlers,
  type SeatOf,
} from '#modules/identity/index.ts'
import { served } from '#platform/http/index.ts'
import type { Feature, FeatureParts } from './feature.ts'
import { sessionCookieOf } from './session-cookie.ts'
import { originOf } from './welcome.ts'

const rowsMax = 1_000

/** The users of an account, and invitations to join it. */
export function composeTeam(parts: FeatureParts, seatOf: SeatOf): Feature {
  const { authentication, config, database, mail, system } = parts
  const { newId, randomBytes } = system
  const { sessions, completeSignIn } = authentication.identity
  const db = database.system
  const now = () => new Date(system.now())
  const { passwords, gate } = authentication
  const page = `${originOf(config.http)}/mail/invitation`
  const team = createInvitations({
    db,
    mail,
    passwords,
    sessions,
    completeSignIn,
    assertJoinable: () => gate.assertJoinable(),
    seatOf,
    page,
    now,
    newId,
    randomBytes,
  })
  return {
    groups: {
      accountUsers: served(accountUsers, accountUserHandlers(sessions)),
      invitations: served(invitations, invitationHandlers(team, sessionCookieOf(parts))),
    },
    maintenance: [{ name: 'invitations', run: () => deleteExpiredInvitations(db, now(), rowsMax) }],
  }
}
