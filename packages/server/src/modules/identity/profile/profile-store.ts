import type { JsonValue } from '@millrace/contract'
import { sql } from 'kysely'
import type { Executor } from '#modules/identity/store.ts'

/** What a user sets about themselves. */
export interface Profile {
  readonly emailVerified: boolean
  readonly name: string | undefined
  readonly locale: string | undefined
  readonly zone: string | undefined
  readonly preferences: Readonly<Record<string, JsonValue>>
}

interface ProfileRow {
  readonly email_verified: boolean
  readonly name: string | null
  readonly locale: string | null
  readonly zone: string | null
  readonly preferences: Record<string, JsonValue>
}

const columns = sql`email_verified_at is not null as email_verified, name, locale, zone, preferences`

export async function findProfile(tx: Executor, accountId: string, userId: string): Promise<Profile | undefined> {
  const { rows } = await sql<ProfileRow>`select ${columns} from users where account_id = ${accountId} and id = ${userId}`.execute(tx)
  return rows[0] === undefined ? undefined : profileOf(rows[0])
}

/** Locks the profile, so that concurrent changes of different members keep each other. */
export async function lockProfile(tx: Executor, accountId: string, userId: string): Promise<Profile | undefined> {
  const { rows } = await sql<ProfileRow>`
    select ${columns} from users where account_id = ${accountId} and id = ${userId} for update`.execute(tx)
  return rows[0] === undefined ? undefined : profileOf(rows[0])
}

export async function putProfile(tx: Executor, accountId: string, userId: string, profile: Profile): Promise<void> {
  const { name = null, locale = null, zone = null, preferences } = profile
  await sql`
    update users set name = ${name}, locale = ${locale}, zone = ${zone}, preferences = ${JSON.stringify(preferences)}::jsonb
    where account_id = ${accountId} and id = ${userId}`.execute(tx)
}

function profileOf(row: ProfileRow): Profile {
  return {
    emailVerified: row.email_verified,
    name: row.name ?? undefined,
    locale: row.locale ?? undefined,
    zone: row.zone ?? undefined,
    preferences: row.preferences,
  }
}
