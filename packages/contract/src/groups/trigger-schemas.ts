import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { JsonValue } from '#src/json.ts'
import { Duration, Timestamp } from '#src/time.ts'
import { InputRead } from './input-read.ts'
import { WatchView } from './watch-schemas.ts'

export const TriggerName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .meta({ description: 'What it is for.', examples: ['Every working day at nine'] })

const TimeZone = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: 'Name of the IANA time zone database.', examples: ['Europe/Berlin'] })

/** When a schedule is due; exactly one of `cron`, `every`, `after`, `rrule` and `at`. */
export const Schedule = z
  .strictObject({
    cron: z.string().min(1).max(200).optional().describe('Cron expression of five fields, or of six with seconds first.'),
    every: Duration.optional().describe('Interval of at least a second, counted from `from`.'),
    after: Duration.optional().describe(
      'Time of at least a second after the end of the execution that it started last; the first start is that long after the creation.',
    ),
    from: Timestamp.optional().describe('First time of an interval; the time of the creation unless given.'),
    rrule: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('Recurrence rule of RFC 5545, such as `FREQ=MONTHLY;BYDAY=-1FR`, from `start` on.'),
    start: z.string().max(32).optional().describe('First local time of a rule, such as `2026-01-31T09:00:00`; DTSTART of RFC 5545.'),
    at: z.string().max(32).optional().describe('One local time, such as `2026-12-01T09:00:00`.'),
    timeZone: TimeZone.default('UTC'),
    missed: z
      .enum(['skip', 'once', 'all'])
      .default('once')
      .describe(
        'For times that passed by more than a minute, for example while the server was down: start nothing, once, or all up to `missedMax`.',
      ),
    missedMax: z.int().min(1).max(100).default(10).describe('Missed times that `all` starts at most, the earliest first.'),
    overlap: z
      .enum(['allow', 'skip', 'queue', 'cancel'])
      .default('allow')
      .describe('If the previous execution still runs: start another one, skip this time, wait for its end, or cancel it.'),
  })
  .meta({ id: 'Schedule', examples: [{ cron: '0 9 * * MON-FRI', timeZone: 'Europe/Berlin' }] })

const Secret = z.string().min(8).max(512)

/** How the sender of a webhook proves who it is. */
export const WebhookSignature = z
  .strictObject({
    scheme: z
      .enum(['standard', 'github', 'stripe', 'slack', 'hmac', 'basic', 'none'])
      .default('standard')
      .describe('`standard`: Standard Webhooks. `hmac`: a header with an HMAC of the body. `none`: anyone who knows the URL may call it.'),
    secret: Secret.optional().describe('Of the sender. Generated and returned once unless given; the password of `basic`.'),
    username: z.string().min(1).max(200).optional().describe('Of `basic`.'),
    header: z
      .string()
      .regex(/^[A-Za-z0-9-]{1,64}$/, { error: 'Must be the name of a header.' })
      .optional()
      .describe('Of `hmac`: the header with the signature; `X-Signature` unless given.'),
    algorithm: z.enum(['sha256', 'sha512', 'sha1']).optional().describe('Of `hmac`; `sha256` unless given.'),
    encoding: z.enum(['hex', 'base64']).optional().describe('Of `hmac`; `hex` unless given. A prefix such as `sha256=` is ignored.'),
    toleranceSeconds: z.int().min(30).max(3600).default(300).describe('Age of a signed timestamp at most, of schemes that sign one.'),
  })
  .meta({ id: 'WebhookSignature' })

/** The page of a webhook on which people fill in the input of the workflow. */
export const StartForm = z
  .strictObject({
    title: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe('Title of the page; that of the input schema, or else the name of the trigger, unless given.'),
    description: z.string().trim().min(1).max(4_000).optional().describe('Text above the fields; that of the input schema unless given.'),
    button: z.string().trim().min(1).max(60).optional().describe('Text of the button.'),
    thanks: z.string().trim().min(1).max(4_000).optional().describe('Text after the form was sent.'),
    timeZone: TimeZone.default('UTC').describe('Of the times that people fill in: fields of the formats `date-time` and `time`.'),
  })
  .meta({ id: 'StartForm', examples: [{ title: 'Request for leave', timeZone: 'Europe/Berlin' }] })

