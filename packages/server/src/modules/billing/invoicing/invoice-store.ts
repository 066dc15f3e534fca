import { sql } from 'kysely'
import type { Executor, Invoice } from '#modules/billing/model.ts'

export interface NewInvoice extends Omit<Invoice, 'number'> {}

interface InvoiceRow {
  readonly id: string
  readonly account_id: string
  readonly issuer: string
  readonly number: number
  readonly kind: Invoice['kind']
  readonly state: Invoice['state']
  readonly currency: string
  readonly lines: readonly { readonly description: string; readonly net: number }[]
  readonly net: number
  readonly tax: number
  readonly tax_basis_points: number
  readonly total: number
  readonly credit: number
  readonly due: number
  readonly buyer: Invoice['buyer']
  readonly period_start: Date | null
  readonly period_end: Date | null
  readonly corrects: string | null
  readonly reason: string | null
  readonly issued_at: Date
  readonly paid_at: Date | null
}

/** Takes the next number of the issuer: its row stays locked until the transaction ends, so a rollback leaves no gap. */
async function takeNumber(tx: Executor, issuer: string): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    insert into invoice_numbers (issuer, last) values (${issuer}, 1)
    on conflict (issuer) do update set last = invoice_numbers.last + 1 returning last`.execute(tx)
  if (rows[0] === undefined) throw new Error('an upsert returned no row')
  return rows[0].last
}

export async function insertInvoice(tx: Executor, i: NewInvoice): Promise<Invoice> {
  const number = await takeNumber(tx, i.issuer)
  const lines = JSON.stringify(i.lines.map(({ description, net }) => ({ description, net: Number(net) })))
  await sql`
    insert into invoices (id, account_id, issuer, number, kind, state, currency, lines, net, tax, tax_basis_points, total, credit, due, buyer,
      period_start, period_end, corrects, reason, issued_at, paid_at)
    values (${i.id}, ${i.accountId}, ${i.issuer}, ${number}, ${i.kind}, ${i.state}, ${i.currency}, ${lines}, ${i.net}, ${i.tax},
      ${i.taxBasisPoints}, ${i.total}, ${i.credit}, ${i.due}, ${JSON.stringify(i.buyer)}, ${i.periodStart ?? null}, ${i.periodEnd ?? null},
      ${i.corrects ?? null}, ${i.reason ?? null}, ${i.issuedAt}, ${i.paidAt ?? null})`.execute(tx)
  return { ...i, number }
}

/** Ends an open invoice; false when it is not open any more. */
export async function endInvoice(
  tx: Executor,
  accountId: string,
  id: string,
  end: { readonly state: 'paid'; readonly at: Date } | { readonly state: 'uncollectible' },
): Promise<boolean> {
  const paidAt = end.state === 'paid' ? end.at : null
  const { rows } = await sql`update invoices set state = ${end.state}, paid_at = ${paidAt}
    where account_id = ${accountId} and id = ${id} and state = 'open' returning id`.execute(tx)
  return rows.length > 0
}

export async function findInvoice(tx: Executor, accountId: string, id: string): Promise<Invoice | undefined> {
  const { rows } = await sql<InvoiceRow>`select * from invoices where account_id = ${accountId} and id = ${id}`.execute(tx)
  return rows[0] === undefined ? undefined : invoiceOf(rows[0])
}

/** The account of an invoice, for operators. */
export async function findInvoiceAccount(tx: Executor, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ account_id: string }>`select account_id from invoices where id = ${id}`.execute(tx)
  return rows[0]?.account_id
}

export async function findOpenInvoice(tx: Executor, accountId: string): Promise<Invoice | undefined> {
  const { rows } = await sql<InvoiceRow>`
    select * from invoices where account_id = ${accountId} and state = 'open' order by id limit 1`.execute(tx)
  return rows[0] === undefined ? undefined : invoiceOf(rows[0])
}

export interface InvoicePage {
  readonly before: string | undefined
  readonly limit: number
  readonly state: Invoice['state'] | undefined
}

export async function listInvoices(tx: Executor, accountId: string, { before, limit, state }: InvoicePage): Promise<readonly Invoice[]> {
  const { rows } = await sql<InvoiceRow>`
    select * from invoices where account_id = ${accountId} and (${before ?? null}::uuid is null or id < ${before ?? null}::uuid)
      and (${state ?? null}::text is null or state = ${state ?? null}::text)
    order by id desc limit ${limit}`.execute(tx)
  return rows.map(invoiceOf)
}

/** What credit notes have taken back from an invoice. */
export async function creditedOf(
  tx: Executor,
  accountId: string,
  invoiceId: string,
): Promise<{ readonly net: bigint; readonly tax: bigint }> {
  const { rows } = await sql<{ net: number; tax: number }>`
    select coalesce(sum(net), 0)::bigint as net, coalesce(sum(tax), 0)::bigint as tax from invoices
    where account_id = ${accountId} and corrects = ${invoiceId}`.execute(tx)
  return { net: BigInt(rows[0]?.net ?? 0), tax: BigInt(rows[0]?.tax ?? 0) }
}

/** The net amount that credit notes have taken back from the invoices of a period. */
export async function creditedNetOfPeriod(tx: Executor, accountId: string, start: Date): Promise<bigint> {
  const { rows } = await sql<{ net: number }>`
    select coalesce(sum(n.net), 0)::bigint as net from invoices i join invoices n on n.account_id = i.account_id and n.corrects = i.id
    where i.account_id = ${accountId} and i.kind = 'invoice' and i.period_start = ${start}`.execute(tx)
  return BigInt(rows[0]?.net ?? 0)
}

/** A paid invoice with its net amount less what credit notes have taken back. */
export async function findPaidInvoice(
  tx: Executor,
  accountId: string,
  invoiceId: string,
): Promise<{ readonly currency: string; readonly keptNet: bigint } | undefined> {
  const invoice = await findInvoice(tx, accountId, invoiceId)
  if (invoice?.state !== 'paid') return undefined
  const net = invoice.net - (await creditedOf(tx, accountId, invoiceId)).net
  return { currency: invoice.currency, keptNet: net > 0n ? net : 0n }
}

/** Whether an account has ever paid an amount. */
export async function hasPaid(tx: Executor, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select id from invoices where account_id = ${accountId} and kind = 'invoice' and state = 'paid' and due > 0 limit 1`.execute(tx)
  return rows.length > 0
}

function invoiceOf(row: InvoiceRow): Invoice {
  return {
    id: row.id,
    accountId: row.account_id,
    issuer: row.issuer,
    number: row.number,
    kind: row.kind,
    state: row.state,
    currency: row.currency,
    lines: row.lines.map(({ description, net }) => ({ description, net: BigInt(net) })),
    net: BigInt(row.net),
    tax: BigInt(row.tax),
    taxBasisPoints: row.tax_basis_points,
    total: BigInt(row.total),
    credit: BigInt(row.credit),
    due: BigInt(row.due),
    buyer: row.buyer,
    periodStart: row.period_start ?? undefined,
    periodEnd: row.period_end ?? undefined,
    corrects: row.corrects ?? undefined,
    reason: row.reason ?? undefined,
    issuedAt: row.issued_at,
    paidAt: row.paid_at ?? undefined,
  }
}
