import type { Jobs } from '#platform/jobs/jobs.ts'
import type { PaymentProvider, ProviderName } from '#modules/payments/index.ts'
import type { Executor, Invoice } from './model.ts'

export interface BillingDeps {
  /** Connections of the owner: numbers of invoices and plans belong to no account. Every statement names its account. */
  readonly db: Executor
  readonly jobs: Pick<Jobs, 'send'>
  readonly providers: ReadonlyMap<ProviderName, PaymentProvider>
  readonly now: () => Date
  readonly newId: () => string
  readonly settings: BillingRules
  /** Aborts when the server closes. */
  readonly closing: AbortSignal
  /** Called in the transaction in which an account has paid an invoice. */
  readonly onPaid: (tx: Executor, accountId: string, invoice: Invoice) => Promise<void>
  /** Called after the limits of an account may have changed. */
  readonly onPlanChanged: (accountId: string) => void
}

export interface BillingRules {
  readonly issuer: string
  readonly defaultPlan: string
  readonly graceDays: number
  readonly taxRates: readonly { readonly country: string; readonly basisPoints: number }[]
  /** Where a customer returns to unless the request names a page. */
  readonly publicUrl: string
}

/** The tax on sales to a country; 0 without a rule for it. */
export function taxRateOf({ taxRates }: BillingRules, country: string | undefined): number {
  return taxRates.find((rate) => rate.country === country)?.basisPoints ?? 0
}

export const dayMs = 24 * 60 * 60 * 1000
