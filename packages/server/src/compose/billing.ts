import { setTimeout } from 'node:timers/promises'
import { billing, referrals, webhooks } from '@millrace/contract'
import { countExecutionsByAccount, countExecutionsSince } from '@millrace/engine/storage'
import type { Kysely } from 'kysely'
import { ConfigError } from '#config/config-error.ts'
import type { Config } from '#config/read-config.ts'
import type { ProviderSettings } from '#config/read-billing.ts'
import { type Billing, billingHandlers, createBilling, listPlans } from '#modules/billing/index.ts'
import {
  createInbound,
  createPspone,
  createPsptwo,
  type PaymentProvider,
  type ProviderName,
  webhookHandlers,
} from '#modules/payments/index.ts'
import { createReferrals, referralHandlers } from '#modules/referrals/index.ts'
import { notify } from '#modules/notifications/index.ts'
import { bytesOfTables } from '#modules/tables/index.ts'
import { createUsage, deleteUsageOf, type LimitNotice, type Usage } from '#modules/usage/index.ts'
import type { Rows } from '#platform/db/rows.ts'
import { bytesOfFiles } from '#platform/files/file-store.ts'
import { served } from '#platform/http/index.ts'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import type { Feature, FeatureParts } from './feature.ts'
import { originOf } from './origin.ts'

/** Throws a `ConfigError` when the configured plan of accounts without a subscription does not exist: they would have no limits. */
export async function assertDefaultPlan(db: Kysely<Rows>, tier: string): Promise<void> {
  const tiers = (await listPlans(db)).map((plan) => plan.tier)
  if (tiers.includes(tier)) return
  throw new ConfigError([
    {
      name: 'MILLRACE_DEFAULT_PLAN',
      message: `${JSON.stringify(tier)} is not a plan of this installation. Write one of ${tiers.join(', ')}.`,
    },
  ])
}

/** Billing with its providers, the metering of usage, and referrals. */
export function composeBilling(parts: FeatureParts): {
  readonly feature: Feature
  readonly usage: Usage
  readonly invoices: Pick<Billing, 'invoice'>
} {
  const { database, jobs, system, closing, config, logger } = parts
  const db = database.system
  const now = () => new Date(system.now())
  const providers = openProviders(config, parts.http)
  const referralService = createReferrals({ ...system, db, now })
  const service = createBilling({
    db,
    jobs,
    providers,
    now,
    newId: system.newId,
    settings: { ...config.billing, publicUrl: originOf(config.http) },
    closing,
    onPaid: (tx, accountId, invoice) => referralService.notePayment(tx, accountId, invoice),
    onPlanChanged: (accountId) => usage.forget(accountId),
  })
  const usage = createUsage({
    db,
    now: system.now,
    entitlement: (accountId) => entitlementOf(service, accountId),
    countExecutions: (from, to) => countExecutionsByAccount(db, from, to),
    countExecutionsOf: (accountId, from) => countExecutionsSince(db, accountId, from),
    storedBytes: async (executor, accountId) => (await bytesOfFiles(executor, accountId)) + (await bytesOfTables(executor, accountId)),
    notify: notifyOfLimit,
    onError: (error) => logger.warn({ err: error }, 'notice of a limit failed'),
    pause: setTimeout,
  })
  const refresh = async (paymentId: string, signal: AbortSignal) => void (await service.collector.refresh(paymentId, signal))
  const inbound = createInbound({ db, jobs, providers, now: system.now, newId: system.newId, refresh })
  const feature: Feature = {
    groups: {
      billing: served(billing, billingHandlers(service, usage, parts.printer, config.billing.issuerDetails)),
      webhooks: served(webhooks, webhookHandlers(inbound)),
      referrals: served(referrals, referralHandlers(referralService)),
    },
    jobs: [service.collector.job, ...inbound.jobs],
    maintenance: [
      { name: 'billing-periods', run: () => service.renewals.run() },
      { name: 'billing-payments', run: () => service.collector.reconcile() },
      { name: 'referral-rewards', run: () => referralService.reward() },
      { name: 'payment-notifications', run: () => inbound.sweep() },
      { name: 'usage-hours', run: () => usage.count() },
      { name: 'usage-records', run: () => usage.sweep() },
    ],
    purge: (executor, accountId) => deleteUsageOf(executor, accountId),
  }
  return { feature, usage, invoices: service }
}

async function entitlementOf(service: Billing, accountId: string) {
  const { plan, period } = await service.entitlement(accountId)
  return { tier: plan.tier, limits: plan.limits, period }
}

function openProviders({ billing: { pspone, psptwo } }: Config, http: GuardedFetch): ReadonlyMap<ProviderName, PaymentProvider> {
  const providers = new Map<ProviderName, PaymentProvider>()
  if (pspone !== undefined) providers.set('pspone', createPspone(revealed(pspone), http))
  if (psptwo !== undefined) providers.set('psptwo', createPsptwo(revealed(psptwo), http))
  return providers
}

function revealed({ url, secretKey, webhookSecrets }: ProviderSettings) {
  return { url, secretKey: secretKey.reveal(), webhookSecrets: webhookSecrets.map((secret) => secret.reveal()) }
}

/** Notifies those who can change the plan, once for each threshold of a period. */
function notifyOfLimit(tx: Parameters<typeof notify>[0], { accountId, meter, percent, used, limit, resetAt }: LimitNotice): Promise<void> {
  const name = meter.replaceAll('_', ' ')
  return notify(tx, {
    accountId,
    roles: ['owner', 'admin'],
    kind: 'quota.near',
    title: percent === 100 ? `The plan's ${name} are used up` : `${percent} % of the plan's ${name} are used`,
    body: `${used} of ${limit} ${name} are used; the period ends at ${resetAt.toISOString()}.`,
    link: '/settings/plan',
    groupKey: `quota.near/${meter}/${percent}/${resetAt.toISOString()}`,
  })
}
