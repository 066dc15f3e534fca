import type { billing } from '@millrace/contract'
import type { Printer } from '#modules/printing/index.ts'
import { type HandlersFor, respondFile } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { IssuerDetails } from './invoicing/einvoice-source.ts'
import { printedInvoice } from './invoicing/printed-invoice.ts'
import type { Invoice, Meter } from './model.ts'
import type { Billing } from './service.ts'
import { checkoutView, invoiceView, planView, subscriptionView } from './views.ts'

/** The usage of an account, which another module counts. */
export interface UsageReader {
  current(accountId: string): Promise<UsageView>
  history(accountId: string, days: number, meter: Meter | undefined): Promise<readonly { day: string; meter: Meter; amount: number }[]>
}

export interface UsageView {
  periodStart: string
  periodEnd: string
  tier: string
  meters: { meter: Meter; used: number; soft: number | null; hard: number | null; percent: number | null }[]
}

/** Handlers of the group `billing`. */
export function billingHandlers(
  service: Billing,
  usage: UsageReader,
  { print }: Pick<Printer, 'print'>,
  issuer: IssuerDetails,
): HandlersFor<typeof billing> {
  return {
    ...planHandlers(service),
    ...subscriptionHandlers(service),
    ...paymentHandlers(service, (accountId, invoice) => print(accountId, printedInvoice(invoice, issuer))),
    ...usageHandlers(usage),
  }
}

type Handlers = HandlersFor<typeof billing>

function planHandlers(service: Billing): Pick<Handlers, 'plans' | 'updatePlan'> {
  return {
    async plans(ctx) {
      const { plans, default: byDefault, providers } = await service.plans(ctx.isOperator)
      return { data: plans.map(planView), nextCursor: null, default: planView(byDefault), providers: [...providers] }
    },
    async updatePlan(ctx, { params, body }) {
      const plan = await service.savePlan(params.tier, body)
      ctx.audit({ details: { tier: plan.tier, revision: plan.revision } })
      return planView(plan)
    },
  }
}

function subscriptionHandlers(
  service: Billing,
): Pick<Handlers, 'subscription' | 'subscribe' | 'upgrade' | 'changeTier' | 'cancel' | 'resume' | 'manualActivate'> {
  const view = async (accountId: string) => subscriptionView(await service.subscription(accountId))
  return {
    subscription: (ctx) => view(ctx.accountId),
    async subscribe(ctx, { body }) {
      await service.changes.subscribe(ctx.accountId, { ...body, country: body.country })
      ctx.audit({ details: { tier: body.tier, interval: body.interval } })
      return view(ctx.accountId)
    },
    async upgrade(ctx, { body }) {
      await service.changes.change(ctx.accountId, { tier: body.tier, interval: body.interval, when: 'now', onlyUp: true })
      ctx.audit({ details: { tier: body.tier } })
      return view(ctx.accountId)
    },
    async changeTier(ctx, { body }) {
      await service.changes.change(ctx.accountId, { tier: body.tier, interval: body.interval, when: body.when, onlyUp: false })
      ctx.audit({ details: { tier: body.tier, when: body.when } })
      return view(ctx.accountId)
    },
    async cancel(ctx, { body }) {
      await service.lifecycle.cancel(ctx.accountId, body.when)
      ctx.audit({ details: { when: body.when } })
      return view(ctx.accountId)
    },
    async resume(ctx) {
      await service.lifecycle.resume(ctx.accountId)
      return view(ctx.accountId)
    },
    async manualActivate(ctx, { body }) {
      const accountId = idOf('acct', body.accountId)
      const { tier, months, price, country, reference } = body
      await service.lifecycle.activate({ accountId, tier, months, price, country })
      ctx.audit({ target: body.accountId, details: { tier, months, reference: reference ?? null, price: price?.amount ?? null } })
      return view(accountId)
    },
  }
}

function paymentHandlers(
  service: Billing,
  print: (accountId: string, invoice: Invoice) => ReturnType<Printer['print']>,
): Pick<Handlers, 'checkoutPspone' | 'checkoutPsptwo' | 'checkout' | 'invoices' | 'invoice' | 'invoicePdf' | 'creditNote'> {
  const checkout =
    (provider: 'pspone' | 'psptwo'): Handlers['checkoutPspone'] =>
    async (ctx, { body }) => {
      const { tier, interval, currency, country, successUrl, cancelUrl } = body
      const request = { tier, interval, currency, country, successUrl, cancelUrl }
      const payment = await service.checkouts.create(ctx.accountId, provider, request)
      ctx.audit({ target: toTypeId('chk', payment.id), details: { tier, amount: Number(payment.amount), currency } })
      return checkoutView(payment)
    }
  return {
    checkoutPspone: checkout('pspone'),
    checkoutPsptwo: checkout('psptwo'),
    checkout: async (ctx, { params }) => checkoutView(await service.checkouts.get(ctx.accountId, idOf('chk', params.intentId))),
    async invoices(ctx, { query }) {
      const { limit, cursor, state } = query
      const found = await service.invoices(ctx.tx, ctx.accountId, { before: decodeId(cursor), limit: limit + 1, state })
      const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor([last.id]))
      return { data: data.map(invoiceView), nextCursor }
    },
    invoice: async (ctx, { params }) => invoiceView(await service.invoice(ctx.tx, ctx.accountId, idOf('inv', params.id))),
    async invoicePdf(ctx, { params }) {
      const invoice = await service.invoice(ctx.tx, ctx.accountId, idOf('inv', params.id))
      const name = `${invoice.kind === 'invoice' ? 'invoice' : 'credit-note'}-${invoice.number}.pdf`
      return respondFile(await print(ctx.accountId, invoice), { media: 'application/pdf', name })
    },
    async creditNote(ctx, { body }) {
      const net = body.net === undefined ? undefined : BigInt(body.net)
      const note = await service.creditNote(idOf('inv', body.invoiceId), { net, reason: body.reason })
      ctx.audit({ target: body.invoiceId, details: { net: Number(note.net), reason: body.reason } })
      return invoiceView(note)
    },
  }
}

function usageHandlers(usage: UsageReader): Pick<Handlers, 'usage' | 'usageHistory'> {
  return {
    usage: (ctx) => usage.current(ctx.accountId),
    usageHistory: async (ctx, { query }) => ({
      data: [...(await usage.history(ctx.accountId, query.days, query.meter))],
      nextCursor: null,
    }),
  }
}
