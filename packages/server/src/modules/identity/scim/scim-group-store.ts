import { sql } from 'kysely'
import type { Executor } from '#modules/identity/store.ts'

/** A group of a directory without its members, of which it may have thousands. */
export interface ScimGroupHead {
  readonly id: string
  readonly name: string
  readonly externalId: string | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface ScimGroup extends ScimGroupHead {
  readonly members: readonly { readonly id: string; readonly email: string }[]
}

interface HeadRow {
  readonly id: string
  readonly display_name: string
  readonly external_id: string | null
  readonly created_at: Date
  readonly updated_at: Date
}

const headColumns = sql`g.id, g.display_name, g.external_id, g.created_at, g.updated_at`

/** All groups of an account by id; their number has a limit. */
export async function listScimGroups(tx: Executor, accountId: string): Promise<readonly ScimGroupHead[]> {
  const { rows } = await sql<HeadRow>`select ${headColumns} from scim_groups g where g.account_id = ${accountId} order by g.id`.execute(tx)
  return rows.map(headOf)
}

/** Groups with their members by id. */
export async function findScimGroups(tx: Executor, accountId: string, ids: readonly string[]): Promise<readonly ScimGroup[]> {
  const { rows } = await sql<HeadRow & { readonly members: ScimGroup['members'] | null }>`
    select ${headColumns},
      (select jsonb_agg(jsonb_build_object('id', u.id, 'email', u.email) order by u.id)
       from scim_members m join users u on u.account_id = m.account_id and u.id = m.user_id
       where m.account_id = g.account_id and m.group_id = g.id) as members
    from scim_groups g where g.account_id = ${accountId} and g.id = any(${[...ids]}::uuid[]) order by g.id`.execute(tx)
  return rows.map((row) => ({ ...headOf(row), members: row.members ?? [] }))
}

function headOf(row: HeadRow): ScimGroupHead {
  return {
    id: row.id,
    name: row.display_name,
    externalId: row.external_id ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Inserts or changes a group; false when another group has the name. */
export async function putScimGroup(
  tx: Executor,
  accountId: string,
  { id, name, externalId }: Pick<ScimGroup, 'id' | 'name' | 'externalId'>,
  at: Date,
): Promise<boolean> {
  const { rows: taken } = await sql`
    select 1 from scim_groups where account_id = ${accountId} and display_name = ${name} and id <> ${id}`.execute(tx)
  if (taken.length > 0) return false
  await sql`
    insert into scim_groups as g (id, account_id, display_name, external_id, created_at, updated_at)
    values (${id}, ${accountId}, ${name}, ${externalId ?? null}, ${at}, ${at})
    on conflict (id) do update set display_name = excluded.display_name, external_id = excluded.external_id, updated_at = excluded.updated_at
    where g.account_id = excluded.account_id`.execute(tx)
  return true
}

/** Replaces the members of a group by users of the account, and returns how many there are. */
export async function putScimMembers(tx: Executor, accountId: string, groupId: string, userIds: readonly string[]): Promise<number> {
  await sql`
    delete from scim_members where account_id = ${accountId} and group_id = ${groupId} and user_id <> all(${[...userIds]}::uuid[])`.execute(
    tx,
  )
  await sql`
    insert into scim_members (account_id, group_id, user_id)
    select u.account_id, ${groupId}::uuid, u.id from users u where u.account_id = ${accountId} and u.id = any(${[...userIds]}::uuid[])
    on conflict do nothing`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int4 as count from scim_members where account_id = ${accountId} and group_id = ${groupId}`.execute(tx)
  return rows[0]?.count ?? 0
}

export async function countScimGroups(tx: Executor, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int4 as count from scim_groups where account_id = ${accountId}`.execute(tx)
  return rows[0]?.count ?? 0
}

export async function deleteScimGroup(tx: Executor, accountId: string, id: string): Promise<boolean> {
  const { rows } = await sql`delete from scim_groups where account_id = ${accountId} and id = ${id} returning 1`.execute(tx)
  return rows.length === 1
}

/** The names of the groups of users. */
export async function findGroupNames(
  tx: Executor,
  accountId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ user_id: string; names: readonly string[] }>`
    select m.user_id, array_agg(g.display_name) as names
    from scim_members m join scim_groups g on g.account_id = m.account_id and g.id = m.group_id
    where m.account_id = ${accountId} and m.user_id = any(${[...userIds]}::uuid[]) group by m.user_id`.execute(tx)
  return new Map(rows.map(({ user_id: id, names }) => [id, names]))
}

/** Users who are members of any group. */
export async function findGrouped(tx: Executor, accountId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ user_id: string }>`select distinct user_id from scim_members where account_id = ${accountId}`.execute(tx)
  return rows.map(({ user_id: id }) => id)
}
