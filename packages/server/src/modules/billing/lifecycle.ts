import { Fault } from '@millrace/contract'
import type { BillingDeps } from './billing-deps.ts'
import { taxRateOf } from './billing-deps.ts'
import { transit, subscriptionOr } from './change-plan.ts'
import { assertNoCharge } from './charging/charge.ts'
import { findOpenInvoice } from './invoicing/invoice-store.ts'
import { issueInvoice, totalsOf, writeOffInvoice } from './invoicing/invoices.ts'
import type { Executor, Subscription } from './model.ts'
import { monthsAfter } from './money/period.ts'
import { findPlan } from './plans.ts'
import { isEntitled } from './subscription-state.ts'
import { findAccountName, lockBilling, saveSubscription } from './subscription-store.ts'

export interface Activation {
  readonly accountId: string
  readonly tier: string
  readonly months: number
  readonly price: { readonly amount: number; readonly currency: string } | undefined
  readonly country: string | undefined
}

export type Lifecycle = ReturnType<typeof createLifecycle>

/** Ending, resuming and activating by hand. */
export function createLifecycle(deps: BillingDeps) {
  async function locked(accountId: string, change: (tx: Executor, subscription: Subscription | undefined, now: Date) => Promise<void>) {
    await deps.db.transaction().execute(async (tx) => change(tx, await lockBilling(tx, accountId), deps.now()))
    deps.onPlanChanged(accountId)
  }

  return {
    cancel: (accountId: string, when: 'period_end' | 'now') =>
      locked(accountId, async (tx, subscription, now) => {
        if (subscription === undefined) throw new Fault('subscription_state', { detail: 'The account has no subscription to cancel.' })
        await assertNoCharge(tx, accountId)
        const isAtOnce = when === 'now' || subscription.periodEnd === undefined
        const ended = transit(subscription, isAtOnce ? 'cancelled_now' : 'cancel_requested', { pending: undefined })
        const isOver = !isEntitled(ended.state)
        // A failed renewal is not collected any more.
        const open = isOver ? await findOpenInvoice(tx, accountId) : undefined
        if (open !== undefined) await writeOffInvoice(deps, tx, open)
        await saveSubscription(tx, isOver ? { ...ended, periodEnd: now } : ended, now)
      }),

    resume: (accountId: string) =>
      locked(accountId, async (tx, subscription, now) => {
        if (subscription?.state !== 'cancelling')
          throw new Fault('subscription_state', {
            detail: 'Only a subscription that ends with its period can be resumed. Subscribe again instead.',
          })
        const inTrial = subscription.trialEnd?.getTime() === subscription.periodEnd?.getTime()
        await saveSubscription(tx, transit(subscription, inTrial ? 'trial_resumed' : 'resumed', {}), now)
      }),

    activate: (activation: Activation) =>
      locked(activation.accountId, async (tx, subscription, now) => activate(deps, tx, { activation, subscription, now })),
  }
}

async function activate(
  deps: BillingDeps,
  tx: Executor,
  {
    activation,
    subscription,
    now,
  }: { readonly activation: Activation; readonly subscription: Subscription | undefined; readonly now: Date },
): Promise<void> {
  const { accountId, tier, months, price, country: wanted } = activation
  if ((await findAccountName(tx, accountId)) === undefined) throw new Fault('not_found', { detail: 'There is no such account.' })
  const plan = await findPlan(tx, tier)
  if (plan === undefined)
    throw new Fault('plan_invalid', {
      detail: `There is no plan ${tier}.`,
      errors: [{ pointer: '/tier', detail: 'Must be the name of a plan.' }],
    })
  await assertNoCharge(tx, accountId)
  const isPaying = subscription?.collection === 'automatic' && isEntitled(subscription.state) && subscription.state !== 'trialing'
  if (isPaying)
    throw new Fault('subscription_state', {
      detail: `The account pays for the plan ${subscription.tier} by its payment method. It has to cancel that first.`,
    })
  const before = subscriptionOr(deps, { accountId, subscription, plan }, now)
  // A repetition for the same plan extends it.
  const isExtension = before.collection === 'manual' && before.tier === tier && isEntitled(before.state) && before.periodEnd !== undefined
  const start = isExtension && before.periodEnd !== undefined && before.periodEnd > now ? before.periodEnd : now
  const period = { start, end: monthsAfter(start, months) }
  const country = wanted ?? before.country
  const terms = { tier, collection: 'manual', term: undefined, price: undefined, country, pending: undefined } as const
  const times = isExtension ? { periodEnd: period.end } : { anchor: now, periodStart: now, periodEnd: period.end, trialEnd: undefined }
  await saveSubscription(tx, transit(before, 'activated', { ...terms, ...times }), now)
  if (price === undefined) return
  const lines = [{ description: `${plan.name}, ${months} ${months === 1 ? 'month' : 'months'}`, net: BigInt(price.amount) }]
  const totals = totalsOf(price.currency, lines, { taxBasisPoints: taxRateOf(deps.settings, country), balance: 0n })
  await deps.onPaid(tx, accountId, await issueInvoice(deps, tx, accountId, totals, { state: 'paid', country, period }))
}
