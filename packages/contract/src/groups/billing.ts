import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { listPage, listQuery } from '#src/list.ts'
import { alias, operation } from '#src/operation.ts'
import {
  CheckoutIntent,
  Country,
  Currency,
  Interval,
  Invoice,
  Limits,
  meters,
  Plan,
  Price,
  Subscription,
  Tier,
  Usage,
} from './billing-schemas.ts'

const base = { stability: 'beta', rateLimit: 'default', errors: [] } as const
const reads = { ...base, method: 'GET', auth: { scope: 'billing:read' }, audit: 'none', idempotency: 'natural' } as const
const writes = {
  ...base,
  method: 'POST',
  auth: { scope: 'billing:manage' },
  role: 'admin',
  idempotency: 'keyed',
  transaction: 'own',
} as const
const operates = { ...writes, role: 'operator' } as const
const path = '/api/v1/billing'
const flag = 'isAutomatedBillingEnabled'

const charging = [
  'payment_method_required',
  'payment_in_progress',
  'payment_failed',
  'provider_not_configured',
  'provider_unavailable',
] as const

const plans = operation({
  ...reads,
  id: 'billing.plans',
  path: `${path}/plans`,
  summary: 'List the plans',
  description:
    'The public plans with limits and net prices, by rank; for an operator all plans. A plan with a price can be chosen only where a payment provider is configured.',
  transaction: 'own',
  reply: z.object({
    data: z.array(Plan),
    nextCursor: z.string().nullable(),
    default: Plan.describe('The plan of an account without a subscription.'),
    providers: z.array(z.enum(['pspone', 'psptwo'])).describe('The payment providers that are configured.'),
  }),
})

const updatePlan = operation({
  ...operates,
  id: 'billing.updatePlan',
  method: 'PUT',
  path: `${path}/plans/{tier}`,
  summary: 'Create or change a plan',
  description:
    'Limits apply to all accounts of the plan within seconds. A new price applies to new subscriptions and changes; existing subscriptions keep theirs.',
  audit: 'plan.updated',
  idempotency: 'natural',
  params: z.object({ tier: z.string().meta({ description: 'Name of the plan.', examples: ['pro'] }) }),
  body: z.strictObject({
    name: z.string().trim().min(1).max(100),
    rank: z.int().min(0).max(1000),
    limits: Limits,
    prices: z.array(Price).max(50),
    trialDays: z.int().min(0).max(365).default(0),
    isPublic: z.boolean().default(true),
  }),
  reply: Plan,
  errors: ['request_invalid'],
})

const subscription = operation({
  ...reads,
  id: 'billing.subscription',
  path: `${path}/subscription`,
  summary: 'Read the subscription',
  description:
    'The plan of the account with its state, period and payment. An account that never chose a plan has the default plan of the installation.',
  transaction: 'own',
  reply: Subscription,
})

const subscribe = operation({
  ...writes,
  id: 'billing.subscribe',
  path: `${path}/subscribe`,
  summary: 'Subscribe to a plan',
  description:
    'Starts a plan without a price at once, and the trial of a paid plan once for each account, where a payment provider is configured. A paid plan without a trial needs a checkout: `POST /api/v1/billing/checkout/pspone` or `psptwo`, unless a payment method is on file, which is then charged.',
  audit: 'subscription.started',
  body: z.strictObject({
    tier: Tier,
    interval: Interval.default('month'),
    currency: Currency.default('EUR'),
    country: Country.optional(),
    trial: z.boolean().default(true).describe('False: pay at once although a trial is possible.'),
  }),
  reply: Subscription,
  errors: ['plan_invalid', 'subscription_state', ...charging],
})

const upgrade = operation({
  ...writes,
  id: 'billing.upgrade',
  path: `${path}/upgrade`,
  summary: 'Upgrade to a higher plan now',
  description:
    'The rest of the period is charged to the second: the new price for the remaining time, less the unused part of the old one. Nothing changes if the charge fails. During a trial nothing is charged.',
  audit: 'subscription.upgraded',
  body: z.strictObject({ tier: Tier, interval: Interval.optional() }),
  reply: Subscription,
  errors: ['plan_invalid', 'subscription_state', ...charging],
})

