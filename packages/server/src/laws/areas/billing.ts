import { randomUUID } from 'node:crypto'
import { auth, billing, einvoice, referrals, webhooks } from '@millrace/contract'
import { call, textAt } from '#laws/calls.ts'
import { pspone, psptwo } from '#laws/payment-providers.ts'
import type { AreaFixture, LawArea, Perform } from './area.ts'

const enterprise = { tier: 'enterprise', months: 1, price: { amount: 100_000, currency: 'EUR' } } as const

/** Commerce: plans, subscriptions, payments, invoices, referrals. */
export const billingArea: LawArea = {
  async createResources(url, { token }) {
    const { body } = await call(url, billing.checkoutPsptwo, { token, body: { tier: 'pro', country: 'DE' } })
    const chk = textAt(body, 'id')
    await payEverything(psptwo.ledger)
    const paid = await call(url, billing.checkout, { token, params: { intentId: chk } })
    return { chk, inv: textAt(paid.body, 'invoiceId') }
  },
  async exercise(fixture) {
    const { url, perform, token } = fixture
    await perform(billing.plans, { token })
    await perform(billing.subscribe, { token, body: { tier: 'pro' } })
    await perform(billing.subscription, { token })
    await perform(billing.usage, { token })
    await perform(billing.usageHistory, { token })
    await pay(fixture)
    await perform(billing.upgrade, { token, body: { tier: 'business' } })
    await perform(billing.changeTier, { token, body: { tier: 'pro', when: 'period_end' } })
    await perform(billing.cancel, { token, body: {} })
    await perform(billing.resume, { token })
    await refer(url, perform, token)
  },
}

async function pay({ url, perform, token, operatorToken }: AreaFixture): Promise<void> {
  const other = await register(url)
  await perform(billing.checkoutPsptwo, { token: other, body: { tier: 'pro' } })
  const intentId = textAt(await perform(billing.checkoutPspone, { token, body: { tier: 'pro', country: 'DE' } }), 'id')
  await payEverything(pspone.ledger)
  await perform(billing.checkout, { token, params: { intentId } })
  await notify(perform)
  const id = textAt(await perform(billing.invoices, { token }), 'data', '0', 'id')
  await perform(billing.invoice, { token, params: { id } })
  await perform(billing.invoicePdf, { token, params: { id } })
  await perform(einvoice.generateFromInvoice, { token, body: { invoiceId: id } })
  await perform(billing.creditNote, { token: operatorToken, body: { invoiceId: id, net: 1, reason: 'A test.' } })
  const accountId = textAt((await call(url, auth.me, { token: other })).body, 'account', 'id')
  await perform(billing.manualActivate, { token: operatorToken, body: { accountId, ...enterprise } })
  const plan = { name: 'Team', rank: 25, limits: {}, prices: [], isPublic: false }
  await perform(billing.updatePlan, { token: operatorToken, params: { tier: 'team' }, body: plan })
}

/** Sends the last event of each provider. */
async function notify(perform: Perform): Promise<void> {
  const [one, two] = [pspone.ledger.happenings.at(-1), psptwo.ledger.happenings.at(-1)]
  if (one === undefined || two === undefined) throw new Error('the providers have nothing to report')
  for (const [op, { body, headers }] of [
    [webhooks.pspone, pspone.signed(one)],
    [webhooks.psptwo, psptwo.signed(two)],
  ] as const)
    await perform(op, { body: JSON.parse(body), headers })
}

async function refer(url: string, perform: Perform, token: string): Promise<void> {
  const code = textAt(await perform(referrals.create, { token, body: {} }), 'code')
  await perform(referrals.me, { token })
  await perform(referrals.resolve, { params: { code } })
  await perform(referrals.claim, { token: await register(url), body: { code } })
}

/** Registers an account, and returns the token of its owner. */
async function register(url: string): Promise<string> {
  const email = `billing-${randomUUID()}@example.com`
  return textAt((await call(url, auth.register, { body: { email, password: `staple ${randomUUID()}` } })).body, 'accessToken')
}

async function payEverything(ledger: typeof pspone.ledger): Promise<void> {
  for (const { id, status } of ledger.entries.values()) if (status === 'open') ledger.pay(id)
}
