import type { Role } from '@millrace/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { preparedMark } from '#platform/db/database-client.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { Account, User } from './model.ts'
import { type MailReader, mailReaderOf } from '#platform/mail/templates/mail-time.ts'
import { nameSource } from '#platform/db/name-source.ts'

export type Executor = Kysely<Rows>

export interface UserRow {
  readonly id: string
  readonly account_id: string
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly is_operator: boolean
  readonly created_at: Date
}

/** A row of an outer join, whose columns may all be null. */
type NullableRow<T> = { readonly [K in keyof T]: T[K] | null }

export const userColumns = sql`u.id, u.account_id, u.email, u.name, u.role, u.is_operator, u.created_at`

export async function insertAccount(tx: Executor, account: Account, createdAt: Date): Promise<void> {
  await sql`insert into accounts (id, name, created_at) values (${account.id}, ${account.name}, ${createdAt})`.execute(tx)
}

/** Inserts a user; false when another user of the installation has the address. */
export async function insertUser(tx: Executor, user: User): Promise<boolean> {
  const { rows } = await sql`
    insert into users (id, account_id, email, name, role, is_operator, created_at)
    values (${user.id}, ${user.accountId}, ${user.email}, ${user.name ?? null}, ${user.role}, ${user.isOperator}, ${user.createdAt})
    on conflict on constraint users_email_unique do nothing returning 1`.execute(tx)
  return rows.length === 1
}

export async function insertPassword(tx: Executor, user: User, hash: string, changedAt: Date): Promise<void> {
  await sql`
    insert into user_passwords (user_id, account_id, hash, changed_at)
    values (${user.id}, ${user.accountId}, ${hash}, ${changedAt})`.execute(tx)
}

/** Sets the password of a user, who may have had none. */
export async function putPassword(
  tx: Executor,
  accountId: string,
  userId: string,
  { hash, changedAt }: { readonly hash: string; readonly changedAt: Date },
): Promise<void> {
  await sql`
    insert into user_passwords as p (user_id, account_id, hash, changed_at) values (${userId}, ${accountId}, ${hash}, ${changedAt})
    on conflict (user_id) do update set hash = excluded.hash, changed_at = excluded.changed_at
    where p.account_id = excluded.account_id`.execute(tx)
}

/** Whether the address of a user is confirmed. The user stays locked until the transaction ends, so that a first confirmation waits. */
export async function lockConfirmation(tx: Executor, accountId: string, userId: string): Promise<boolean> {
  const { rows } = await sql<{ readonly confirmed: boolean }>`
    select email_verified_at is not null as confirmed from users where account_id = ${accountId} and id = ${userId} for share`.execute(tx)
  return rows[0]?.confirmed === true
}

/** Replaces a password hash, unless it was changed meanwhile. */
export async function replacePasswordHash(db: Executor, userId: string, before: string, after: string): Promise<void> {
  await sql`update user_passwords set hash = ${after} where user_id = ${userId} and hash = ${before}`.execute(db)
}

/** The id of no user. */
const noUser = '00000000-0000-0000-0000-000000000000'

export interface SignInCandidate {
  readonly user: User
  readonly hash: string | undefined
  readonly passwordChangedAt: Date | undefined
  /** The user has signed in from this address before. */
  readonly isFamiliar: boolean
}

/** Who signs in, and from where. */
export interface SignInSubject {
  readonly email: string
  readonly ip: string
}

/**
 * Finds users by address, across accounts, since the account of a sign-in is not known yet; for each subject in their order.
 *
 * The work is the same whether or not a user has the address: for an unknown address the query looks up the password and the sessions of a user that
 * does not exist. That id is a constant: an index cannot be searched for a volatile expression.
 */
export async function findSignInCandidates(
  db: Executor,
  subjects: readonly SignInSubject[],
): Promise<readonly (SignInCandidate | undefined)[]> {
  const { rows } = await sql<
    NullableRow<UserRow> & { readonly hash: string | null; readonly changed_at: Date | null; readonly is_familiar: boolean }
  >`${sql.raw(preparedMark('sign_in_candidates'))}select ${userColumns}, p.hash, p.changed_at,
      exists (select from sessions s where s.user_id = coalesce(u.id, ${noUser}::uuid) and s.ip = given.ip) as is_familiar
    from unnest(${subjects.map(({ email }) => email)}::text[], ${subjects.map(({ ip }) => ip)}::inet[]) with ordinality as given (email, ip, place)
    left join users u on u.email = given.email
    left join user_passwords p on p.user_id = coalesce(u.id, ${noUser}::uuid)
    order by given.place`.execute(db)
  return rows.map((row) =>
    isUserRow(row)
      ? { user: userOf(row), hash: row.hash ?? undefined, passwordChangedAt: row.changed_at ?? undefined, isFamiliar: row.is_familiar }
      : undefined,
  )
}

export async function findSignInCandidate(db: Executor, subject: SignInSubject): Promise<SignInCandidate | undefined> {
  return (await findSignInCandidates(db, [subject]))[0]
}

