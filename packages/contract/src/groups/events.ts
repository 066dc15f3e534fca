import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { Timestamp } from '#src/time.ts'
import { CloudEvent, EventSummary, eventsMax, StoredEvent } from './event-schemas.ts'

const publish = operation({
  id: 'events.publish',
  method: 'POST',
  path: '/api/v1/events',
  summary: 'Publish events',
  description:
    'Takes CloudEvents 1.0 in every mode of their HTTP binding: structured (`application/cloudevents+json`), batched (`application/cloudevents-batch+json`) and binary (attributes in `ce-*` headers, the body is the data), and as `application/json` one event, an array of events, or `{ "events": [...] }`. At most 100 events and 4 MiB in a request, 256 KiB an event. Either all events are accepted or none. Source and id identify an event: a repeated one has no effect and is counted as a duplicate. An event is kept for a week for the first listener that matches it, and is delivered to the subscriptions to its type.',
  stability: 'beta',
  auth: { scope: 'events:write' },
  role: 'member',
  rateLimit: 'default',
  // The event's own row is the record of its publication.
  audit: 'none',
  idempotency: 'keyed',
  transaction: 'own',
  bodyLimit: 4 * 1024 * 1024,
  cloudEvents: { field: 'events' },
  body: z.strictObject({ events: z.array(CloudEvent).min(1).max(eventsMax) }),
  reply: z.object({
    accepted: z.int().describe('New events, durably stored.'),
    duplicates: z.int().describe('Events that were published before, or twice in this request.'),
  }),
  errors: [],
})

const list = operation({
  id: 'events.list',
  method: 'GET',
  path: '/api/v1/events',
  summary: 'List events',
  description:
    'Events of the account for as long as they are kept, including those that workflows emit. An event matches all given filters.',
  stability: 'beta',
  auth: { scope: 'events:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  query: z.strictObject({
    ...listQuery,
    type: z.string().min(1).max(256).optional().describe('Exactly this type.'),
    source: z.string().min(1).max(1024).optional().describe('Exactly this source.'),
    since: Timestamp.optional().describe('Received at this time or later.'),
    until: Timestamp.optional().describe('Received before this time.'),
  }),
  reply: listPage(EventSummary),
  errors: [],
})

const get = operation({
  id: 'events.get',
  method: 'GET',
  path: '/api/v1/events/{id}',
  summary: 'Read an event',
  stability: 'beta',
  auth: { scope: 'events:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  params: z.object({ id: typeId('evt') }),
  reply: StoredEvent,
  errors: [],
})

/** Events of the account: published from outside or emitted by workflows. */
export const events = { publish, list, get } as const
