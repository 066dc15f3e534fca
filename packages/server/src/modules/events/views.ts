import type { EventSummary, WholeEvent } from '@millrace/engine/storage'
import { rawJson } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import type { Delivery, Subscription, SubscriptionWithSecret } from './model.ts'

export function eventView({ id, eventId, source, type, receivedAt, expiresAt, state }: EventSummary) {
  return {
    id: toTypeId('evt', id),
    eventId,
    source,
    type,
    receivedAt: receivedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    state,
  }
}

export function wholeEventView(event: WholeEvent) {
  return { ...eventView(event), event: rawJson(event.envelope) }
}

export function subscriptionView(subscription: Subscription) {
  const { id, name, url, types, enabled, disabledReason, failingSince, revision, createdAt, updatedAt } = subscription
  return {
    id: toTypeId('evsub', id),
    name,
    url,
    types: [...types],
    enabled,
    disabledReason: disabledReason ?? null,
    failingSince: failingSince?.toISOString() ?? null,
    revision,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

export function withSecretView({ subscription, secret }: SubscriptionWithSecret) {
  return { ...subscriptionView(subscription), secret }
}

export function deliveryView({ id, eventId, eventType, state, history, dueAt, createdAt, endedAt }: Delivery) {
  return {
    id: toTypeId('dlv', id),
    eventId: eventId === undefined ? null : toTypeId('evt', eventId),
    eventType,
    state,
    attempts: history.map((attempt) => ({ ...attempt })),
    nextAttemptAt: dueAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  }
}
