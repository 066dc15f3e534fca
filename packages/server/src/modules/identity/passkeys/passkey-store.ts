import { sql } from 'kysely'
import { type Executor, userColumns, userOf, type UserRow } from '#modules/identity/store.ts'
import type { User } from '#modules/identity/model.ts'
import { preparedMark } from '#platform/db/database-client.ts'

/** A passkey without its key. */
export interface Passkey {
  readonly id: string
  readonly name: string
  readonly synced: boolean
  readonly createdAt: Date
  readonly lastUsedAt: Date | undefined
}

/** What checking a signature of a passkey needs. */
export interface Credential {
  /** base64url; chosen by the authenticator. */
  readonly credentialId: string
  /** COSE */
  readonly publicKey: Uint8Array
  readonly counter: number
  readonly transports: readonly string[]
}

interface PasskeyRow {
  readonly id: string
  readonly name: string
  readonly synced: boolean
  readonly created_at: Date
  readonly last_used_at: Date | null
}

const columns = sql`id, name, synced, created_at, last_used_at`

export async function listPasskeys(tx: Executor, accountId: string, userId: string): Promise<readonly Passkey[]> {
  const { rows } = await sql<PasskeyRow>`
    select ${columns} from passkeys where account_id = ${accountId} and user_id = ${userId} order by id`.execute(tx)
  return rows.map(passkeyOf)
}

export async function listCredentials(tx: Executor, accountId: string, userId: string): Promise<readonly Credential[]> {
  const { rows } = await sql<CredentialRow>`
    select credential_id, public_key, counter::float8 as counter, transports from passkeys
    where account_id = ${accountId} and user_id = ${userId}`.execute(tx)
  return rows.map(credentialOf)
}

interface NewPasskey extends Credential {
  readonly id: string
  readonly accountId: string
  readonly userId: string
  readonly name: string
  readonly synced: boolean
  readonly createdAt: Date
}

/** Stores a passkey; `undefined` when the installation has its credential already. */
export async function insertPasskey(tx: Executor, passkey: NewPasskey): Promise<Passkey | undefined> {
  const { id, accountId, userId, credentialId, publicKey, counter, transports, name, synced, createdAt } = passkey
  const { rows } = await sql<PasskeyRow>`
    insert into passkeys (id, account_id, user_id, credential_id, public_key, counter, transports, name, synced, created_at)
    values (${id}, ${accountId}, ${userId}, ${credentialId}, ${publicKey}, ${counter}, ${[...transports]}::text[], ${name}, ${synced}, ${createdAt})
    on conflict on constraint passkeys_credential_unique do nothing returning ${columns}`.execute(tx)
  return rows[0] === undefined ? undefined : passkeyOf(rows[0])
}

export async function deletePasskey(tx: Executor, accountId: string, userId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from passkeys where account_id = ${accountId} and user_id = ${userId} and id = ${id} returning 1`.execute(tx)
  return rows.length === 1
}

interface CredentialRow {
  readonly credential_id: string
  readonly public_key: Buffer
  readonly counter: number
  readonly transports: string[]
}

export interface ChallengedCredential {
  readonly challenge: string
  readonly user: User
  readonly passkeyId: string
  readonly credential: Credential
}

/**
 * Uses the challenge of a sign-in up, and finds the credential that responds to it with its user; `undefined` when the challenge has ended or was
 * used, or no user has the credential. Across accounts, since the account of a sign-in is not known before.
 */
export async function takeChallengeFor(
  db: Executor,
  { requestHash, credentialId }: { readonly requestHash: Uint8Array; readonly credentialId: string },
  at: Date,
): Promise<ChallengedCredential | undefined> {
  const { rows } = await sql<UserRow & CredentialRow & { readonly passkey_id: string; readonly challenge: string }>`${sql.raw(
    preparedMark('take_passkey_challenge'),
  )}with taken as (
      delete from passkey_challenges
      where request_hash = ${requestHash} and expires_at > ${at} and account_id is null and user_id is null
      returning challenge
    )
    select ${userColumns}, taken.challenge, p.id as passkey_id, p.credential_id, p.public_key, p.counter::float8 as counter, p.transports
    from taken, passkeys p join users u on u.id = p.user_id and u.account_id = p.account_id
    where p.credential_id = ${credentialId}`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  return { challenge: row.challenge, user: userOf(row), passkeyId: row.passkey_id, credential: credentialOf(row) }
}

export async function recordPasskeyUse(
  db: Executor,
  accountId: string,
  { id, counter }: { readonly id: string; readonly counter: number },
  at: Date,
): Promise<void> {
  await sql`${sql.raw(preparedMark('use_passkey'))}update passkeys set counter = greatest(counter, ${counter}), last_used_at = ${at}
    where account_id = ${accountId} and id = ${id}`.execute(db)
}

function passkeyOf({ id, name, synced, created_at: createdAt, last_used_at: lastUsedAt }: PasskeyRow): Passkey {
  return { id, name, synced, createdAt, lastUsedAt: lastUsedAt ?? undefined }
}

function credentialOf({ credential_id: credentialId, public_key: publicKey, counter, transports }: CredentialRow): Credential {
  return { credentialId, publicKey, counter, transports }
}
