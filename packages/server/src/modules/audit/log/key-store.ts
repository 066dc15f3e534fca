import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

export interface KeyRow {
  readonly purpose: KeyPurpose
  readonly name: string
  readonly public_key: Buffer
  readonly private_key: Buffer
  readonly created_at: Date
}

export type KeyPurpose = 'checkpoint' | 'receipt'

/** Newest first. */
export async function listKeys(db: Kysely<Rows>): Promise<readonly KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select purpose, name, public_key, private_key, created_at from evidence_keys order by created_at desc, public_key`.execute(db)
  return rows
}

/** Lets one process at a time make a key; the lock ends with the transaction. The number is the bytes of "evid". */
export async function lockKeys(tx: Kysely<Rows>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${0x65766964})`.execute(tx)
}

export async function insertKey(tx: Kysely<Rows>, row: KeyRow): Promise<void> {
  await sql`
    insert into evidence_keys (purpose, name, public_key, private_key, created_at)
    values (${row.purpose}, ${row.name}, ${row.public_key}, ${row.private_key}, ${row.created_at})`.execute(tx)
}
