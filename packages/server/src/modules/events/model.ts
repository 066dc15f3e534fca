import type { DeliveryState } from './deliveries/delivery-state.ts'

/** An account's wish to receive events of some types at a URL. */
export interface Subscription {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly types: readonly string[]
  readonly enabled: boolean
  readonly disabledReason: string | undefined
  readonly failingSince: Date | undefined
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A subscription with its secret in plain text, which only the reply to its creation or rotation has. */
export interface SubscriptionWithSecret {
  readonly subscription: Subscription
  readonly secret: string
}

/** One attempt of a delivery, as stored in its history. */
export interface Attempt {
  readonly number: number
  /** RFC 3339. */
  readonly at: string
  readonly durationMs: number
  readonly status: number | null
  readonly error: string | null
}

/** The sending of one event to one subscription, with its retries. */
export interface Delivery {
  readonly id: string
  readonly eventId: string | undefined
  readonly eventType: string
  readonly state: DeliveryState
  readonly history: readonly Attempt[]
  readonly dueAt: Date | undefined
  readonly createdAt: Date
  readonly endedAt: Date | undefined
}

/** Subscriptions of one account. */
export const subscriptionsMax = 100

/** The longest overlap of the previous secret after a rotation. */
export const overlapMsMax = 7 * 24 * 60 * 60 * 1000
