import { Fault, hasRole, type Role } from '@millrace/contract'
import { type Executor, deleteUser, lockRoles, setRole } from '#modules/identity/store.ts'
import { findMember, type Member } from './member-store.ts'

/** Who acts on whom. The roles of both are read under the lock of the account, so that two owners cannot demote each other concurrently. */
export interface MemberAction {
  readonly actorId: string
  readonly userId: string
}

export async function changeRole(
  tx: Executor,
  accountId: string,
  action: MemberAction & { readonly role: Role },
): Promise<Member & { readonly roleBefore: Role }> {
  const { actorRole, role: before, owners } = await rolesIn(tx, accountId, action)
  const { userId, role } = action
  if ((role === 'owner' || before === 'owner') && actorRole !== 'owner')
    throw new Fault('forbidden', { detail: 'Only an owner can make an owner or change the role of one.' })
  if (before === 'owner' && role !== 'owner' && owners === 1) throw new Fault('last_owner')
  await setRole(tx, accountId, userId, role)
  return { ...(await memberOf(tx, accountId, userId)), roleBefore: before }
}

export async function removeMember(tx: Executor, accountId: string, action: MemberAction): Promise<void> {
  const { actorRole, role } = await rolesIn(tx, accountId, action)
  if (action.userId === action.actorId)
    throw new Fault('conflict', { detail: 'This is your own user. Delete it by DELETE /api/v1/auth/me.' })
  if (role === 'owner' && actorRole !== 'owner') throw new Fault('forbidden', { detail: 'Only an owner can remove an owner.' })
  if ((await memberOf(tx, accountId, action.userId)).isOperator)
    throw new Fault('forbidden', { detail: 'This user is an operator of the installation, who can leave the account only by themselves.' })
  await deleteUser(tx, accountId, action.userId)
}

export async function transferOwnership(tx: Executor, accountId: string, action: MemberAction): Promise<Member> {
  const { actorRole } = await rolesIn(tx, accountId, action)
  if (actorRole !== 'owner') throw new Fault('forbidden', { detail: 'You are no owner any more.' })
  if (action.userId === action.actorId) throw new Fault('conflict', { detail: 'You are the owner already. Name another user.' })
  await setRole(tx, accountId, action.userId, 'owner')
  await setRole(tx, accountId, action.actorId, 'admin')
  return await memberOf(tx, accountId, action.userId)
}

/** Whether the actor may end the sessions of the user. */
export async function assertMayEnd(tx: Executor, accountId: string, action: MemberAction): Promise<void> {
  const { actorRole, role } = await rolesIn(tx, accountId, action)
  if (role === 'owner' && actorRole !== 'owner') throw new Fault('forbidden', { detail: 'Only an owner can sign an owner out.' })
}

async function rolesIn(tx: Executor, accountId: string, { actorId, userId }: MemberAction) {
  const roles = await lockRoles(tx, accountId)
  const roleOf = (id: string) => roles.find((user) => user.id === id)?.role
  const [actorRole, role] = [roleOf(actorId), roleOf(userId)]
  if (role === undefined) throw new Fault('not_found')
  // The role of the actor may have changed since the credential was checked.
  if (actorRole === undefined || !hasRole(actorRole, 'admin')) throw new Fault('forbidden', { detail: 'Your role was changed meanwhile.' })
  return { actorRole, role, owners: roles.filter((user) => user.role === 'owner').length }
}

async function memberOf(tx: Executor, accountId: string, userId: string): Promise<Member> {
  const member = await findMember(tx, accountId, userId)
  if (member === undefined) throw new Fault('not_found')
  return member
}
