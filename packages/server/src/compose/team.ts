import { accountUsers, invitations } from '@millrace/contract'
import type { Approvals } from '#modules/approvals/index.ts'
import { listRemovedUsers } from '#modules/audit/index.ts'
import {
  type AccountUserDeps,
  accountUserHandlers,
  createInvitations,
  deleteExpiredInvitations,
  invitationHandlers,
  type SeatOf,
} from '#modules/identity/index.ts'
import { actorOf } from '#platform/auth/principal.ts'
import { served } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import type { Feature, FeatureParts } from './feature.ts'
import { sessionCookieOf } from './session-cookie.ts'
import { originOf } from './origin.ts'

const rowsMax = 1_000

export interface TeamParts extends FeatureParts {
  readonly approvals: Pick<Approvals, 'handOver'>
}

/** The users of an account, and invitations to join it. */
export function composeTeam(parts: TeamParts, seatOf: SeatOf): Feature {
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
      accountUsers: served(
        accountUsers,
        accountUserHandlers({ sessions, removedUsers: listRemovedUsers, handOver: auditedHandOver(parts) }),
      ),
      invitations: served(invitations, invitationHandlers(team, sessionCookieOf(parts))),
    },
    maintenance: [{ name: 'invitations', run: () => deleteExpiredInvitations(db, now(), rowsMax) }],
  }
}

/** Each approval has an event of its own, as if it had been reassigned alone. */
function auditedHandOver({ approvals, audit }: TeamParts): AccountUserDeps['handOver'] {
  return async (ctx, users, remove) => {
    const { tx, accountId, ip, requestId } = ctx
    const found = await approvals.handOver(tx, accountId, { ...users, by: ctx }, remove)
    const [from, to] = [toTypeId('usr', users.from), toTypeId('usr', users.to)]
    for (const { id, executionId } of found) {
      const details = { executionId: toTypeId('exec', executionId), to, from }
      const target = toTypeId('apr', id)
      await audit.write({ accountId, actor: actorOf(ctx.principal), event: 'approval.reassigned', target, requestId, ip, details }, tx)
    }
    return found.map(({ id }) => toTypeId('apr', id))
  }
}
