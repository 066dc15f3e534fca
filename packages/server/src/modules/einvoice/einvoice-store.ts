import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { firstHash } from './document-hash.ts'

type Executor = Kysely<Rows>

/** The end of the chain of an account: the counter and hash of its latest document. */
export interface ChainEnd {
  readonly counter: number
  readonly hash: string
}

export interface StoredEinvoice {
  readonly id: string
  readonly counter: number
  readonly number: string
  readonly hash: string
  readonly previousHash: string
  readonly xml: string
  /** The texts of its QR code. */
  readonly qrFields: readonly string[]
  readonly createdAt: Date
}

/** Reads the end of the chain, and locks it until the transaction ends. */
export async function lockChain(tx: Executor, accountId: string): Promise<ChainEnd> {
  await sql`
    insert into einvoice_chains (account_id, counter, hash) values (${accountId}, 0, ${firstHash}) on conflict (account_id) do nothing`.execute(
    tx,
  )
  const { rows } = await sql<ChainEnd>`select counter, hash from einvoice_chains where account_id = ${accountId} for no key update`.execute(
    tx,
  )
  if (rows[0] === undefined) throw new Error('the chain of e-invoices was deleted while it was locked')
  return rows[0]
}

/** Stores a document and makes it the end of the chain, which must be locked. */
export async function appendEinvoice(tx: Executor, accountId: string, einvoice: StoredEinvoice): Promise<void> {
  const { id, counter, number, hash, previousHash, xml, qrFields, createdAt } = einvoice
  await sql`
    insert into einvoices (id, account_id, counter, number, hash, previous_hash, xml, qr_fields, created_at)
    values (${id}, ${accountId}, ${counter}, ${number}, ${hash}, ${previousHash}, ${xml}, ${JSON.stringify(qrFields)}, ${createdAt})`.execute(
    tx,
  )
  await sql`update einvoice_chains set counter = ${counter}, hash = ${hash} where account_id = ${accountId}`.execute(tx)
}

export async function findEinvoice(
  tx: Executor,
  accountId: string,
  id: string,
): Promise<Pick<StoredEinvoice, 'id' | 'number' | 'hash' | 'xml' | 'qrFields' | 'createdAt'> | undefined> {
  const { rows } = await sql<
    Pick<StoredEinvoice, 'id' | 'number' | 'hash' | 'xml'> & { readonly qr_fields: readonly string[]; readonly created_at: Date }
  >`
    select id, number, hash, xml, qr_fields, created_at from einvoices where account_id = ${accountId} and id = ${id}`.execute(tx)
  const [row] = rows
  if (row === undefined) return undefined
  return { id: row.id, number: row.number, hash: row.hash, xml: row.xml, qrFields: row.qr_fields, createdAt: row.created_at }
}

export async function hasNumber(tx: Executor, accountId: string, number: string): Promise<boolean> {
  const { rows } = await sql`select from einvoices where account_id = ${accountId} and number = ${number} limit 1`.execute(tx)
  return rows.length > 0
}

/** The sealed private key (PKCS #8) and the certificate (DER) of an account. */
export interface SigningKeyRow {
  readonly sealed: Buffer
  readonly certificate: Buffer
}

export async function findSigningKey(tx: Executor, accountId: string): Promise<SigningKeyRow | undefined> {
  const { rows } = await sql<SigningKeyRow>`select sealed, certificate from einvoice_keys where account_id = ${accountId}`.execute(tx)
  return rows[0]
}

/** Stores a key, unless the account got one in the meantime. */
export async function insertSigningKey(tx: Executor, accountId: string, { sealed, certificate }: SigningKeyRow, at: Date): Promise<void> {
  await sql`
    insert into einvoice_keys (account_id, sealed, certificate, created_at) values (${accountId}, ${sealed}, ${certificate}, ${at})
    on conflict (account_id) do nothing`.execute(tx)
}

export async function deleteEinvoicesOf(executor: Executor, accountId: string): Promise<void> {
  await sql`delete from einvoices where account_id = ${accountId}`.execute(executor)
  await sql`delete from einvoice_chains where account_id = ${accountId}`.execute(executor)
  await sql`delete from einvoice_keys where account_id = ${accountId}`.execute(executor)
}