/** Has a row while a password that was checked is still that of the user, and keeps it from being replaced until the session is opened. */
export function passwordGuard({ user, passwordChangedAt }: SignInCandidate): RawBuilder<unknown> {
  return sql`
    select 1 from user_passwords
    where account_id = ${user.accountId}::uuid and user_id = ${user.id}::uuid
      and date_trunc('milliseconds', changed_at) = ${passwordChangedAt ?? null}::timestamptz
    for share`
}

export interface FoundUser {
  readonly user: User
  readonly account: Account
  /** The language and the time zone of the user, else of the account. */
  readonly reader: MailReader
}

export async function findUser(tx: Executor, accountId: string, userId: string): Promise<FoundUser | undefined> {
  const { rows } = await sql<UserRow & { readonly account_name: string; readonly locale: string | null; readonly zone: string | null }>`
    select ${userColumns}, coalesce(u.locale, a.locale) as locale, coalesce(u.zone, a.time_zone) as zone, a.name as account_name
    from users u join accounts a on a.id = u.account_id
    where u.account_id = ${accountId} and u.id = ${userId}`.execute(tx)
  const [row] = rows
  if (row === undefined) return undefined
  return { user: userOf(row), account: { id: row.account_id, name: row.account_name }, reader: mailReaderOf(row) }
}

export async function findUserEmail(db: Executor, accountId: string, userId: string): Promise<string> {
  const { rows } = await sql<{ readonly email: string }>`
    select u.email from users u where u.account_id = ${accountId} and u.id = ${userId}`.execute(db)
  if (rows[0] === undefined) throw new Error('the user of a request does not exist')
  return rows[0].email
}

/** The users who run the installation, across accounts. */
export async function findOperators(db: Executor): Promise<readonly { readonly accountId: string; readonly userId: string }[]> {
  const { rows } = await sql<{ readonly account_id: string; readonly id: string }>`
    select u.account_id, u.id from users u where u.is_operator and u.deactivated_at is null order by u.account_id, u.id`.execute(db)
  return rows.map(({ account_id: accountId, id: userId }) => ({ accountId, userId }))
}

/** Finds a user by the normalised address, across accounts. */
export async function findUserByEmail(db: Executor, email: string): Promise<User | undefined> {
  const { rows } = await sql<UserRow>`select ${userColumns} from users u where u.email = ${email}`.execute(db)
  return rows[0] === undefined ? undefined : userOf(rows[0])
}

export async function setRole(tx: Executor, accountId: string, userId: string, role: Role): Promise<void> {
  await sql`update users set role = ${role} where account_id = ${accountId} and id = ${userId}`.execute(tx)
}

/**
 * Sets the role that a directory or a sign-in provider gives, and returns the role that the user has then: an owner or an operator keeps theirs,
 * also one who has become that since the user was read.
 */
export async function setProvisionedRole(tx: Executor, accountId: string, userId: string, role: Exclude<Role, 'owner'>): Promise<Role> {
  const { rows } = await sql<Pick<User, 'role'>>`
    update users set role = case when role = 'owner' or is_operator then role else ${role} end
    where account_id = ${accountId} and id = ${userId} and role <> ${role} returning role`.execute(tx)
  return rows[0]?.role ?? role
}

/** Lists the users of an account with their roles. Locks the account, so that two owners cannot leave concurrently. */
export async function lockRoles(tx: Executor, accountId: string): Promise<readonly Pick<User, 'id' | 'role'>[]> {
  await sql`select from accounts where id = ${accountId} for update`.execute(tx)
  const { rows } = await sql<Pick<User, 'id' | 'role'>>`select id, role from users where account_id = ${accountId}`.execute(tx)
  return rows
}

/** Deletes a user with its password, sessions and API keys. */
export async function deleteUser(tx: Executor, accountId: string, userId: string): Promise<void> {
  await sql`delete from users where account_id = ${accountId} and id = ${userId}`.execute(tx)
}

/** Deletes an account with its users and all their data. */
export async function deleteAccount(tx: Executor, accountId: string): Promise<void> {
  await sql`delete from accounts where id = ${accountId}`.execute(tx)
}

function isUserRow<T extends NullableRow<UserRow>>(row: T): row is T & UserRow {
  return row.id !== null
}

export function userOf(row: UserRow): User {
  return {
    id: row.id,
    accountId: row.account_id,
    email: row.email,
    name: row.name ?? undefined,
    role: row.role,
    isOperator: row.is_operator,
    createdAt: row.created_at,
  }
}

export const userNames = nameSource(
  'usr',
  sql`select id, account_id, coalesce(name, email) as name, concat_ws(' ', name, email) as words from users`,
)

/** Names and addresses of users by id; without those that are gone. */
export async function findPeople(
  tx: Executor,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Pick<User, 'name' | 'email'>>> {
  const { rows } = await sql<Pick<UserRow, 'id' | 'name' | 'email'>>`
    select id, name, email from users where account_id = ${accountId} and id = any(${ids}::uuid[])`.execute(tx)
  return new Map(rows.map(({ id, name, email }) => [id, { name: name ?? undefined, email }]))
}
