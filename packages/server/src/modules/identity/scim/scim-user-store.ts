import type { Role } from '@millrace/contract'
import { sql } from 'kysely'
import type { Executor } from '#modules/identity/store.ts'

/** A user as a directory sees it. */
export interface ScimUser {
  readonly id: string
  readonly email: string
  readonly name: string | undefined
  readonly role: Role
  readonly isOperator: boolean
  readonly active: boolean
  readonly externalId: string | undefined
  readonly givenName: string | undefined
  readonly familyName: string | undefined
  readonly groups: readonly { readonly id: string; readonly name: string }[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

interface ScimUserRow {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly is_operator: boolean
  readonly active: boolean
  readonly external_id: string | null
  readonly given_name: string | null
  readonly family_name: string | null
  readonly groups: readonly { readonly id: string; readonly name: string }[] | null
  readonly created_at: Date
  readonly updated_at: Date | null
}

export interface UserCondition {
  readonly id?: string
  readonly email?: string
  readonly externalId?: string
  readonly offset?: number
  readonly limit: number
}

/** Users of an account by id; all of them unless a condition names one. */
export async function findScimUsers(tx: Executor, accountId: string, condition: UserCondition): Promise<readonly ScimUser[]> {
  const { id, email, externalId, offset = 0, limit } = condition
  const { rows } = await sql<ScimUserRow>`
    select u.id, u.email, u.name, u.role, u.is_operator, u.deactivated_at is null as active, s.external_id, s.given_name, s.family_name,
      u.created_at, s.updated_at,
      (select jsonb_agg(jsonb_build_object('id', g.id, 'name', g.display_name) order by g.id)
       from scim_members m join scim_groups g on g.account_id = m.account_id and g.id = m.group_id
       where m.account_id = u.account_id and m.user_id = u.id) as groups
    from users u left join scim_users s on s.account_id = u.account_id and s.user_id = u.id
    where u.account_id = ${accountId}
      ${id === undefined ? sql`` : sql`and u.id = ${id}`}
      ${email === undefined ? sql`` : sql`and u.email = ${email}`}
      ${externalId === undefined ? sql`` : sql`and s.external_id = ${externalId}`}
    order by u.id offset ${offset} limit ${limit}`.execute(tx)
  return rows.map(userOf)
}

export async function countScimUsers(tx: Executor, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int4 as count from users where account_id = ${accountId}`.execute(tx)
  return rows[0]?.count ?? 0
}

export interface ScimUserChange {
  readonly email: string
  readonly name: string | undefined
  readonly active: boolean
  readonly externalId: string | undefined
  readonly givenName: string | undefined
  readonly familyName: string | undefined
}

/** Writes what a directory says of a user; `taken` when another user has the address or the external id. */
export async function putScimUser(
  tx: Executor,
  accountId: string,
  userId: string,
  change: ScimUserChange,
  at: Date,
): Promise<'written' | 'email_taken' | 'external_id_taken'> {
  const { email, name, active, externalId, givenName, familyName } = change
  const { rows: taken } = await sql<{ email: boolean; external: boolean }>`
    select exists (select from users where email = ${email} and id <> ${userId}) as email,
      exists (select from scim_users where account_id = ${accountId} and external_id = ${externalId ?? null} and user_id <> ${userId}) as external`.execute(
    tx,
  )
  if (taken[0]?.email === true) return 'email_taken'
  if (taken[0]?.external === true) return 'external_id_taken'
  await sql`
    update users set email = ${email}, name = ${name ?? null},
      deactivated_at = case when ${active} then null else coalesce(deactivated_at, ${at}) end
    where account_id = ${accountId} and id = ${userId}`.execute(tx)
  await sql`
    insert into scim_users as s (user_id, account_id, external_id, given_name, family_name, updated_at)
    values (${userId}, ${accountId}, ${externalId ?? null}, ${givenName ?? null}, ${familyName ?? null}, ${at})
    on conflict (user_id) do update set external_id = excluded.external_id, given_name = excluded.given_name,
      family_name = excluded.family_name, updated_at = excluded.updated_at
    where s.account_id = excluded.account_id`.execute(tx)
  return 'written'
}

function userOf(row: ScimUserRow): ScimUser {
  return {
    id: row.id,
    email: row.email,
    name: row.name ?? undefined,
    role: row.role,
    isOperator: row.is_operator,
    active: row.active,
    externalId: row.external_id ?? undefined,
    givenName: row.given_name ?? undefined,
    familyName: row.family_name ?? undefined,
    groups: row.groups ?? [],
    createdAt: row.created_at,
    updatedAt: row.updated_at ?? row.created_at,
  }
}
