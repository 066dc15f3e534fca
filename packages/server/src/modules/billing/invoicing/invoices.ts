import { Fault } from '@millrace/contract'
import type { BillingDeps } from '#modules/billing/billing-deps.ts'
import type { Executor, Invoice, InvoiceLine, Totals } from '#modules/billing/model.ts'
import { chargeOf, moneyText, share, taxOn } from '#modules/billing/money/money.ts'
import type { AmountRule } from '#modules/payments/index.ts'
import { findAccountName, lockBilling } from '#modules/billing/subscription-store.ts'
import { insertCredit, returnCredit } from './credit-store.ts'
import { creditedOf, endInvoice, findInvoice, findInvoiceAccount, insertInvoice } from './invoice-store.ts'

type InvoiceDeps = Pick<BillingDeps, 'newId' | 'now' | 'settings'>

/** How the amounts of an invoice are calculated. */
interface Terms {
  readonly taxBasisPoints: number
  /** The credit of the account. */
  readonly balance: bigint
  /** Of the provider that charges; any amount unless given. */
  readonly rule?: AmountRule | undefined
}

const anyAmount: AmountRule = { step: 1n, least: 1n }

/** The amounts of an invoice whose lines have a net sum that is not negative. Credits pay the gross total as far as they reach. */
export function totalsOf(currency: string, lines: readonly InvoiceLine[], { taxBasisPoints, balance, rule = anyAmount }: Terms): Totals {
  const net = lines.reduce((sum, line) => sum + line.net, 0n)
  const tax = taxOn(net, taxBasisPoints)
  const total = net + tax
  const due = chargeOf(total - balance, total, rule)
  const credit = total - due
  const rounding = credit > balance ? { rounding: credit - balance } : {}
  return { currency, lines, net, tax, taxBasisPoints, total, credit, ...rounding, due }
}

interface IssueOptions {
  readonly state: 'open' | 'paid'
  readonly country: string | undefined
  readonly period: { readonly start: Date; readonly end: Date } | undefined
}

/** Issues an invoice and spends the credit that it uses. */
export async function issueInvoice(
  deps: InvoiceDeps,
  tx: Executor,
  accountId: string,
  totals: Totals,
  options: IssueOptions,
): Promise<Invoice> {
  const at = deps.now()
  const invoice = await insertInvoice(tx, {
    ...totals,
    id: deps.newId(),
    accountId,
    issuer: deps.settings.issuer,
    kind: 'invoice',
    state: options.state,
    buyer: { name: (await findAccountName(tx, accountId)) ?? '', country: options.country ?? null },
    periodStart: options.period?.start,
    periodEnd: options.period?.end,
    corrects: undefined,
    reason: undefined,
    issuedAt: at,
    paidAt: options.state === 'paid' ? at : undefined,
  })
  const used = totals.credit - (totals.rounding ?? 0n)
  if (used > 0n) {
    const spent = { id: deps.newId(), currency: totals.currency, amount: -used, reason: 'spent', cause: invoice.id, at } as const
    await insertCredit(tx, accountId, spent)
  }
  return invoice
}

/** Ends an open invoice that is not collected any more. The credit that it used has paid for nothing and is given back. */
export async function writeOffInvoice(deps: Pick<BillingDeps, 'newId' | 'now'>, tx: Executor, { accountId, id }: Invoice): Promise<void> {
  if (await endInvoice(tx, accountId, id, { state: 'uncollectible' }))
    await returnCredit(tx, accountId, { id: deps.newId(), invoiceId: id, at: deps.now() })
}

interface CreditNote {
  readonly lines: readonly InvoiceLine[]
  readonly currency: string
  readonly net: bigint
  readonly tax: bigint
  readonly taxBasisPoints: number
  readonly buyer: Invoice['buyer']
  readonly corrects: string | undefined
  readonly reason: string
}

