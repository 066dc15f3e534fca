import { decidingRoles, hasRole, isDeciding, type Role, roles } from '@millrace/contract'
import { findActors } from '@millrace/engine/storage'
import { sql } from 'kysely'
import { fromTypeId } from '#platform/ids.ts'
import type { Approval, Person } from './model.ts'
import { type Approver, mailKeyOf, roleOf } from './approval-plan.ts'
import type { Executor } from './approval-store.ts'

interface UserRow {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly role: Role
}

/** The approvers that one stage resolves to; a role may include all users of an account. */
const peopleMax = 500

export async function findUser(tx: Executor, accountId: string, userId: string): Promise<Person | undefined> {
  const { rows } = await sql<UserRow>`select id, email, name, role from users where account_id = ${accountId} and id = ${userId}`.execute(
    tx,
  )
  return rows[0] === undefined ? undefined : userOf(rows[0])
}

/** The person with an address: a user of the account, or an external person. */
export async function findByAddress(
  tx: Executor,
  accountId: string,
  { email, name }: { readonly email: string; readonly name: string | undefined },
): Promise<Person> {
  const { rows } = await sql<UserRow>`
    select id, email, name, role from users where account_id = ${accountId} and email = ${mailKeyOf(email)}`.execute(tx)
  return rows[0] === undefined ? externalPerson(email, name) : userOf(rows[0])
}

/** All people whom these approvers name or include and who may decide, each once; of the users of large roles not all, but all who are named. */
export async function findPeople(tx: Executor, accountId: string, approvers: readonly Approver[]): Promise<readonly Person[]> {
  const emails = approvers.flatMap(({ kind, key }) => (kind === 'mail' ? [key.slice('mail:'.length)] : []))
  const ids = approvers.flatMap(({ kind, key }) => (kind === 'user' ? [key.slice('user:'.length)] : []))
  const includedRoles = decidingRoles.filter((role) => approvers.some((approver) => includesRole(approver, role)))
  const { rows } = await sql<UserRow>`
    select id, email, name, role from users
    where account_id = ${accountId} and (email = any(${emails}::text[]) or id = any(${ids}::uuid[]) or role = any(${includedRoles}::text[]))
    order by email = any(${emails}::text[]) or id = any(${ids}::uuid[]) desc, id limit ${peopleMax}`.execute(tx)
  const known = new Set(rows.map(({ email }) => email))
  const external = approvers.filter(({ kind, key }) => kind === 'mail' && !known.has(key.slice('mail:'.length)))
  const deciding = rows.filter(({ role }) => isDeciding(role))
  return [...deciding.map(userOf), ...external.map(({ label, name }) => externalPerson(label, name))]
}

/** Addresses that are compared with one that is no user's. */
const addressesMax = 2000

/** The addresses of the users of an account; of a large account not all. */
export async function listAddresses(
  tx: Executor,
  accountId: string,
): Promise<{ readonly addresses: readonly string[]; readonly isComplete: boolean }> {
  const { rows } = await sql<{ readonly email: string }>`
    select email from users where account_id = ${accountId} order by id limit ${addressesMax}`.execute(tx)
  return { addresses: rows.map(({ email }) => email), isComplete: rows.length < addressesMax }
}

/** Which of these addresses and ids are those of users of an account. */
export async function findKnown(
  tx: Executor,
  accountId: string,
  { emails, ids }: { readonly emails: readonly string[]; readonly ids: readonly string[] },
): Promise<{ readonly emails: ReadonlySet<string>; readonly ids: ReadonlySet<string> }> {
  const { rows } = await sql<Pick<UserRow, 'id' | 'email'>>`
    select id, email from users
    where account_id = ${accountId} and (email = any(${emails}::text[]) or id = any(${ids}::uuid[]))`.execute(tx)
  return { emails: new Set(rows.map(({ email }) => email)), ids: new Set(rows.map(({ id }) => id)) }
}

/** Ids of the users of an account who can start workflows, up to a number. */
export async function listStartingUsers(tx: Executor, accountId: string, limit: number): Promise<readonly string[]> {
  const starting = roles.filter((role) => hasRole(role, 'member'))
  const { rows } = await sql<{ readonly id: string }>`
    select id from users where account_id = ${accountId} and role = any(${starting}::text[]) order by id limit ${limit}`.execute(tx)
  return rows.map(({ id }) => id)
}

function includesRole(approver: Approver, role: Role): boolean {
  const required = roleOf(approver)
  return required !== undefined && hasRole(role, required)
}

/**
 * The users who started an execution, the execution that it retries, or its parent. An API key counts as the user who owns it.
 */
export async function findStarters(tx: Executor, accountId: string, executionId: string): Promise<readonly string[]> {
  const actors = await findActors(tx, accountId, executionId)
  const users = actors.flatMap((actor) => fromTypeId('usr', actor.replace(/^user:/, '')) ?? [])
  const keys = actors.flatMap((actor) => fromTypeId('key', actor.replace(/^key:/, '')) ?? [])
  if (keys.length === 0) return users
  const { rows: owners } = await sql<{ readonly user_id: string }>`
    select user_id from api_keys where account_id = ${accountId} and id = any(${keys}::uuid[])`.execute(tx)
  return [...new Set([...users, ...owners.map(({ user_id }) => user_id)])]
}

/** The users whom an approval excludes as its starters, should its workflow say so: the processor records them with the first stage. */
export async function findExcluded(
  tx: Executor,
  { accountId, executionId, stagesTaken, excludedUserIds }: Pick<Approval, 'accountId' | 'executionId' | 'stagesTaken' | 'excludedUserIds'>,
): Promise<readonly string[]> {
  return stagesTaken > 0 ? excludedUserIds : findStarters(tx, accountId, executionId)
}

function userOf({ id, email, name, role }: UserRow): Person {
  return { key: `user:${id}`, userId: id, email, name: name ?? undefined, role }
}

function externalPerson(email: string, name: string | undefined): Person {
  return { key: `mail:${mailKeyOf(email)}`, userId: undefined, email, name, role: undefined }
}