export const Webhook = z
  .strictObject({
    methods: z
      .array(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']))
      .min(1)
      .max(5)
      .default(['POST']),
    signature: WebhookSignature.default({ scheme: 'standard', toleranceSeconds: 300 }),
    deliveryHeader: z
      .string()
      .regex(/^[A-Za-z0-9-]{1,64}$/, { error: 'Must be the name of a header.' })
      .optional()
      .describe(
        'Header with the id of a delivery: a second request with the same id starts nothing. Known for `standard`, `github` and `stripe`.',
      ),
    sameContentSeconds: z
      .int()
      .min(1)
      .max(86_400)
      .optional()
      .describe(
        'For senders without an id of deliveries: a request starts nothing if one with the same method, query and body started an execution within so many seconds.',
      ),
    rawBody: z
      .boolean()
      .default(false)
      .describe('Also gives the body as it was sent, as `rawBody`: text, or `{ base64, bytes }` if it is no text in UTF-8.'),
    addresses: z
      .array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], { error: 'Must be an IP address, or a range such as 192.0.2.0/24.' }))
      .max(100)
      .default([])
      .describe('Addresses that may call; any if empty.'),
    reply: z
      .enum(['accepted', 'end', 'respond'])
      .default('accepted')
      .describe('When to respond: at once, at the end with the output, or when the workflow calls `respond`.'),
    timeoutSeconds: z
      .int()
      .min(1)
      .max(120)
      .default(30)
      .describe('How long `end` and `respond` wait; then the response is that of `accepted`.'),
    ratePerMinute: z.int().min(1).max(60_000).default(600).describe('Requests a minute.'),
    form: StartForm.optional().describe(
      'Makes the URL a page with a form, whose fields come from the input schema of the published version. The body of a request is the input, so that a program can send the same as JSON. Needs the scheme `none` and the method `POST` alone.',
    ),
  })
  .meta({ id: 'Webhook' })

export const TriggerEvent = z
  .strictObject({
    types: z
      .array(z.string().regex(/^(?=.{1,256}$)[^*]*\*?$/, { error: 'Must be a type of events, or a prefix of types followed by *.' }))
      .min(1)
      .max(50)
      .meta({ description: 'Types of events, exact or with a trailing `*`.', examples: [['com.example.order.*']] }),
    workflows: z
      .array(typeId('wf'))
      .min(1)
      .max(100)
      .optional()
      .describe(
        'With the types of the ends of executions, such as `io.serverlessworkflow.workflow.faulted.v1`: only those of these workflows. Those of all workflows unless given.',
      ),
  })
  .meta({ id: 'TriggerEvent' })

export const Mapping = z
  .string()
  .min(1)
  .max(10_000)
  .meta({ description: 'jq expression that makes the input of the workflow.', examples: ['{ orderId: .body.order.id }'] })

export const TriggerFilter = z
  .string()
  .min(1)
  .max(10_000)
  .meta({
    description:
      'Of a webhook without a form: jq expression on what the mapping gets, which has to give true or false. A request for which it gives false is answered 200 and starts nothing.',
    examples: ['.body.ref == "refs/heads/main"'],
  })

export const common = {
  workflowId: typeId('wf'),
  name: TriggerName,
  enabled: z.boolean().default(true),
  input: JsonValue.optional().describe('Input of the executions; what a mapping finds as `.input`.'),
  mapping: Mapping.optional(),
} as const

const ScheduleView = z.object({
  ...Schedule.shape,
  nextAt: z.iso.datetime().nullable().describe('The next due time; null without one, and while the trigger is disabled.'),
  nextLocal: z.string().nullable().describe('The same in the time zone of the schedule.'),
})

