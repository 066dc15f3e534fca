import { deadLetters, events, eventSubscriptions } from '@millrace/contract'
import type { Engine } from '@millrace/engine'
import {
  createDispatcher,
  createEvents,
  createSubscriptions,
  createSubscriptionSecrets,
  type Dispatcher,
  eventHandlers,
  subscriptionHandlers,
} from '#modules/events/index.ts'
import { createDeadLetters, deadLetterHandlers } from '#modules/dead-letters/index.ts'
import { createSecretBox } from '#platform/auth/secret-box.ts'
import type { Database } from '#platform/db/database.ts'
import { served, type ServedGroup } from '#platform/http/index.ts'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import type { Logger } from './logger.ts'
import type { System } from './system.ts'

export interface EventParts {
  readonly database: Database
  readonly engine: Pick<Engine, 'publish'>
  readonly http: GuardedFetch
  readonly secretKey: Uint8Array
  readonly logger: Logger
  readonly system: System
  /** Aborts when the server closes. */
  readonly closing: AbortSignal
}

/** Publishing and delivery of events, and dead letters. */
export interface ComposedEvents {
  /** Delivers events that are due, once it is started. */
  readonly dispatcher: Dispatcher
  /** The groups of events and dead letters with their handlers. */
  serve(retry: Retry): Readonly<Record<'events' | 'eventSubscriptions' | 'deadLetters', ServedGroup>>
}

type Retry = Parameters<typeof createDeadLetters>[0]['retry']

export function composeEvents({ database, engine, http, secretKey, logger, system, closing }: EventParts): ComposedEvents {
  const { now, clock, newId, randomBytes } = system
  const sending = { http, now, clock }
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
  return {
    dispatcher,
    serve: (retry) => ({
      events: served(events, eventHandlers(createEvents({ engine, now, onPublished }))),
      eventSubscriptions: served(eventSubscriptions, subscriptionHandlers(subscriptions)),
      deadLetters: served(
        deadLetters,
        deadLetterHandlers(createDeadLetters({ database, now, retry, redeliver: subscriptions.redeliver, onRedelivered: onPublished })),
      ),
    }),
  }
}
