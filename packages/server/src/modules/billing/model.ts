import type { Kysely } from 'kysely'
import type { ProviderName } from '#modules/payments/index.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { Term } from './money/period.ts'
import type { SubscriptionState } from './subscription-state.ts'

export type Executor = Kysely<Rows>

export const meters = ['executions', 'tasks', 'users', 'storage_bytes', 'ai_tokens'] as const
export type Meter = (typeof meters)[number]

export interface Limit {
  readonly soft: number | null
  readonly hard: number | null
}

export interface Price {
  readonly currency: string
  readonly interval: Term
  /** Net. */
  readonly amount: number
}

export interface Plan {
  readonly tier: string
  readonly name: string
  readonly rank: number
  readonly limits: { readonly [M in Meter]?: Limit | undefined }
  readonly prices: readonly Price[]
  readonly trialDays: number
  readonly isPublic: boolean
  readonly revision: number
}

export interface PendingChange {
  readonly tier: string
  readonly term: Term
  readonly price: number
}

export interface Subscription {
  readonly accountId: string
  readonly id: string
  readonly tier: string
  readonly state: SubscriptionState
  readonly collection: 'automatic' | 'manual' | 'none'
  readonly term: Term | undefined
  readonly currency: string | undefined
  readonly price: bigint | undefined
  readonly country: string | undefined
  readonly anchor: Date
  readonly periodStart: Date
  readonly periodEnd: Date | undefined
  readonly trialEnd: Date | undefined
  readonly hadTrial: boolean
  readonly pending: PendingChange | undefined
  readonly provider: string | undefined
  readonly customer: string | undefined
  readonly paymentMethod: string | undefined
  readonly failedAt: Date | undefined
  readonly nextAttemptAt: Date | undefined
  readonly attempts: number
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface InvoiceLine {
  readonly description: string
  readonly net: bigint
}

/** The amounts of an invoice. */
export interface Totals {
  readonly currency: string
  readonly lines: readonly InvoiceLine[]
  readonly net: bigint
  readonly tax: bigint
  readonly taxBasisPoints: number
  readonly total: bigint
  readonly credit: bigint
  /** The part of the credit that rounds the charge and was no credit of the account before. */
  readonly rounding?: bigint | undefined
  readonly due: bigint
}

export interface Invoice extends Totals {
  readonly id: string
  readonly accountId: string
  readonly issuer: string
  readonly number: number
  readonly kind: 'invoice' | 'credit_note'
  readonly state: 'open' | 'paid' | 'uncollectible'
  readonly buyer: { readonly name: string; readonly country: string | null }
  readonly periodStart: Date | undefined
  readonly periodEnd: Date | undefined
  readonly corrects: string | undefined
  readonly reason: string | undefined
  readonly issuedAt: Date
  readonly paidAt: Date | undefined
}

export type PaymentKind = 'checkout' | 'change' | 'renewal'
export type PaymentState = 'open' | 'succeeded' | 'failed' | 'expired' | 'refunding' | 'refunded'

/** What a payment pays for. */
export interface Purchase {
  readonly tier: string
  readonly term: Term
  /** Net, of one period. */
  readonly price: bigint
  readonly country: string | undefined
  readonly totals: Totals
  /** Of a change: the period after it. A checkout begins its period when it is paid. */
  readonly period: { readonly start: Date; readonly end: Date } | undefined
  /** Of a charge: the revision of the subscription for which it was calculated; absent in old ones. */
  readonly revision?: number | undefined
  readonly successUrl: string | undefined
  readonly cancelUrl: string | undefined
}

export interface Payment {
  readonly id: string
  readonly accountId: string
  readonly kind: PaymentKind
  readonly provider: ProviderName
  readonly state: PaymentState
  readonly amount: bigint
  readonly currency: string
  readonly refunded: bigint
  readonly purchase: Purchase
  readonly invoiceId: string | undefined
  readonly reference: string | undefined
  readonly url: string | undefined
  readonly expiresAt: Date | undefined
  readonly failure: string | undefined
  readonly createdAt: Date
}
