import { Fault } from '@millrace/contract'
import type { ProviderName } from '#modules/payments/index.ts'
import type { BillingDeps } from './billing-deps.ts'
import { createPlanChanges } from './change-plan.ts'
import { createCollector } from './charging/collect.ts'
import { createRenewals } from './charging/renewals.ts'
import { createCheckouts } from './checkout.ts'
import { createLifecycle } from './lifecycle.ts'
import { creditBalances } from './invoicing/credit-store.ts'
import { findInvoice, type InvoicePage, listInvoices } from './invoicing/invoice-store.ts'
import { creditInvoice } from './invoicing/invoices.ts'
import type { Executor, Plan, Subscription } from './model.ts'
import { calendar, monthAround } from './money/period.ts'
import { findPlan, listPlans, type PlanContent, savePlan } from './plans.ts'
import { isEntitled } from './subscription-state.ts'
import { findSubscription } from './subscription-store.ts'
import type { SubscriptionState } from './views.ts'

export type Billing = ReturnType<typeof createBilling>

export interface OfferedPlans {
  readonly plans: readonly Plan[]
  /** Of an account without a subscription. */
  readonly default: Plan
  readonly providers: readonly ProviderName[]
}

const hourMs = 60 * 60 * 1000

/** Plans, subscriptions, payments and invoices of accounts. */
export function createBilling(deps: BillingDeps) {
  const { db } = deps
  const collector = createCollector(deps)

  /** The plan whose limits apply to an account, with the period in which its usage counts. */
  async function entitlement(accountId: string) {
    const subscription = await findSubscription(db, accountId)
    const active = subscription !== undefined && isEntitled(subscription.state) ? subscription : undefined
    const plan = await planOrNothing(db, active?.tier ?? deps.settings.defaultPlan)
    return { subscription, plan, period: quotaPeriod(subscription, deps.now()) }
  }

  return {
    entitlement,
    collector,
    renewals: createRenewals(deps),
    changes: createPlanChanges(deps, collector),
    checkouts: createCheckouts(deps, collector),
    lifecycle: createLifecycle(deps),
    creditNote: (invoiceId: string, note: Parameters<typeof creditInvoice>[2]) => creditInvoice(deps, invoiceId, note),

    async subscription(accountId: string): Promise<SubscriptionState> {
      const { subscription, plan: effective, period } = await entitlement(accountId)
      const plan = subscription === undefined ? effective : await planOrNothing(db, subscription.tier)
      return { subscription, plan, effectiveTier: effective.tier, period, credits: await creditBalances(db, accountId) }
    },

    async plans(isOperator: boolean): Promise<OfferedPlans> {
      const plans = (await listPlans(db)).filter(({ isPublic }) => isPublic || isOperator)
      return { plans, default: await planOrNothing(db, deps.settings.defaultPlan), providers: [...deps.providers.keys()] }
    },

    savePlan: (tier: string, content: PlanContent) => savePlan(db, tier, content, deps.now()),

    invoices: (tx: Executor, accountId: string, page: InvoicePage) => listInvoices(tx, accountId, page),

    async invoice(tx: Executor, accountId: string, id: string) {
      const invoice = await findInvoice(tx, accountId, id)
      if (invoice === undefined) throw new Fault('not_found', { detail: 'There is no such invoice.' })
      return invoice
    },
  }
}

/** A plan that was configured but never created has no limits: a missing row must not stop an installation. */
async function planOrNothing(db: Executor, tier: string): Promise<Plan> {
  const plan = await findPlan(db, tier)
  return plan ?? { tier, name: tier, rank: 0, limits: {}, prices: [], trialDays: 0, isPublic: false, revision: 0 }
}

/** Usage counts by months from the beginning of the subscription, also after its end, in whole hours of UTC, since it is stored by the hour. */
function quotaPeriod(subscription: Subscription | undefined, now: Date): { readonly start: Date; readonly end: Date } {
  if (subscription === undefined) return monthAround(calendar, now)
  return monthAround(new Date(Math.floor(subscription.anchor.getTime() / hourMs) * hourMs), now)
}