const WebhookView = z.object({
  ...Webhook.shape,
  signature: WebhookSignature.omit({ secret: true }),
  url: z.string().nullable().describe('Where the sender calls. Null for callers without the scope `triggers:write`: it is a secret.'),
  testUrl: z.string().nullable().describe('Where the sender calls for a test, while the webhook listens for one. A secret as well.'),
  formProblem: z
    .string()
    .nullable()
    .describe(
      'Why the form cannot be shown, such as a property of the input schema that has no field; null if it can, and without a form.',
    ),
  listensUntil: z.iso.datetime().nullable().describe('Until when the test URL takes requests; null while it takes none.'),
})

const TriggerWarning = z
  .object({
    code: z.literal('input_not_given').describe('The workflow reads a part of its input that the trigger certainly does not give.'),
    message: z.string(),
    ...InputRead.shape,
  })
  .meta({ id: 'TriggerWarning' })

export const Trigger = z
  .object({
    id: typeId('trg'),
    workflowId: typeId('wf'),
    name: z.string(),
    kind: z.enum(['manual', 'schedule', 'webhook', 'event', 'watch']),
    origin: z
      .enum(['user', 'definition'])
      .describe('`definition`: from `schedule` in the definition; it is replaced when a version is published.'),
    enabled: z.boolean(),
    pausedReason: z
      .string()
      .nullable()
      .describe('Why Millrace disabled it: ten starts or looks in a row failed. Null after it is enabled.'),
    input: JsonValue.nullable(),
    mapping: z.string().nullable(),
    filter: z.string().nullable().describe('Of a webhook: which requests start the workflow; null for all.'),
    schedule: ScheduleView.nullable(),
    webhook: WebhookView.nullable(),
    event: TriggerEvent.nullable(),
    watch: WatchView.nullable(),
    failures: z.int().describe('Failed starts since the last success.'),
    lastFiredAt: z.iso.datetime().nullable(),
    lastExecutionId: typeId('exec').nullable(),
    lastError: z.string().nullable().describe('Why the last start failed; null after a success.'),
    warnings: z
      .array(TriggerWarning)
      .optional()
      .describe(
        'What is probably wrong with it; nothing of it prevents a start. Left out of lists over all workflows. A workflow with an input schema has none: its input is checked.',
      ),
    revision: z.int(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Trigger' })

export const TriggerWithSecret = Trigger.extend({
  secret: z
    .string()
    .nullable()
    .describe('The secret of a webhook that was generated for this request; null for none. Only this response contains it.'),
}).meta({ id: 'TriggerWithSecret' })

export const WebhookDelivery = z
  .object({
    id: typeId('whd'),
    at: z.iso.datetime(),
    method: z.string(),
    address: z.string(),
    outcome: z
      .enum(['started', 'duplicate', 'refused', 'failed', 'received', 'ignored'])
      .describe('`received`: by a test that starts nothing. `ignored`: the filter of the trigger gave false.'),
    test: z.boolean().describe('Whether it was sent to the test URL.'),
    status: z.int().describe('Status of the response.'),
    reason: z.string().nullable().describe('Why it started nothing; of a test, also what the filter gave.'),
    deliveryId: z.string().nullable().describe('The id that the sender gave it.'),
    contentDigest: z
      .string()
      .nullable()
      .describe(
        'SHA-256 of method, query and body, in base64url, by which a request without an id was compared with earlier ones. Also of one that failed.',
      ),
    contentType: z.string().nullable(),
    bytes: z.int(),
    executionId: typeId('exec').nullable(),
    replayable: z.boolean().describe('Whether its content is kept.'),
  })
  .meta({ id: 'WebhookDelivery' })

export const WebhookDeliveryContent = WebhookDelivery.extend({
  content: JsonValue.nullable().describe(
    'What the mapping gets: `{ method, headers, query, body, contentType, deliveryId, receivedAt }`. Only of requests to the test URL that were accepted.',
  ),
}).meta({ id: 'WebhookDeliveryContent' })

export const DueTime = z.object({
  utc: z.iso.datetime(),
  local: z.string().describe('In the time zone of the schedule, with its offset.'),
})
