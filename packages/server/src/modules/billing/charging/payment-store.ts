import { sql } from 'kysely'
import type { Executor, Payment, Purchase } from '#modules/billing/model.ts'
import { purchaseFromJson, purchaseToJson, type PurchaseJson } from './purchase-json.ts'

interface PaymentRow {
  readonly id: string
  readonly account_id: string
  readonly kind: Payment['kind']
  readonly provider: Payment['provider']
  readonly state: Payment['state']
  readonly amount: number
  readonly currency: string
  readonly refunded: number
  readonly purchase: PurchaseJson
  readonly invoice_id: string | null
  readonly reference: string | null
  readonly url: string | null
  readonly expires_at: Date | null
  readonly failure: string | null
  readonly created_at: Date
}

export interface NewPayment {
  readonly id: string
  readonly kind: Payment['kind']
  readonly provider: Payment['provider']
  readonly amount: bigint
  readonly currency: string
  readonly purchase: Purchase
  readonly invoiceId: string | undefined
  readonly expiresAt: Date | undefined
  readonly at: Date
  readonly checkAt: Date
}

/** Writes a payment before the provider is asked for it. The caller has locked the billing of the account. */
export async function insertPayment(tx: Executor, accountId: string, p: NewPayment): Promise<void> {
  await sql`
    insert into billing_payments (id, account_id, kind, provider, state, amount, currency, purchase, invoice_id, expires_at, created_at, check_at)
    values (${p.id}, ${accountId}, ${p.kind}, ${p.provider}, 'open', ${p.amount}, ${p.currency}, ${JSON.stringify(purchaseToJson(p.purchase))},
      ${p.invoiceId ?? null}, ${p.expiresAt ?? null}, ${p.at}, ${p.checkAt})`.execute(tx)
}

export async function findPayment(tx: Executor, accountId: string, id: string): Promise<Payment | undefined> {
  const { rows } = await sql<PaymentRow>`select * from billing_payments where account_id = ${accountId} and id = ${id}`.execute(tx)
  return rows[0] === undefined ? undefined : paymentOf(rows[0])
}

/** A payment by its id alone, which a verified notification or the reconciliation names. */
export async function findPaymentById(db: Executor, id: string): Promise<Payment | undefined> {
  const { rows } = await sql<PaymentRow>`select * from billing_payments where id = ${id}`.execute(db)
  return rows[0] === undefined ? undefined : paymentOf(rows[0])
}

export async function findOpenPayment(tx: Executor, accountId: string, kind: 'checkout' | 'charge'): Promise<Payment | undefined> {
  const { rows } = await sql<PaymentRow>`
    select * from billing_payments where account_id = ${accountId} and state = 'open'
      and (kind = 'checkout') = ${kind === 'checkout'}`.execute(tx)
  return rows[0] === undefined ? undefined : paymentOf(rows[0])
}

export interface PaymentChange {
  readonly state: Payment['state']
  readonly invoiceId: string | undefined
  readonly reference: string | undefined
  readonly url: string | undefined
  readonly failure: string | undefined
  readonly refunded: bigint
  /** When the provider is asked again; undefined for never. */
  readonly checkAt: Date | undefined
}

export async function updatePayment(tx: Executor, accountId: string, id: string, change: PaymentChange, now: Date): Promise<void> {
  const { state, invoiceId, reference, url, failure, refunded, checkAt } = change
  await sql`
    update billing_payments set state = ${state}, invoice_id = ${invoiceId ?? null}, reference = coalesce(${reference ?? null}, reference),
      url = ${url ?? null}, failure = ${failure ?? null}, refunded = ${refunded}, check_at = ${checkAt ?? null},
      settled_at = case when ${state} = 'open' then null else coalesce(settled_at, ${now}) end
    where account_id = ${accountId} and id = ${id}`.execute(tx)
}

/** Takes payments whose provider is to be asked, and defers them, so that another process does not take them too. */
export async function takePaymentsToCheck(db: Executor, now: Date, next: Date, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    update billing_payments set check_at = ${next} where id in (
      select id from billing_payments where check_at <= ${now} order by check_at limit ${limit} for update skip locked)
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

function paymentOf(row: PaymentRow): Payment {
  return {
    id: row.id,
    accountId: row.account_id,
    kind: row.kind,
    provider: row.provider,
    state: row.state,
    amount: BigInt(row.amount),
    currency: row.currency,
    refunded: BigInt(row.refunded),
    purchase: purchaseFromJson(row.purchase),
    invoiceId: row.invoice_id ?? undefined,
    reference: row.reference ?? undefined,
    url: row.url ?? undefined,
    expiresAt: row.expires_at ?? undefined,
    failure: row.failure ?? undefined,
    createdAt: row.created_at,
  }
}
