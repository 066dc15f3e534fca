/** An event on the bus of an account; ids are uuids. */
export interface EventHead {
  readonly id: string
  /** The id of the event itself. */
  readonly eventId: string
  readonly source: string
  readonly type: string
  readonly receivedAt: Date
  readonly expiresAt: Date
  readonly state: 'received' | 'kept' | 'taken'
}

/** An event with its envelope, which stays JSON text. */
export interface KeptEvent extends EventHead {
  readonly envelope: string
}

/** Who gets which events. */
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

/** A subscription with its secret, which is known at this moment alone. */
export interface WithSecret {
  readonly subscription: Subscription
  readonly secret: string
}

/** One attempt to deliver an event, as the row keeps it. */
export interface Attempt {
  readonly number: number
  /** RFC 3339. */
  readonly at: string
  readonly durationMs: number
  readonly status: number | null
  readonly error: string | null
}

export type DeliveryState = 'pending' | 'delivered' | 'failed'

/** An event on its way to one subscription. */
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

/** Subscriptions that an account can have at a time: a bound, not a plan. */
export const subscriptionsMax = 100

/** How long an old secret may work on after a rotation. */
export const overlapMsMax = 7 * 24 * 60 * 60 * 1000
