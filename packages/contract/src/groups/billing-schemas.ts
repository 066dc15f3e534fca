import * as z from 'zod'
import { typeId } from '#src/ids.ts'

export const Tier = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, { error: 'Must be the name of a plan: lower-case letters, digits and hyphens.' })
  .meta({ description: 'Name of a plan.', examples: ['pro'] })
export const Interval = z.enum(['month', 'year'], { error: 'Must be month or year.' })
export const Currency = z
  .string()
  .regex(/^[A-Z]{3}$/, { error: 'Must be a currency of ISO 4217 in capitals, such as EUR.' })
  .meta({ description: 'Currency of ISO 4217.', examples: ['EUR'] })
export const Country = z
  .string()
  .regex(/^[A-Z]{2}$/, { error: 'Must be a country of ISO 3166-1 in two capitals, such as DE.' })
  .meta({ description: 'Country of the customer (ISO 3166-1 alpha-2). It decides the tax.', examples: ['DE'] })
export const Amount = z.int().describe('In the minor unit of the currency: cents of EUR, yen of JPY, fils (1/1000) of BHD.')

export const meters = ['executions', 'tasks', 'users', 'storage_bytes', 'ai_tokens'] as const

const Limit = z.strictObject({
  soft: z.int().min(0).nullable().describe('A notice is sent at 80 and 100 % of it. Null: no limit.'),
  hard: z.int().min(0).nullable().describe('Work beyond it is refused with `quota_exceeded`. Null: no limit.'),
})
export const Limits = z
  .strictObject({
    executions: Limit.optional(),
    tasks: Limit.optional(),
    users: Limit.optional(),
    storage_bytes: Limit.optional(),
    ai_tokens: Limit.optional(),
  })
  .meta({ id: 'PlanLimits', description: 'Limits by meter; a meter that is absent has no limit.' })

export const Price = z
  .strictObject({
    currency: Currency,
    interval: Interval,
    amount: z.int().min(1).max(100_000_000_000).describe('Net, in the minor unit of the currency.'),
  })
  .meta({ id: 'PlanPrice' })

export const Plan = z
  .object({
    tier: Tier,
    name: z.string(),
    rank: z.int().describe('Orders the plans; an upgrade leads to a higher rank.'),
    limits: Limits,
    prices: z.array(Price).describe('Net; empty for a plan without a price.'),
    trialDays: z.int(),
    isPublic: z.boolean().describe('Whether accounts may choose it by themselves.'),
    revision: z.int(),
  })
  .meta({ id: 'Plan' })

export const Subscription = z
  .object({
    id: typeId('sub').nullable().describe('Null while the account has never chosen a plan.'),
    plan: Plan,
    state: z
      .enum(['trialing', 'active', 'past_due', 'cancelling', 'cancelled', 'expired'])
      .describe('`cancelling`: it ends with the period. `past_due`: a charge failed and is repeated.'),
    effectiveTier: Tier.describe('The plan whose limits apply now: that of `plan`, or the default after the end.'),
    collection: z
      .enum(['automatic', 'manual', 'none'])
      .describe('`automatic`: the payment method is charged. `manual`: an operator activated it.'),
    interval: Interval.nullable(),
    price: z.object({ amount: Amount, currency: Currency }).nullable().describe('Net, for each interval.'),
    country: z.string().nullable(),
    currentPeriodStart: z.iso.datetime(),
    currentPeriodEnd: z.iso.datetime().nullable().describe('Null: no end.'),
    trialEnd: z.iso.datetime().nullable(),
    pendingChange: z.object({ tier: Tier, interval: Interval }).nullable().describe('Takes effect at the end of the period.'),
    hasPaymentMethod: z.boolean(),
    nextAttemptAt: z.iso.datetime().nullable().describe('When a failed charge is repeated.'),
    credits: z.array(z.object({ amount: Amount, currency: Currency })).describe('Credit that later invoices use, by currency.'),
    revision: z.int(),
  })
  .meta({ id: 'BillingSubscription' })

export const CheckoutIntent = z
  .object({
    id: typeId('chk'),
    provider: z.enum(['pspone', 'psptwo']),
    state: z.enum(['open', 'succeeded', 'failed', 'expired', 'refunding', 'refunded']),
    url: z.string().nullable().describe('Where the customer pays. Null once it is not open any more.'),
    tier: Tier,
    interval: Interval,
    amount: Amount.describe('Gross: with tax.'),
    tax: Amount,
    currency: Currency,
    invoiceId: typeId('inv').nullable().describe('After success.'),
    failure: z.string().nullable(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'CheckoutIntent' })

export const Invoice = z
  .object({
    id: typeId('inv'),
    number: z.string().describe('Unique for the issuer, without gaps.'),
    issuer: z.string(),
    kind: z.enum(['invoice', 'credit_note']),
    state: z.enum(['open', 'paid', 'uncollectible']).describe('A credit note is `paid`: its amount is credited.'),
    currency: Currency,
    lines: z.array(z.object({ description: z.string(), net: Amount })),
    net: Amount,
    tax: Amount,
    taxPercent: z.string().describe('Such as `19.00`.'),
    total: Amount.describe('`net` and `tax`.'),
    credit: Amount.describe('The part of the total that credits paid.'),
    due: Amount.describe('The total without the credits.'),
    buyer: z.object({ name: z.string(), country: z.string().nullable() }),
    periodStart: z.iso.datetime().nullable(),
    periodEnd: z.iso.datetime().nullable(),
    corrects: typeId('inv').nullable().describe('The invoice that a credit note corrects.'),
    reason: z.string().nullable(),
    issuedAt: z.iso.datetime(),
    paidAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Invoice' })

export const Usage = z
  .object({
    periodStart: z.iso.datetime(),
    periodEnd: z.iso.datetime().describe('When the counters begin again at 0.'),
    tier: Tier,
    meters: z.array(
      z.object({
        meter: z.enum(meters),
        used: z.int(),
        soft: z.int().nullable(),
        hard: z.int().nullable(),
        percent: z.number().nullable().describe('Of the soft limit, or else of the hard one; null without a limit.'),
      }),
    ),
  })
  .meta({ id: 'Usage' })