const changeTier = operation({
  ...writes,
  id: 'billing.changeTier',
  path: `${path}/change-tier`,
  summary: 'Change to another plan',
  description:
    'In both directions. `now` settles the rest of the period to the second; what is left after a change to a lower plan becomes a credit note and a credit. `period_end` changes the plan with the next period; a repetition replaces the pending change.',
  flag,
  audit: 'subscription.tier_changed',
  body: z.strictObject({ tier: Tier, interval: Interval.optional(), when: z.enum(['now', 'period_end']).default('now') }),
  reply: Subscription,
  errors: ['plan_invalid', 'subscription_state', ...charging],
})

const cancel = operation({
  ...writes,
  id: 'billing.cancel',
  path: `${path}/cancel`,
  summary: 'Cancel the subscription',
  description:
    '`period_end` keeps the plan until the end of the paid period, and can be undone by `resume`. `now` ends it at once, without a refund.',
  audit: 'subscription.cancelled',
  body: z.strictObject({ when: z.enum(['period_end', 'now']).default('period_end') }),
  reply: Subscription,
  errors: ['subscription_state', 'payment_in_progress'],
})

const resume = operation({
  ...writes,
  id: 'billing.resume',
  path: `${path}/resume`,
  summary: 'Undo a cancellation',
  description: 'For a subscription that would end with its period.',
  audit: 'subscription.resumed',
  reply: Subscription,
  errors: ['subscription_state'],
})

const manualActivate = operation({
  ...operates,
  id: 'billing.manualActivate',
  path: `${path}/manual-activate`,
  summary: 'Activate a plan by hand',
  description:
    'For operators: an account gets a plan that is paid outside of Millrace, for a number of months. With `price` an invoice is issued and marked as paid.',
  audit: 'subscription.activated',
  body: z.strictObject({
    accountId: typeId('acct'),
    tier: Tier,
    months: z.int().min(1).max(120).default(1),
    price: z
      .strictObject({ amount: z.int().min(1).max(100_000_000_000), currency: Currency })
      .optional()
      .describe('Net, for the whole time. Without it no invoice is issued.'),
    country: Country.optional(),
    reference: z.string().trim().min(1).max(200).optional().describe('Of the payment, such as the number of a bank transfer.'),
  }),
  reply: Subscription,
  errors: ['plan_invalid', 'not_found', 'subscription_state', 'payment_in_progress'],
})

const checkoutBody = z.strictObject({
  tier: Tier,
  interval: Interval.default('month'),
  currency: Currency.default('EUR'),
  country: Country.optional(),
  successUrl: z
    .url({ protocol: /^https?$/, error: 'Must be an absolute URL with http or https.' })
    .max(2048)
    .optional(),
  cancelUrl: z
    .url({ protocol: /^https?$/, error: 'Must be an absolute URL with http or https.' })
    .max(2048)
    .optional(),
})

const checkoutPspone = operation({
  ...writes,
  id: 'billing.checkoutPspone',
  path: `${path}/checkout/pspone`,
  summary: 'Start a checkout at pspone',
  description:
    'Creates an intent to pay for the first period of a plan at the page of the provider (`url`), which also keeps the payment method for later periods. Millrace never sees a card number. An account has one open checkout: the same request returns it again, and another one replaces it.',
  audit: 'checkout.created',
  body: checkoutBody,
  reply: CheckoutIntent,
  errors: [
    'plan_invalid',
    'subscription_state',
    'payment_in_progress',
    'payment_failed',
    'provider_not_configured',
    'provider_unavailable',
  ],
})

const checkoutPsptwo = operation({
  ...checkoutPspone,
  id: 'billing.checkoutPsptwo',
  path: `${path}/checkout/psptwo`,
  summary: 'Start a checkout at psptwo',
})

