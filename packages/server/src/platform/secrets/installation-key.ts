import { type Kysely, sql } from 'kysely'
import { deriveKey } from '#platform/auth/secret-box.ts'
import { DatabaseClient } from '#platform/db/database-client.ts'
import type { Rows } from '#platform/db/rows.ts'

export interface InstallationKeyOptions {
  readonly secretKey: Uint8Array
  readonly now: Date
  /** Records this key in place of another one, after which what is sealed under the other one stays unreadable. */
  readonly acceptNew: boolean
}

/**
 * Compares the secret key with the fingerprint in the database, and records it in a new installation. Throws, naming the way out, when the database was
 * sealed under another key: two processes with different keys would refuse each other's sessions, and secrets could not be opened.
 */
export async function checkInstallationKey(db: Kysely<Rows>, { secretKey, now, acceptNew }: InstallationKeyOptions): Promise<void> {
  const fingerprint = fingerprintOf(secretKey)
  await sql`insert into installation_key (fingerprint, recorded_at) values (${fingerprint}, ${now}) on conflict (id) do nothing`.execute(db)
  if (await isRecorded(db, fingerprint)) return
  if (!acceptNew) {
    throw new Error(
      'The database was sealed under another secret key. Copy secret.key of the installation into MILLRACE_HOME, or set MILLRACE_SECRET_KEY to the same value in every process. ' +
        'If the key is lost, start once with --accept-new-key: every session ends, and secrets, second factors and signing secrets that were sealed must be entered again.',
    )
  }
  await sql`update installation_key set fingerprint = ${fingerprint}, recorded_at = ${now}`.execute(db)
}

/** Whether the database was sealed under this key; true while no key is recorded. */
export async function matchesInstallationKey(db: Kysely<Rows>, secretKey: Uint8Array): Promise<boolean> {
  const { rows } = await sql`select from installation_key`.execute(db)
  return rows.length === 0 || (await isRecorded(db, fingerprintOf(secretKey)))
}

/** Whether a database was sealed under a key; `unrecorded` before its first start. */
export async function readKeyState(url: string, secretKey: Uint8Array | undefined): Promise<'unrecorded' | 'same' | 'other'> {
  const client = new DatabaseClient({ connectionString: url })
  try {
    await client.connect()
    const { rows } = await client.query<{ readonly fingerprint: Buffer }>('select fingerprint from installation_key')
    const [recorded] = rows
    if (recorded === undefined) return 'unrecorded'
    return secretKey !== undefined && fingerprintOf(secretKey).equals(recorded.fingerprint) ? 'same' : 'other'
  } finally {
    await client.end()
  }
}

async function isRecorded(db: Kysely<Rows>, fingerprint: Uint8Array): Promise<boolean> {
  const { rows } = await sql`select from installation_key where fingerprint = ${fingerprint}`.execute(db)
  return rows.length === 1
}

/** Derived in its own way, so that it discloses nothing about keys for other purposes. */
export function fingerprintOf(secretKey: Uint8Array): Buffer {
  return deriveKey(secretKey, 'fingerprint').subarray(0, 16)
}
