import { deadLetters, events, eventSubscriptions } from '@millrace/contract'
import type { Engine } from '@millrace/engine'
import {
  createDispatcher,
  createEvents,
  createSubscriptions,
  createSubscriptionSecrets,
  eventHandlers,
  subscriptionHandlers,
} from '#modules/events/index.ts'
import { createDeadLetters, deadLetterHandlers } from '#modules/dead-letters/index.ts'
import { createSecretBox } from '#platform/auth/secret-box.ts'
import type { Database } from '#platform/db/database.ts'
import { served } from '#platform/http/index.ts'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import type { Departures } from '#modules/consents/index.ts'
import { eventAdmission } from './departures.ts'
import type { Feature } from './feature.ts'
import type { Logger } from './logger.ts'
import type { System } from './system.ts'

export interface EventParts {
  readonly database: Database
  readonly engine: Pick<Engine, 'publish'>
  readonly http: GuardedFetch
  readonly departures: Departures
  readonly secretKey: Uint8Array
  readonly logger: Logger
  readonly system: System
  /** Aborts when the server closes. */
  readonly closing: AbortSignal
  readonly cutOffMs: () => number
  /** Continues an execution in a new one. */
  readonly retry: Retry
}

type Retry = Parameters<typeof createDeadLetters>[0]['retry']

/** Publishing and delivery of events, and dead letters. */
export function composeEvents(parts: EventParts): Feature {
  const { database, engine, http, departures, secretKey, logger, system, closing, cutOffMs, retry } = parts
  const { now, clock, newId, randomBytes } = system
  const sending = { http, admit: eventAdmission(departures), now, clock }
  const secrets = createSubscriptionSecrets(createSecretBox(secretKey, 'event-subscriptions', randomBytes), randomBytes)
  const dispatcher = createDispatcher({
    ...sending,
    db: database.system,
    secrets,
    chance: () => randomBytes(4).readUInt32BE() / 2 ** 32,
    onError: (error) => logger.warn({ err: error }, 'event delivery failed'),
  })
  const onPublished = () => dispatcher.wake()
  const subscriptions = createSubscriptions({ ...sending, database, newId, secrets, closing })
  const letters = createDeadLetters({ database, now, retry, redeliver: subscriptions.redeliver, onRedelivered: onPublished })
  return {
    groups: {
      events: served(events, eventHandlers(createEvents({ engine, now, onPublished }))),
      eventSubscriptions: served(eventSubscriptions, subscriptionHandlers(subscriptions)),
      deadLetters: served(deadLetters, deadLetterHandlers(letters)),
    },
    loops: [{ role: 'worker', start: () => dispatcher.start(), stop: () => dispatcher.stop(cutOffMs()) }],
  }
}
