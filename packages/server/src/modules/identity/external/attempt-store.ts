import { sql } from 'kysely'
import type { Executor } from '#modules/identity/store.ts'
import { preparedMark } from '#platform/db/database-client.ts'
import type { ProviderName, SignInAttempt } from './model.ts'

interface AttemptRow {
  readonly id: string
  readonly provider: ProviderName
  readonly account_id: string | null
  readonly sign_in_provider_id: string | null
  readonly user_id: string | null
  readonly return_to: string
}

const columns = sql`id, provider, account_id, sign_in_provider_id, user_id, return_to`

export interface NewAttempt extends SignInAttempt {
  readonly stateHash: Uint8Array
  readonly binding: Uint8Array
  readonly secrets: Uint8Array
  readonly expiresAt: Date
}

export async function insertAttempt(db: Executor, attempt: NewAttempt): Promise<void> {
  await sql`${sql.raw(preparedMark('insert_sign_in'))}insert into external_sign_ins (id, state_hash, provider, account_id, sign_in_provider_id, user_id, binding, secrets, return_to, expires_at)
    values (${attempt.id}, ${attempt.stateHash}, ${attempt.provider}, ${attempt.accountId ?? null}, ${attempt.signInProviderId ?? null},
      ${attempt.userId ?? null}, ${attempt.binding}, ${attempt.secrets}, ${attempt.returnTo}, ${attempt.expiresAt})`.execute(db)
}

/** Spends the state of an attempt; `undefined` when this provider has no open one. Of concurrent requests one succeeds. */
export async function spendState(
  db: Executor,
  provider: ProviderName,
  stateHash: Uint8Array,
  at: Date,
): Promise<{ readonly attempt: SignInAttempt; readonly secrets: Buffer } | undefined> {
  const { rows } = await sql<
    AttemptRow & { readonly secrets: Buffer }
  >`${sql.raw(preparedMark('spend_sign_in_state'))}update external_sign_ins set returned_at = ${at}
    where state_hash = ${stateHash} and provider = ${provider} and returned_at is null and expires_at > ${at}
    returning ${columns}, secrets`.execute(db)
  const [row] = rows
  return row === undefined ? undefined : { attempt: attemptOf(row), secrets: row.secrets }
}

/** Stores what the provider said under a one-time code. */
export async function saveClaims(
  db: Executor,
  id: string,
  { codeHash, claims, expiresAt }: { readonly codeHash: Uint8Array; readonly claims: Uint8Array; readonly expiresAt: Date },
): Promise<void> {
  await sql`${sql.raw(preparedMark('save_sign_in_claims'))}update external_sign_ins set code_hash = ${codeHash}, claims = ${claims}, code_expires_at = ${expiresAt}, expires_at = ${expiresAt}
    where id = ${id}`.execute(db)
}

/** Takes the attempt of a code, which spends the code, also when a wrong browser presents it. */
export async function takeByCode(
  db: Executor,
  codeHash: Uint8Array,
  at: Date,
): Promise<{ readonly attempt: SignInAttempt; readonly claims: Buffer; readonly binding: Buffer } | undefined> {
  const { rows } = await sql<
    AttemptRow & { readonly claims: Buffer; readonly binding: Buffer; readonly is_current: boolean }
  >`${sql.raw(preparedMark('take_sign_in_code'))}delete from external_sign_ins where code_hash = ${codeHash}
    returning ${columns}, claims, binding, code_expires_at > ${at} as is_current`.execute(db)
  const [row] = rows
  return row?.is_current === true ? { attempt: attemptOf(row), claims: row.claims, binding: row.binding } : undefined
}

/** Deletes attempts and accepted assertions whose time has passed. */
export async function deleteExpiredSignIns(db: Executor, before: Date, limit: number): Promise<void> {
  await sql`
    delete from external_sign_ins where id in (
      select id from external_sign_ins where expires_at < ${before} limit ${limit} for update skip locked)`.execute(db)
  await sql`
    delete from saml_assertions where (sign_in_provider_id, assertion_hash) in (
      select sign_in_provider_id, assertion_hash from saml_assertions where expires_at < ${before} limit ${limit} for update skip locked)`.execute(
    db,
  )
}

/** Records that an assertion was accepted; false when it was accepted before. */
export async function acceptAssertion(db: Executor, signInProviderId: string, hash: Uint8Array, expiresAt: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into saml_assertions (sign_in_provider_id, assertion_hash, expires_at) values (${signInProviderId}, ${hash}, ${expiresAt})
    on conflict do nothing returning 1`.execute(db)
  return rows.length === 1
}

function attemptOf(row: AttemptRow): SignInAttempt {
  return {
    id: row.id,
    provider: row.provider,
    accountId: row.account_id ?? undefined,
    signInProviderId: row.sign_in_provider_id ?? undefined,
    userId: row.user_id ?? undefined,
    returnTo: row.return_to,
  }
}