const checkout = operation({
  ...reads,
  id: 'billing.checkout',
  path: `${path}/checkout/{intentId}`,
  summary: 'Read the state of a checkout',
  description: 'Asks the provider while the intent is open, so that a payment takes effect even if its notification is late.',
  flag,
  transaction: 'own',
  params: z.object({ intentId: typeId('chk') }),
  reply: CheckoutIntent,
})

const invoices = operation({
  ...reads,
  id: 'billing.invoices',
  path: `${path}/invoices`,
  summary: 'List the invoices',
  description: 'Invoices and credit notes.',
  query: z.strictObject({ ...listQuery, state: Invoice.shape.state.optional() }),
  reply: listPage(Invoice),
})

const invoice = operation({
  ...reads,
  id: 'billing.invoice',
  path: `${path}/invoices/{id}`,
  summary: 'Read an invoice',
  params: z.object({ id: typeId('inv') }),
  reply: Invoice,
})

const invoicePdf = operation({
  ...reads,
  id: 'billing.invoicePdf',
  path: `${path}/invoices/{id}/pdf`,
  summary: 'Download an invoice as PDF',
  description: 'Invoices and credit notes.',
  media: 'application/pdf',
  params: z.object({ id: typeId('inv') }),
  reply: z.string().describe('The bytes of the PDF file.'),
  errors: ['not_found'],
})

const creditNote = operation({
  ...operates,
  id: 'billing.creditNote',
  path: `${path}/credit-notes`,
  summary: 'Correct an invoice by a credit note',
  description: 'For operators: credits a part of an invoice, or the whole, to its account. An invoice itself never changes.',
  audit: 'invoice.credited',
  body: z.strictObject({
    invoiceId: typeId('inv'),
    net: z.int().min(1).max(100_000_000_000).optional().describe('Net amount; without it the rest of the invoice.'),
    reason: z.string().trim().min(1).max(500),
  }),
  reply: Invoice,
  errors: ['conflict', 'not_found'],
})

const usage = operation({
  ...reads,
  id: 'billing.usage',
  path: `${path}/usage`,
  summary: 'Read the usage of this period',
  description: 'Live: an execution counts as soon as it is accepted.',
  transaction: 'own',
  reply: Usage,
})

const usageHistory = operation({
  ...reads,
  id: 'billing.usageHistory',
  path: `${path}/usage/history`,
  summary: 'Read the usage by day',
  description: 'Newest first, in days of UTC. Days without usage are left out.',
  transaction: 'own',
  query: z.strictObject({
    days: z.coerce.number<number>({ error: 'Must be a whole number from 1 to 366.' }).int().min(1).max(366).default(30),
    meter: z.enum(meters).optional(),
  }),
  reply: z.object({
    data: z.array(z.object({ day: z.iso.date().meta({ examples: ['2026-01-31'] }), meter: z.enum(meters), amount: z.int() })),
    nextCursor: z.string().nullable(),
  }),
})

/** Plans, subscriptions, payments, invoices and usage. */
export const billing = {
  plans,
  updatePlan,
  subscription,
  subscribe,
  upgrade,
  changeTier,
  cancel,
  resume,
  manualActivate,
  checkoutPspone,
  checkoutPsptwo,
  checkout,
  invoices,
  invoice,
  invoicePdf,
  creditNote,
  usage,
  usageHistory,
  checkoutPsponeUnprefixed: alias(checkoutPspone, {
    id: 'billing.checkoutPsponeUnprefixed',
    path: '/billing/checkout/pspone',
    gate: 'checkout',
  }),
  checkoutPsptwoUnprefixed: alias(checkoutPsptwo, {
    id: 'billing.checkoutPsptwoUnprefixed',
    path: '/billing/checkout/psptwo',
    gate: 'checkout',
  }),
  manualActivateUnprefixed: alias(manualActivate, {
    id: 'billing.manualActivateUnprefixed',
    path: '/billing/manual-activate',
    gate: 'manual-activation',
  }),
  subscriptionUnprefixed: alias(subscription, { id: 'billing.subscriptionUnprefixed', path: '/billing/subscription' }),
  usageUnprefixed: alias(usage, { id: 'billing.usageUnprefixed', path: '/billing/usage' }),
} as const
