import type { accountUsers, invitations, Reply } from '@millrace/contract'
import { clientOf, deliveryOf, respondSignIn } from '#modules/identity/completion/respond-sign-in.ts'
import type { SessionCookie } from '#modules/identity/completion/session-cookie.ts'
import type { SessionService } from '#modules/identity/session-service.ts'
import type { Tx } from '#platform/db/database.ts'
import type { HandlersFor, RequestContext } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { Invitations } from './invitation-service.ts'
import type { Invitation } from './invitation-store.ts'
import { assertMayEnd, changeRole, removeMember, transferOwnership } from './member-service.ts'
import { findMember, listMembers, type Member } from './member-store.ts'

export interface AccountUserDeps {
  readonly sessions: Pick<SessionService, 'signOutEverywhere'>
  /** Lets a user decide the approvals of another one, whom `remove` removes. @returns their ids. */
  /** The last names of users who were removed, by their external ids; the last removed first. */
  readonly removedUsers: (tx: Tx, accountId: string, limit: number) => Promise<ReadonlyMap<string, string>>
  readonly handOver: (ctx: RequestContext, users: { from: string; to: string }, remove: () => Promise<void>) => Promise<readonly string[]>
}

/** Removed users of whom the list of users has the names. */
const formerMax = 500

/** Handlers of the users of an account. */
export function accountUserHandlers({ sessions, removedUsers, handOver }: AccountUserDeps): HandlersFor<typeof accountUsers> {
  return {
    async list(ctx, { query }) {
      const found = await listMembers(ctx.tx, ctx.accountId, { before: decodeId(query.cursor), limit: query.limit + 1 })
      const { data, nextCursor } = pageOf(found, query.limit, (last) => encodeCursor([last.id]))
      if (query.cursor !== undefined) return { data: data.map(memberView), nextCursor }
      const removed = await removedUsers(ctx.tx, ctx.accountId, formerMax)
      return { data: data.map(memberView), nextCursor, former: [...removed].map(([id, name]) => ({ id, name })) }
    },
    async update(ctx, { params, body: { role } }) {
      const member = await changeRole(ctx.tx, ctx.accountId, { actorId: ctx.userId, userId: idOf('usr', params.id), role })
      ctx.audit({ target: params.id, details: { role }, change: { before: { role: member.roleBefore }, after: { role } } })
      return memberView(member)
    },
    async delete(ctx, { params, query: { reassignTo } }) {
      const userId = idOf('usr', params.id)
      // Past entries of the log show this name, which an erasure of the name or of the address erases.
      const member = await findMember(ctx.tx, ctx.accountId, userId)
      const named = member && { name: member.name ?? member.email, email: member.email }
      const remove = () => removeMember(ctx.tx, ctx.accountId, { actorId: ctx.userId, userId })
      const reassigned = reassignTo && (await handOver(ctx, { from: userId, to: idOf('usr', reassignTo) }, remove))
      if (reassignTo === undefined) await remove()
      ctx.audit({ target: params.id, details: { ...named, ...(reassignTo === undefined ? {} : { reassignedTo: reassignTo }) } })
      return { id: params.id, deleted: true, ...(reassigned ? { reassigned: [...reassigned] } : {}) }
    },
    async transferOwnership(ctx, { params }) {
      const member = await transferOwnership(ctx.tx, ctx.accountId, { actorId: ctx.userId, userId: idOf('usr', params.id) })
      ctx.audit({ target: params.id })
      return memberView(member)
    },
    async signOut(ctx, { params }) {
      const userId = idOf('usr', params.id)
      await assertMayEnd(ctx.tx, ctx.accountId, { actorId: ctx.userId, userId })
      const sessionsEnded = await sessions.signOutEverywhere(ctx.tx, ctx.accountId, userId)
      ctx.audit({ target: params.id, details: { sessionsEnded } })
      return { id: params.id, sessionsEnded }
    },
  }
}

/** Handlers of invitations. */
export function invitationHandlers(team: Invitations, cookie: SessionCookie): HandlersFor<typeof invitations> {
  return {
    async create(ctx, { body }) {
      const { invitation, token } = await team.create(ctx.accountId, ctx.userId, body)
      ctx.audit({ target: toTypeId('ivt', invitation.id), details: { email: invitation.email, role: invitation.role } })
      return { ...invitationView(invitation), mailed: invitation.mailed, token: token ?? null }
    },
    async list(ctx, { query }) {
      const found = await team.list(ctx.tx, ctx.accountId, { before: decodeId(query.cursor), limit: query.limit + 1 })
      const { data, nextCursor } = pageOf(found, query.limit, (last) => encodeCursor([last.id]))
      return { data: data.map(invitationView), nextCursor }
    },
    async revoke(ctx, { params }) {
      const email = await team.revoke(ctx.tx, ctx.accountId, idOf('ivt', params.id))
      ctx.audit({ target: params.id, details: { email } })
      return { id: params.id, deleted: true }
    },
    async inspect(_ctx, { body: { token } }) {
      const { invitation, account, inviter } = await team.inspect(token)
      const { email, role, expiresAt } = invitation
      return { account, email, role, invitedBy: inviter ?? null, expiresAt: expiresAt.toISOString() }
    },
    async accept(ctx, { body }) {
      const { token, password, name } = body
      return respondSignIn(ctx, await team.accept({ token, password, name, delivery: deliveryOf(body) }, clientOf(ctx)), cookie)
    },
  }
}

function memberView(member: Member): Reply<typeof accountUsers.update> {
  const { id, email, name = null, role, secondFactor, createdAt } = member
  return { id: toTypeId('usr', id), email, name, role, secondFactor, createdAt: createdAt.toISOString() }
}

function invitationView({ id, email, role, createdAt, expiresAt }: Invitation): Reply<typeof invitations.list>['data'][number] {
  return { id: toTypeId('ivt', id), email, role, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() }
}
