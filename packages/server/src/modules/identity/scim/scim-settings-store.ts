import { sql } from 'kysely'
import type { Provisioning } from '#modules/identity/providers/model.ts'
import type { Executor } from '#modules/identity/store.ts'

/** How a directory provisions an account. */
export interface ScimSettings extends Pick<Provisioning, 'defaultRole' | 'roles'> {
  readonly tokenCreatedAt: Date | undefined
  readonly tokenUsedAt: Date | undefined
}

interface SettingsRow {
  readonly default_role: ScimSettings['defaultRole']
  readonly roles: ScimSettings['roles']
  readonly token_created_at: Date | null
  readonly token_used_at: Date | null
}

const columns = sql`default_role, roles, token_created_at, token_used_at`

export async function findScimSettings(tx: Executor, accountId: string): Promise<ScimSettings | undefined> {
  const { rows } = await sql<SettingsRow>`select ${columns} from scim_settings where account_id = ${accountId}`.execute(tx)
  return rows[0] === undefined ? undefined : settingsOf(rows[0])
}

export async function putScimSettings(
  tx: Executor,
  accountId: string,
  { defaultRole, roles }: Pick<ScimSettings, 'defaultRole' | 'roles'>,
  at: Date,
): Promise<ScimSettings> {
  const { rows } = await sql<SettingsRow>`
    insert into scim_settings (account_id, default_role, roles, created_at, updated_at)
    values (${accountId}, ${defaultRole}, ${JSON.stringify(roles)}, ${at}, ${at})
    on conflict (account_id) do update set default_role = excluded.default_role, roles = excluded.roles, updated_at = excluded.updated_at
    returning ${columns}`.execute(tx)
  if (rows[0] === undefined) throw new Error('settings of SCIM were not written')
  return settingsOf(rows[0])
}

/** Replaces the token; false when the account has no settings. */
export async function putScimToken(tx: Executor, accountId: string, tokenHash: Uint8Array, at: Date): Promise<boolean> {
  const { rows } = await sql`
    update scim_settings set token_hash = ${tokenHash}, token_created_at = ${at}, token_used_at = null, updated_at = ${at}
    where account_id = ${accountId} returning 1`.execute(tx)
  return rows.length === 1
}

/** Deletes the settings with the token, the groups, and what the directory knows of users. The users stay. */
export async function deleteScim(tx: Executor, accountId: string): Promise<boolean> {
  await sql`delete from scim_groups where account_id = ${accountId}`.execute(tx)
  await sql`delete from scim_users where account_id = ${accountId}`.execute(tx)
  const { rows } = await sql`delete from scim_settings where account_id = ${accountId} returning 1`.execute(tx)
  return rows.length === 1
}

/** The account of a token, whose use is recorded to the minute. Across accounts: the token names the account. */
export async function findScimAccount(db: Executor, tokenHash: Uint8Array, at: Date): Promise<string | undefined> {
  const { rows } = await sql<{ account_id: string; token_used_at: Date | null }>`
    select account_id, token_used_at from scim_settings where token_hash = ${tokenHash}`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  if (row.token_used_at === null || at.getTime() - row.token_used_at.getTime() > 60_000)
    await sql`update scim_settings set token_used_at = ${at} where account_id = ${row.account_id} and token_hash = ${tokenHash}`.execute(db)
  return row.account_id
}

function settingsOf(row: SettingsRow): ScimSettings {
  const { default_role: defaultRole, roles, token_created_at: created, token_used_at: used } = row
  return { defaultRole, roles, tokenCreatedAt: created ?? undefined, tokenUsedAt: used ?? undefined }
}