async function insertCreditNote(deps: InvoiceDeps, tx: Executor, accountId: string, note: CreditNote): Promise<Invoice> {
  const at = deps.now()
  const total = note.net + note.tax
  return insertInvoice(tx, {
    ...note,
    id: deps.newId(),
    accountId,
    issuer: deps.settings.issuer,
    kind: 'credit_note',
    state: 'paid',
    total,
    credit: 0n,
    due: total,
    periodStart: undefined,
    periodEnd: undefined,
    issuedAt: at,
    paidAt: at,
  })
}

/** Issues a credit note for what is left after a change to a lower plan, and credits its total. */
export async function creditProration(
  deps: InvoiceDeps,
  tx: Executor,
  accountId: string,
  owed: {
    readonly currency: string
    readonly lines: readonly InvoiceLine[]
    readonly taxBasisPoints: number
    readonly country: string | undefined
  },
): Promise<Invoice> {
  const { currency, taxBasisPoints } = owed
  const lines = owed.lines.map(({ description, net }) => ({ description, net: -net }))
  const net = lines.reduce((sum, line) => sum + line.net, 0n)
  const buyer = { name: (await findAccountName(tx, accountId)) ?? '', country: owed.country ?? null }
  const note = {
    currency,
    lines,
    net,
    tax: taxOn(net, taxBasisPoints),
    taxBasisPoints,
    buyer,
    corrects: undefined,
    reason: 'Change of plan',
  }
  const issued = await insertCreditNote(deps, tx, accountId, note)
  const entry = { id: deps.newId(), currency, amount: issued.total, reason: 'proration', cause: issued.id, at: deps.now() } as const
  await insertCredit(tx, accountId, entry)
  return issued
}

/** Issues a credit note for money that the provider has paid back. */
export async function noteRefund(deps: InvoiceDeps, tx: Executor, invoice: Invoice, gross: bigint): Promise<Invoice> {
  const tax = share(gross, BigInt(invoice.taxBasisPoints), 10_000n + BigInt(invoice.taxBasisPoints))
  const description = `Refund of invoice ${invoice.number}`
  return insertCreditNote(deps, tx, invoice.accountId, {
    lines: [{ description, net: gross - tax }],
    currency: invoice.currency,
    net: gross - tax,
    tax,
    taxBasisPoints: invoice.taxBasisPoints,
    buyer: invoice.buyer,
    corrects: invoice.id,
    reason: 'Refund by the payment provider',
  })
}

/** Credits a part of an invoice, or the rest of it, to its account; for operators. */
export async function creditInvoice(
  deps: BillingDeps,
  invoiceId: string,
  { net: wanted, reason }: { readonly net: bigint | undefined; readonly reason: string },
): Promise<Invoice> {
  return deps.db.transaction().execute(async (tx) => {
    const accountId = await findInvoiceAccount(tx, invoiceId)
    if (accountId === undefined) throw new Fault('not_found', { detail: 'There is no such invoice.' })
    await lockBilling(tx, accountId)
    const invoice = await findInvoice(tx, accountId, invoiceId)
    if (invoice === undefined || invoice.kind !== 'invoice') throw new Fault('not_found', { detail: 'There is no such invoice.' })
    if (invoice.state !== 'paid') throw new Fault('conflict', { detail: 'Only a paid invoice can be credited.' })
    const before = await creditedOf(tx, accountId, invoiceId)
    const rest = invoice.net - before.net
    const net = wanted ?? rest
    if (net > rest || net <= 0n)
      throw new Fault('conflict', { detail: `Of this invoice ${moneyText(rest, invoice.currency)} net can still be credited.` })
    // Of the sum, so that all parts have the tax of the whole.
    const tax = taxOn(before.net + net, invoice.taxBasisPoints) - before.tax
    const lines = [{ description: `Credit for invoice ${invoice.number}`, net }]
    const { currency, taxBasisPoints, buyer } = invoice
    const note = await insertCreditNote(deps, tx, accountId, {
      lines,
      currency,
      net,
      tax,
      taxBasisPoints,
      buyer,
      corrects: invoiceId,
      reason,
    })
    const entry = { id: deps.newId(), currency, amount: note.total, reason: 'returned', cause: note.id, at: deps.now() } as const
    if ((await findAccountName(tx, accountId)) !== undefined) await insertCredit(tx, accountId, entry)
    return note
  })
}
