import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { Duration } from '#src/time.ts'
import { lifecyclePrefix } from './event-schemas.ts'

const Name = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .meta({ description: 'What it is for.', examples: ['Orders to the warehouse'] })

export const DeliveryUrl = z
  .url({ protocol: /^https?$/, error: 'Must be an absolute URL with http or https.' })
  .max(2048, { error: 'Must have at most 2048 characters.' })
  .refine((text) => !URL.canParse(text) || new URL(text).username + new URL(text).password === '', {
    error: 'Must not contain a user name or password: deliveries are signed.',
  })
  .meta({ description: 'URL to which events are delivered.', examples: ['https://warehouse.example.com/events'] })

const Types = z
  .array(z.string().regex(/^(?=.{1,256}$)[^*]*\*?$/, { error: 'Must be a type of events, or a prefix of types followed by *.' }))
  .min(1)
  .max(50)
  .meta({
    description: `Types of events, exact or with a trailing \`*\`. Those of executions and tasks (\`${lifecyclePrefix}…\`) are delivered only for a type with this prefix.`,
    examples: [['com.example.order.*']],
  })

const Subscription = z
  .object({
    id: typeId('evsub'),
    name: z.string(),
    url: z.string(),
    types: z.array(z.string()),
    enabled: z.boolean(),
    disabledReason: z
      .string()
      .nullable()
      .describe(
        'Why Millrace disabled it: the endpoint responded with 410, or every delivery failed for 5 days. Null when it is enabled or a user disabled it.',
      ),
    failingSince: z.iso.datetime().nullable().describe('The time since which every attempt has failed; null if the last one succeeded.'),
    revision: z.int().describe('Incremented by every change; also in `ETag`.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'EventSubscription' })

const WithSecret = Subscription.extend({
  secret: z
    .string()
    .describe('The secret that signs deliveries (Standard Webhooks): `whsec_` and 32 bytes in base64. Only this response contains it.'),
}).meta({ id: 'EventSubscriptionWithSecret' })

const Attempt = z
  .object({
    number: z.int().describe('From 1.'),
    at: z.iso.datetime(),
    durationMs: z.int(),
    status: z.int().nullable().describe('Status of the response; null without one.'),
    error: z.string().nullable().describe('What failed; null for a success.'),
  })
  .meta({ id: 'DeliveryAttempt' })

const Delivery = z
  .object({
    id: typeId('dlv').describe('Also the `webhook-id` of every attempt.'),
    eventId: typeId('evt').nullable().describe('Null for a test.'),
    eventType: z.string(),
    state: z
      .enum(['pending', 'delivered', 'failed'])
      .describe('`failed`: not retried any more; the delivery is a dead letter, unless it was a test.'),
    attempts: z.array(Attempt).describe('The latest attempts, oldest first; at most 20.'),
    nextAttemptAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Delivery' })

const base = {
  stability: 'beta',
  rateLimit: 'default',
  errors: [],
} as const
const reads = { ...base, auth: { scope: 'events:read' }, audit: 'none', idempotency: 'natural' } as const
const writes = { ...base, auth: { scope: 'events:subscribe' }, role: 'member' } as const
const path = '/api/v1/events/subscriptions'
const byId = z.object({ id: typeId('evsub') })

const list = operation({
  ...reads,
  id: 'eventSubscriptions.list',
  method: 'GET',
  path,
  summary: 'List the subscriptions',
  query: z.strictObject(listQuery),
  reply: listPage(Subscription),
})

const create = operation({
  ...writes,
  id: 'eventSubscriptions.create',
  method: 'POST',
  path,
  summary: 'Subscribe to events',
  description:
    'Every event of the given types that comes from now on is sent to the URL: a POST with the CloudEvent in structured mode, signed by Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`). An answer of 2xx within 15 seconds is a success. Anything else is tried again with growing pauses, later if `Retry-After` says so; after eleven attempts, in about a day, it becomes a dead letter. 410 disables the subscription at once, and so does an endpoint that took nothing for 5 days. Deliveries come at least once and in no order: `webhook-id` stays the same. The secret is in this answer and in no later one.',
  audit: 'event_subscription.created',
  idempotency: 'keyed',
  replyHeaders: ['ETag', 'Location'],
  body: z.strictObject({
    name: Name,
    url: DeliveryUrl,
    types: Types,
    enabled: z.boolean().default(true).describe('False: nothing is delivered until it is true.'),
  }),
  reply: WithSecret,
  errors: ['conflict'],
})

const get = operation({
  ...reads,
  id: 'eventSubscriptions.get',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Read a subscription',
  replyHeaders: ['ETag'],
  params: byId,
  reply: Subscription,
})

const update = operation({
  ...writes,
  id: 'eventSubscriptions.update',
  method: 'PUT',
  path: `${path}/{id}`,
  summary: 'Change a subscription',
  description:
    'Members that are left out stay. While it is disabled nothing is sent, and events that come are not kept for it; what was still to be delivered becomes dead letters, which can be replayed. Enabling it begins anew; it is a `conflict` while more than some hundred of those are still to become dead letters.',
  audit: 'event_subscription.updated',
  idempotency: 'natural',
  requestHeaders: ['If-Match'],
  replyHeaders: ['ETag'],
  params: byId,
  body: z.strictObject({ name: Name.optional(), url: DeliveryUrl.optional(), types: Types.optional(), enabled: z.boolean().optional() }),
  reply: Subscription,
  errors: ['conflict'],
})

const remove = operation({
  ...writes,
  id: 'eventSubscriptions.delete',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a subscription',
  description: 'Stops all deliveries, and deletes them with the subscription.',
  audit: 'event_subscription.deleted',
  idempotency: 'natural',
  requestHeaders: ['If-Match'],
  params: byId,
  reply: z.object({ id: typeId('evsub'), deleted: z.literal(true) }),
})

const rotate = operation({
  ...writes,
  id: 'eventSubscriptions.rotate',
  method: 'POST',
  path: `${path}/{id}/rotate`,
  summary: 'Replace the secret of a subscription',
  description:
    'Only this response contains the new secret. During `overlap`, deliveries are signed with the old secret as well, so that the receiver can change over gradually.',
  audit: 'event_subscription.rotated',
  idempotency: 'keyed',
  replyHeaders: ['ETag'],
  params: byId,
  body: z.strictObject({ overlap: Duration.default('P1D').describe('At most `P7D`; `PT0S` stops the old secret at once.') }),
  reply: WithSecret,
})

const test = operation({
  ...writes,
  id: 'eventSubscriptions.test',
  method: 'POST',
  path: `${path}/{id}/test`,
  summary: 'Send a test event',
  description:
    'Sends an event of the type `io.millrace.subscription.test` at once, even if the subscription is disabled, and returns the result. There is one attempt.',
  audit: 'event_subscription.tested',
  idempotency: 'keyed',
  transaction: 'own',
  params: byId,
  reply: Delivery,
  errors: ['conflict', 'overloaded'],
})

const deliveries = operation({
  ...reads,
  id: 'eventSubscriptions.deliveries',
  method: 'GET',
  path: `${path}/{id}/deliveries`,
  summary: 'List the deliveries of a subscription',
  description: 'With the result of each attempt. Ended deliveries are kept for 7 days.',
  params: byId,
  query: z.strictObject({ ...listQuery, state: Delivery.shape.state.optional() }),
  reply: listPage(Delivery),
})

/** Subscriptions, which deliver events to URLs. */
export const eventSubscriptions = { list, create, get, update, delete: remove, rotate, test, deliveries } as const
