import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { firstHash } from './document-hash.ts'
import type { EinvoiceSummary } from './einvoice-summary.ts'

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
  /** Undefined in documents that were stored before summaries were. */
  readonly summary: EinvoiceSummary | undefined
  readonly createdAt: Date
}

export interface EinvoicePage {
  readonly limit: number
  /** Only documents before this one of the chain. */
  readonly before: number | undefined
  /** What the number contains. */
  readonly search: string | undefined
  readonly number: string | undefined
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

/** Stores a document and makes it the end of the chain, which must be locked. @param call of a workflow that made it. */
export async function appendEinvoice(tx: Executor, accountId: string, einvoice: StoredEinvoice, call: string | undefined): Promise<void> {
  const { id, counter, number, hash, previousHash, xml, qrFields, summary, createdAt } = einvoice
  await sql`
    insert into einvoices (id, account_id, counter, number, hash, previous_hash, xml, qr_fields, summary, created_at, made_by_call)
    values (${id}, ${accountId}, ${counter}, ${number}, ${hash}, ${previousHash}, ${xml}, ${JSON.stringify(qrFields)},
      ${JSON.stringify(summary)}, ${createdAt}, ${call ?? null})`.execute(tx)
  await sql`update einvoice_chains set counter = ${counter}, hash = ${hash} where account_id = ${accountId}`.execute(tx)
}

export async function findEinvoice(tx: Executor, accountId: string, id: string): Promise<StoredEinvoice | undefined> {
  const { rows } = await sql<EinvoiceRow>`select ${columns} from einvoices where account_id = ${accountId} and id = ${id}`.execute(tx)
  return rows[0] === undefined ? undefined : einvoiceOf(rows[0])
}

/** The document that a call of a workflow has made. */
export async function findEinvoiceOfCall(tx: Executor, accountId: string, call: string): Promise<StoredEinvoice | undefined> {
  const { rows } = await sql<EinvoiceRow>`
    select ${columns} from einvoices where account_id = ${accountId} and made_by_call = ${call}`.execute(tx)
  return rows[0] === undefined ? undefined : einvoiceOf(rows[0])
}

/** The documents of an account, newest first; the XML only of those without a summary, since a page of long ones would be large. */
export async function listEinvoices(
  tx: Executor,
  accountId: string,
  { limit, before, search, number }: EinvoicePage,
): Promise<readonly StoredEinvoice[]> {
  const conditions = [
    sql`account_id = ${accountId}`,
    ...(before === undefined ? [] : [sql`counter < ${before}`]),
    ...(search === undefined ? [] : [sql`strpos(lower(number), lower(${search})) > 0`]),
    ...(number === undefined ? [] : [sql`number = ${number}`]),
  ]
  const { rows } = await sql<EinvoiceRow>`
    select ${withoutXml}, case when summary is null then xml else '' end as xml from einvoices where ${sql.join(conditions, sql` and `)} order by counter desc limit ${limit}`.execute(
    tx,
  )
  return rows.map(einvoiceOf)
}

interface EinvoiceRow extends Pick<StoredEinvoice, 'id' | 'counter' | 'number' | 'hash' | 'xml'> {
  readonly previous_hash: string
  readonly qr_fields: readonly string[]
  readonly summary: EinvoiceSummary | null
  readonly created_at: Date
}

const withoutXml = sql`id, counter, number, hash, previous_hash, qr_fields, summary, created_at`
const columns = sql`${withoutXml}, xml`

function einvoiceOf({
  previous_hash: previousHash,
  qr_fields: qrFields,
  summary,
  created_at: createdAt,
  ...rest
}: EinvoiceRow): StoredEinvoice {
  return { ...rest, previousHash, qrFields, summary: summary ?? undefined, createdAt }
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
