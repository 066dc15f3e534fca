import { domainOf } from '#modules/identity/external/model.ts'
import { hasVerifiedDomain } from '#modules/identity/providers/domain-store.ts'
import { lockAccount } from '#modules/identity/providers/provider-store.ts'
import { confirmEmail } from '#modules/identity/reclaim/reclaim-store.ts'
import type { SessionService } from '#modules/identity/session-service.ts'
import { deleteUser, type Executor, insertUser } from '#modules/identity/store.ts'
import type { SeatOf } from '#modules/identity/team/seat.ts'
import { toTypeId } from '#platform/ids.ts'
import { applyPatch } from './scim-patch.ts'
import { invalidValue, ScimFault } from './scim-fault.ts'
import { readUser, userAttributes, userResource } from './scim-resources.ts'
import { findScimSettings } from './scim-settings-store.ts'
import { findScimUsers, putScimUser, type ScimUser, type ScimUserChange } from './scim-user-store.ts'

export interface ScimUserDeps {
  readonly sessions: Pick<SessionService, 'signOutEverywhere'>
  /** Revokes every API key of a user, and returns their number. */
  readonly revokeKeys: (tx: Executor, accountId: string, userId: string) => Promise<number>
  readonly seatOf: SeatOf
  readonly now: () => Date
  readonly newId: () => string
}

/** What a change did, for the audit log. */
export interface ScimChange {
  readonly event: string
  readonly target: string
  readonly details: Readonly<Record<string, boolean | string>>
}

interface Changed {
  readonly user: ScimUser
  readonly change: ScimChange
}

export type ScimUsers = ReturnType<typeof createScimUsers>

/**
 * Creates, changes and removes users for a directory. Owners and operators are neither deactivated nor removed, nor get another address. The
 * caller of `replace`, `patch` and `remove` has locked the account before it read the user.
 */
export function createScimUsers({ sessions, revokeKeys, seatOf, now, newId }: ScimUserDeps) {
  async function find(tx: Executor, accountId: string, id: string): Promise<ScimUser> {
    const [user] = await findScimUsers(tx, accountId, { id, limit: 1 })
    if (user === undefined) throw new ScimFault(404, `There is no user ${toTypeId('usr', id)}.`)
    return user
  }

  async function write(tx: Executor, accountId: string, userId: string, change: ScimUserChange): Promise<ScimUser> {
    const written = await putScimUser(tx, accountId, userId, change, now())
    if (written === 'email_taken') throw new ScimFault(409, `A user with the address ${change.email} exists.`, 'uniqueness')
    if (written === 'external_id_taken') throw new ScimFault(409, 'Another user has this externalId.', 'uniqueness')
    return await find(tx, accountId, userId)
  }

  async function apply(tx: Executor, accountId: string, before: ScimUser, change: ScimUserChange): Promise<Changed> {
    const isMoved = change.email !== before.email
    if (isMoved || (before.active && !change.active)) assertOrdinary(before)
    if (isMoved) {
      await assertDomain(tx, accountId, before.email)
      await assertDomain(tx, accountId, change.email)
    }
    const user = await write(tx, accountId, before.id, change)
    if (!user.active) await endAccess(tx, accountId, user.id)
    const event = before.active === user.active ? 'scim.user_updated' : user.active ? 'scim.user_activated' : 'scim.user_deactivated'
    return { user, change: { event, target: toTypeId('usr', user.id), details: { address: isMoved, name: user.name !== before.name } } }
  }

  async function endAccess(tx: Executor, accountId: string, userId: string): Promise<void> {
    await revokeKeys(tx, accountId, userId)
    await sessions.signOutEverywhere(tx, accountId, userId)
  }

  return {
    find,

    /** The seats of the plan are read before the transaction, for `create`. */
    seatOf,

    async create(tx: Executor, accountId: string, body: unknown, assertSeat: (tx: Executor) => Promise<void>): Promise<Changed> {
      const change = readUser(body)
      await assertDomain(tx, accountId, change.email)
      await lockAccount(tx, accountId)
      await assertSeat(tx)
      const settings = await findScimSettings(tx, accountId)
      if (settings === undefined) throw new ScimFault(401, 'Provisioning was turned off.')
      const { email, name } = change
      const at = now()
      const id = newId()
      const user = { id, accountId, email, name, role: settings.defaultRole, isOperator: false, createdAt: at }
      if (!(await insertUser(tx, user))) throw new ScimFault(409, `A user with the address ${email} exists.`, 'uniqueness')
      // The account has proved that it controls the domain.
      await confirmEmail(tx, accountId, id, at)
      const target = toTypeId('usr', id)
      return { user: await write(tx, accountId, id, change), change: { event: 'scim.user_created', target, details: {} } }
    },

    async replace(tx: Executor, accountId: string, before: ScimUser, body: unknown): Promise<Changed> {
      return await apply(tx, accountId, before, readUser(body))
    },

    async patch(tx: Executor, accountId: string, before: ScimUser, body: unknown): Promise<Changed> {
      return await apply(tx, accountId, before, readUser(applyPatch(userResource(before, ''), body, userAttributes)))
    },

    async remove(tx: Executor, accountId: string, user: ScimUser): Promise<ScimChange> {
      assertOrdinary(user)
      await deleteUser(tx, accountId, user.id)
      const { name, email } = user
      return { event: 'scim.user_deleted', target: toTypeId('usr', user.id), details: { name: name ?? email, email } }
    },
  }
}

function assertOrdinary({ role, isOperator, email }: ScimUser): void {
  if (role !== 'owner' && !isOperator) return
  const kind = role === 'owner' ? 'an owner of the account' : 'an operator of the installation'
  throw new ScimFault(
    403,
    `${email} is ${kind}, whom a directory neither removes, deactivates nor renames. Change the role in Millrace first.`,
  )
}

async function assertDomain(tx: Executor, accountId: string, email: string): Promise<void> {
  const domain = domainOf(email)
  if (await hasVerifiedDomain(tx, accountId, domain)) return
  throw invalidValue(
    `The account has not verified the domain ${domain}, so a directory cannot create or rename users in it. Add the domain in Millrace.`,
  )
}
