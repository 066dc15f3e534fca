import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

export interface SigningKeyRow {
  readonly kid: string
  readonly public_key: string
  readonly private_key: Buffer
  readonly signs_from: Date
  readonly signs_until: Date
  readonly verifies_until: Date
}

/** Keys that still verify, the one that signs last at the end. */
export async function listSigningKeys(db: Kysely<Rows>, now: Date): Promise<readonly SigningKeyRow[]> {
  const { rows } = await sql<SigningKeyRow>`
    select kid, public_key, private_key, signs_from, signs_until, verifies_until
    from signing_keys where verifies_until > ${now} order by signs_until, kid`.execute(db)
  return rows
}

/** Lets one process at a time decide whether a key is needed; the lock goes with the transaction. The number is the bytes of "keys". */
export async function lockSigningKeys(tx: Kysely<Rows>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${0x6b657973})`.execute(tx)
}

export async function insertSigningKey(tx: Kysely<Rows>, row: SigningKeyRow): Promise<void> {
  await sql`
    insert into signing_keys (kid, public_key, private_key, signs_from, signs_until, verifies_until)
    values (${row.kid}, ${row.public_key}, ${row.private_key}, ${row.signs_from}, ${row.signs_until}, ${row.verifies_until})`.execute(tx)
}

export async function deleteEndedSigningKeys(tx: Kysely<Rows>, now: Date): Promise<void> {
  await sql`delete from signing_keys where verifies_until <= ${now}`.execute(tx)
}
