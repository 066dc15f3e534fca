import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { JsonValue } from '#src/json.ts'

/** Events in one request. */
export const eventsMax = 100
/** Size of one event as JSON. */
export const eventBytesMax = 256 * 1024
/** Prefix of the types of lifecycle events, about executions and tasks. Only Millrace makes such events. */
export const lifecyclePrefix = 'io.serverlessworkflow.'

const attributeName = /^[a-z0-9]{1,64}$/
const timestamp = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/

const Attribute = z
  .union([z.string().max(4096), z.int(), z.boolean()], { error: 'Must be text of at most 4096 characters, a whole number or a boolean.' })
  .nullable()

// Source and id are the key of an index, whose entries have a size limit.
const EventId = z.string().min(1).max(256)
const EventSource = z.string().regex(/^[\u0021-\u007e]{1,1024}$/, {
  error: 'Must be a URI reference of at most 1024 characters; characters outside of ASCII have to be percent-encoded.',
})
const EventType = z
  .string()
  .min(1)
  .max(256)
  .refine((type) => !type.startsWith(lifecyclePrefix), {
    error: `Must not begin with ${lifecyclePrefix}: only Millrace makes such events.`,
  })

/** A CloudEvent as a caller sends it. Source: CloudEvents 1.0.2, "Context Attributes" and "JSON Event Format". */
export const CloudEvent = z
  .object({
    specversion: z.literal('1.0'),
    id: EventId.meta({ description: 'Unique among the events of its source.', examples: ['4711'] }),
    source: EventSource.meta({ description: 'Where it happened: a URI reference.', examples: ['https://shop.example.com/orders'] }),
    type: EventType.meta({
      description: `What happened. Not \`${lifecyclePrefix}…\`, which is ours.`,
      examples: ['com.example.order.placed'],
    }),
    time: z
      .string()
      .refine((text) => timestamp.test(text) && !Number.isNaN(Date.parse(text)), { error: 'Must be an RFC 3339 timestamp.' })
      .nullable()
      .optional()
      .describe('When it happened; the time of its arrival unless given.'),
    subject: z.string().min(1).max(1024).nullable().optional().describe('The subject of the event within its source.'),
    datacontenttype: z.string().min(1).max(256).nullable().optional().describe('Media type of `data`; JSON unless given.'),
    dataschema: z.string().min(1).max(2048).nullable().optional().describe('URI of the schema of `data`.'),
    data: JsonValue.optional().describe('The payload.'),
    data_base64: z.base64().nullable().optional().describe('Bytes that are neither JSON nor text.'),
  })
  .catchall(Attribute)
  .check((ctx) => {
    for (const name of Object.keys(ctx.value)) {
      if (name === 'data_base64' || attributeName.test(name)) continue
      const message = 'Must be the name of an attribute: at most 64 characters out of a to z and 0 to 9.'
      ctx.issues.push({ code: 'custom', input: ctx.value, path: [name], message })
    }
    if (ctx.value.data !== undefined && typeof ctx.value.data_base64 === 'string')
      ctx.issues.push({ code: 'custom', input: ctx.value, path: ['data_base64'], message: 'Must not be given together with `data`.' })
  })
  .meta({
    id: 'CloudEvent',
    description: 'An event in the format of CloudEvents 1.0. Further attributes are strings, integers or booleans.',
  })

export const EventSummary = z
  .object({
    id: typeId('evt'),
    eventId: z.string().describe('`id` of the event itself.'),
    source: z.string(),
    type: z.string(),
    receivedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().describe('It is kept until then.'),
    state: z
      .enum(['received', 'kept', 'taken'])
      .describe(
        '`received`: not matched yet. `kept`: not consumed so far; the first matching listener will consume it. `taken`: consumed by a listener.',
      ),
  })
  .meta({ id: 'EventSummary' })

export const StoredEvent = EventSummary.extend({
  event: JsonValue.meta({ description: 'The event itself, whole.' }),
}).meta({ id: 'Event' })
