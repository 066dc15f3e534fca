/** Every state of a subscription, with the state that follows each event. An event that is absent is refused in that state. */
export const subscriptionTransitions = {
  /** A paid plan before its first payment. */
  trialing: {
    trial_started: undefined,
    started: 'active',
    paid: 'active',
    activated: 'active',
    payment_failed: 'past_due',
    changed: 'trialing',
    cancel_requested: 'cancelling',
    cancelled_now: 'cancelled',
    resumed: undefined,
    trial_resumed: undefined,
    period_ended: 'expired',
    grace_ended: undefined,
  },
  active: {
    trial_started: 'trialing',
    started: 'active',
    paid: 'active',
    activated: 'active',
    payment_failed: 'past_due',
    changed: 'active',
    cancel_requested: 'cancelling',
    cancelled_now: 'cancelled',
    resumed: undefined,
    trial_resumed: undefined,
    period_ended: 'expired',
    grace_ended: undefined,
  },
  /** A charge failed; it is repeated until the grace time is over. */
  past_due: {
    trial_started: undefined,
    started: 'active',
    paid: 'active',
    activated: 'active',
    payment_failed: 'past_due',
    changed: undefined,
    cancel_requested: 'cancelled',
    cancelled_now: 'cancelled',
    resumed: undefined,
    trial_resumed: undefined,
    period_ended: undefined,
    grace_ended: 'expired',
  },
  /** Ends with its period. */
  cancelling: {
    trial_started: undefined,
    started: 'active',
    paid: 'active',
    activated: 'active',
    payment_failed: undefined,
    changed: undefined,
    cancel_requested: undefined,
    cancelled_now: 'cancelled',
    resumed: 'active',
    trial_resumed: 'trialing',
    period_ended: 'cancelled',
    grace_ended: undefined,
  },
  /** Ended by request. A new plan begins it again. */
  cancelled: {
    trial_started: 'trialing',
    started: 'active',
    paid: 'active',
    activated: 'active',
    payment_failed: undefined,
    changed: undefined,
    cancel_requested: undefined,
    cancelled_now: undefined,
    resumed: undefined,
    trial_resumed: undefined,
    period_ended: undefined,
    grace_ended: undefined,
  },
  /** Ended without a payment. A new plan begins it again. */
  expired: {
    trial_started: 'trialing',
    started: 'active',
    paid: 'active',
    activated: 'active',
    payment_failed: undefined,
    changed: undefined,
    cancel_requested: undefined,
    cancelled_now: undefined,
    resumed: undefined,
    trial_resumed: undefined,
    period_ended: undefined,
    grace_ended: undefined,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string | undefined>>>>

export type SubscriptionState = keyof typeof subscriptionTransitions
export type SubscriptionEvent = keyof (typeof subscriptionTransitions)['active']

/** The state after an event; undefined where the event is refused. */
export function stateAfter(state: SubscriptionState, event: SubscriptionEvent): SubscriptionState | undefined {
  return subscriptionTransitions[state][event]
}

/** Whether the account has the plan of its subscription; otherwise it has the default plan. */
export function isEntitled(state: SubscriptionState): boolean {
  return state !== 'cancelled' && state !== 'expired'
}
