import { expect, test } from 'vitest'
import { isEntitled, stateAfter, type SubscriptionEvent, type SubscriptionState, subscriptionTransitions } from './subscription-state.ts'

const states: readonly SubscriptionState[] = ['trialing', 'active', 'past_due', 'cancelling', 'cancelled', 'expired']

// The whole machine, written a second time: rows are events, columns the states above; - is refused.
const table = `
  trial_started    -         trialing   -          -          trialing   trialing
  started          active    active     active     active     active     active
  paid             active    active     active     active     active     active
  activated        active    active     active     active     active     active
  payment_failed   past_due  past_due   past_due   -          -          -
  changed          trialing  active     -          -          -          -
  cancel_requested cancelling cancelling cancelled -          -          -
  cancelled_now    cancelled cancelled  cancelled  cancelled  -          -
  resumed          -         -          -          active     -          -
  trial_resumed    -         -          -          trialing   -          -
  period_ended     expired   expired    -          cancelled  -          -
  grace_ended      -         -          expired    -          -          -
`
const rows = table
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/))

test.each(rows)('the event %s leads to the states of the table', (event, ...expected) => {
  const known = Object.keys(subscriptionTransitions.active).filter((name): name is SubscriptionEvent => name === event)
  expect(known.map((name) => states.map((state) => stateAfter(state, name) ?? '-'))).toEqual([expected])
})

test('the table has every event and every state', () => {
  expect(rows.map(([event = '']) => event).toSorted()).toEqual(Object.keys(subscriptionTransitions.active).toSorted())
  expect(Object.keys(subscriptionTransitions)).toEqual(states)
})

test('an ended subscription gives no plan, and a failed charge keeps it', () => {
  expect(states.filter((state) => !isEntitled(state))).toEqual(['cancelled', 'expired'])
})
