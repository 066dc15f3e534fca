import type { Publishers } from '@millrace/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Executor } from './store.ts'

/** The settings in the row of an account. */
export interface AccountRowSettings {
  readonly name: string
  readonly locale: string | undefined
  readonly timeZone: string | undefined
  readonly requiresMfa: boolean
  readonly publishers: Publishers
  readonly revision: number
}

export function findAccountSettings(tx: Executor, accountId: string): Promise<AccountRowSettings | undefined> {
  return readSettings(tx, accountId, sql``)
}

/** Who may publish workflows. */
export async function findPublishers(tx: Executor, accountId: string): Promise<Publishers> {
  const { rows } = await sql<{ publishers: Publishers }>`select publishers from accounts where id = ${accountId}`.execute(tx)
  return rows[0]?.publishers ?? 'admins'
}

/** The settings of an account, which stays locked until the transaction ends. */
export function lockAccountSettings(tx: Executor, accountId: string): Promise<AccountRowSettings | undefined> {
  return readSettings(tx, accountId, sql`for no key update`)
}

async function readSettings(tx: Executor, accountId: string, lock: RawBuilder<unknown>): Promise<AccountRowSettings | undefined> {
  const { rows } = await sql<SettingsRow>`
    select name, locale, time_zone, requires_mfa, publishers, revision from accounts where id = ${accountId} ${lock}`.execute(tx)
  const [row] = rows
  if (row === undefined) return undefined
  const { name, locale, time_zone: timeZone, requires_mfa: requiresMfa, publishers, revision } = row
  return { name, locale: locale ?? undefined, timeZone: timeZone ?? undefined, requiresMfa, publishers, revision }
}

interface SettingsRow {
  readonly name: string
  readonly locale: string | null
  readonly time_zone: string | null
  readonly requires_mfa: boolean
  readonly publishers: Publishers
  readonly revision: number
}

export async function putAccountSettings(tx: Executor, accountId: string, settings: Omit<AccountRowSettings, 'revision'>): Promise<void> {
  const { name, locale, timeZone, requiresMfa, publishers } = settings
  await sql`
    update accounts set name = ${name}, locale = ${locale ?? null}, time_zone = ${timeZone ?? null}, requires_mfa = ${requiresMfa},
      publishers = ${publishers}, revision = revision + 1
    where id = ${accountId}`.execute(tx)
}

/** Users of an account, and how many of them have no authenticator. */
export async function countFactors(
  tx: Executor,
  accountId: string,
): Promise<{ readonly users: number; readonly without: number; readonly isRequired: boolean }> {
  const { rows } = await sql<{ users: number; without: number; required: boolean }>`
    select count(*)::int4 as users, (count(*) filter (where t.confirmed_at is null))::int4 as without, bool_or(a.requires_mfa) as required
    from users u join accounts a on a.id = u.account_id
      left join user_totp t on t.account_id = u.account_id and t.user_id = u.id
    where u.account_id = ${accountId}`.execute(tx)
  return { users: rows[0]?.users ?? 0, without: rows[0]?.without ?? 0, isRequired: rows[0]?.required === true }
}
