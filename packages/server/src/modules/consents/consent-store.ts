import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { Consent, ConsentKind, ConsentTerms, Preferences } from './model.ts'

type Executor = Kysely<Rows>

interface ConsentRow {
  readonly id: string
  readonly kind: ConsentKind
  readonly state: Exclude<Consent['state'], 'expired'>
  readonly terms: ConsentTerms
  readonly events: Consent['events']
  readonly expires_at: Date | null
}

const columns = sql`id, kind, state, terms, events, expires_at`
const historyMax = 100

export async function listConsents(tx: Executor, accountId: string): Promise<readonly Consent[]> {
  const { rows } = await sql<ConsentRow>`
    select ${columns} from consents where account_id = ${accountId} order by id desc limit ${historyMax}`.execute(tx)
  return rows.map(consentOf)
}

export async function findLatest(tx: Executor, accountId: string, kind: ConsentKind): Promise<Consent | undefined> {
  const { rows } = await sql<ConsentRow>`
    select ${columns} from consents where account_id = ${accountId} and kind = ${kind} order by id desc limit 1`.execute(tx)
  return rows[0] === undefined ? undefined : consentOf(rows[0])
}

/** The consent in force, which stays locked until the transaction ends, as does the giving of another one. */
export async function lockGiven(tx: Executor, accountId: string, kind: ConsentKind): Promise<Consent | undefined> {
  await sql`select pg_advisory_xact_lock(hashtext('millrace consents'), hashtext(${accountId}))`.execute(tx)
  const { rows } = await sql<ConsentRow>`
    select ${columns} from consents where account_id = ${accountId} and kind = ${kind} and state = 'given' for update`.execute(tx)
  return rows[0] === undefined ? undefined : consentOf(rows[0])
}

export async function insertConsent(tx: Executor, accountId: string, consent: Consent, createdAt: Date): Promise<void> {
  const { id, kind, state, terms, events, expiresAt } = consent
  await sql`
    insert into consents (id, account_id, kind, state, terms, events, expires_at, created_at)
    values (${id}, ${accountId}, ${kind}, ${state}, ${JSON.stringify(terms)}, ${JSON.stringify(events)}, ${expiresAt ?? null}, ${createdAt})`.execute(
    tx,
  )
}

export async function endConsent(
  tx: Executor,
  accountId: string,
  { id, state, events }: Pick<Consent, 'id' | 'state' | 'events'>,
): Promise<void> {
  await sql`
    update consents set state = ${state}, events = ${JSON.stringify(events)} where account_id = ${accountId} and id = ${id}`.execute(tx)
}

export async function countConsents(tx: Executor, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int4 as count from (select from consents where account_id = ${accountId} limit 1000) c`.execute(tx)
  return rows[0]?.count ?? 0
}

export async function findPreferences(
  tx: Executor,
  accountId: string,
): Promise<{ readonly preferences: Preferences; readonly revision: number } | undefined> {
  const { rows } = await sql<{ preferences: Preferences; revision: number }>`
    select preferences, revision from privacy_preferences where account_id = ${accountId}`.execute(tx)
  return rows[0]
}

/** @returns the revision. */
export async function putPreferences(tx: Executor, accountId: string, preferences: Preferences, at: Date): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    insert into privacy_preferences (account_id, preferences, updated_at) values (${accountId}, ${JSON.stringify(preferences)}, ${at})
    on conflict (account_id) do update set preferences = excluded.preferences, updated_at = excluded.updated_at,
      revision = privacy_preferences.revision + 1
    returning revision`.execute(tx)
  return rows[0]?.revision ?? 1
}

export async function deleteConsentsOf(tx: Executor, accountId: string): Promise<void> {
  await sql`delete from consents where account_id = ${accountId}`.execute(tx)
  await sql`delete from privacy_preferences where account_id = ${accountId}`.execute(tx)
}

function consentOf({ id, kind, state, terms, events, expires_at }: ConsentRow): Consent {
  return { id, kind, state, terms, events, expiresAt: expires_at ?? undefined }
}
