import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { JsonValue } from '#src/json.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { Timestamp } from '#src/time.ts'
import {
  common,
  DueTime,
  Mapping,
  Schedule,
  Trigger,
  TriggerEvent,
  TriggerFilter,
  TriggerName,
  TriggerWithSecret,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryContent,
} from './trigger-schemas.ts'
import { TriggerWatch } from './watch-schemas.ts'

const base = { stability: 'beta', rateLimit: 'default', errors: [] } as const
const reads = { ...base, auth: { scope: 'triggers:read' }, audit: 'none', idempotency: 'natural' } as const
const writes = { ...base, auth: { scope: 'triggers:write' }, role: 'member' } as const
const creates = {
  ...writes,
  method: 'POST',
  audit: 'trigger.created',
  idempotency: 'keyed',
  replyHeaders: ['ETag', 'Location'],
  reply: TriggerWithSecret,
} as const
const path = '/api/v1/triggers'
const byId = z.object({ id: typeId('trg') })
const policy =
  'A local time that daylight saving skips is due at the end of the gap; one that it repeats is due at its first occurrence, or at both if the schedule is due in every hour.'

const { workflowId, ...described } = common

/** What a trigger is, without the workflow that it starts. */
export const TriggerContent = z.strictObject({
  ...described,
  kind: Trigger.shape.kind,
  filter: TriggerFilter.optional(),
  schedule: Schedule.optional(),
  webhook: Webhook.optional(),
  event: TriggerEvent.optional(),
  watch: TriggerWatch.optional(),
})

const list = operation({
  ...reads,
  id: 'triggers.list',
  method: 'GET',
  path,
  summary: 'List the triggers',
  query: z.strictObject({ ...listQuery, kind: Trigger.shape.kind.optional(), enabled: z.stringbool().optional() }),
  reply: listPage(Trigger),
})

const ofWorkflow = operation({
  ...reads,
  id: 'triggers.ofWorkflow',
  method: 'GET',
  path: `${path}/workflow/{workflowId}`,
  summary: 'List the triggers of a workflow',
  params: z.object({ workflowId: typeId('wf') }),
  query: z.strictObject(listQuery),
  reply: listPage(Trigger),
})

const get = operation({
  ...reads,
  id: 'triggers.get',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Read a trigger',
  replyHeaders: ['ETag'],
  params: byId,
  reply: Trigger,
})

const create = operation({
  ...creates,
  id: 'triggers.create',
  path,
  summary: 'Create a trigger',
  description:
    'Of any kind: `manual` is started by `fire`, `schedule` needs the member `schedule`, `webhook` takes `webhook`, `event` needs `event`, and `watch` needs `watch`. A workflow without a published version can have triggers; their starts fail until it is published.',
  body: z.strictObject({ workflowId, ...TriggerContent.shape }),
  errors: [
    'schedule_invalid',
    'mapping_invalid',
    'filter_invalid',
    'form_invalid',
    'input_invalid',
    'workflow_not_published',
    'conflict',
    'not_found',
  ],
})

const createSchedule = operation({
  ...creates,
  id: 'triggers.createSchedule',
  path: `${path}/schedule`,
  summary: 'Create a schedule',
  description: `Starts the workflow at every due time exactly once, however many processes run. ${policy}`,
  body: z.strictObject({ ...common, schedule: Schedule }),
  errors: ['schedule_invalid', 'mapping_invalid', 'input_invalid', 'conflict', 'not_found'],
})

const createWebhook = operation({
  ...creates,
  id: 'triggers.createWebhook',
  path: `${path}/webhook`,
  summary: 'Create a webhook',
  description:
    'The response has the URL to call and, unless you gave one, the secret that signs requests. The workflow gets `{ method, headers, query, body, contentType, deliveryId, receivedAt }`, or what `mapping` makes of it, for each request that passes the `filter`. With `form`, the URL also shows a form whose fields come from the input schema of the workflow.',
  body: z.strictObject({ ...common, filter: TriggerFilter.optional(), webhook: Webhook.prefault({}) }),
  errors: ['mapping_invalid', 'filter_invalid', 'form_invalid', 'workflow_not_published', 'conflict', 'not_found'],
})

const previewSchedule = operation({
  ...base,
  auth: { scope: 'triggers:read' },
  id: 'triggers.previewSchedule',
  auditors: true,
  method: 'POST',
  path: `${path}/schedule/preview`,
  summary: 'Show the next times of a schedule',
  description: policy,
  audit: 'none',
  idempotency: 'keyed',
  body: z.strictObject({
    schedule: Schedule,
    count: z.int().min(1).max(100).default(10),
    after: Timestamp.optional().describe('Now unless given.'),
  }),
  reply: z.object({ timeZone: z.string(), times: z.array(DueTime) }),
  errors: ['schedule_invalid'],
})

const toggleBody = z.strictObject({ enabled: z.boolean().optional().describe('The other state unless given.') })
const toggles = {
  ...writes,
  method: 'PATCH',
  audit: 'trigger.toggled',
  idempotency: 'natural',
  requestHeaders: ['If-Match'],
  replyHeaders: ['ETag'],
  params: byId,
  body: toggleBody,
  reply: Trigger,
} as const

const toggle = operation({
  ...toggles,
  id: 'triggers.toggle',
  path: `${path}/{id}/toggle`,
  summary: 'Enable or disable a trigger',
  description:
    'Once the response says disabled, no due time or event starts an execution. Enabling begins anew: times that passed meanwhile are not missed times. A watch continues at its position.',
})

const toggleSchedule = operation({
  ...toggles,
  id: 'triggers.toggleSchedule',
  path: `${path}/schedule/{id}/toggle`,
  summary: 'Enable or disable a schedule',
  description: 'Like the toggle of any trigger; 404 for a trigger of another kind.',
})

const update = operation({
  ...writes,
  id: 'triggers.update',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary: 'Change a trigger',
  description:
    'A member that is not given stays as it is. `schedule`, `webhook`, `event` and `watch` are replaced as a whole, with the defaults of what they leave out; null removes `input`, `mapping` or `filter`. A webhook keeps its URL, and its secret unless you give another one or another scheme. A changed schedule is due from now on, a watch of another place begins anew, and failures count from zero. A trigger of a definition is changed there.',
  audit: 'trigger.updated',
  idempotency: 'natural',
  requestHeaders: ['If-Match'],
  replyHeaders: ['ETag'],
  params: byId,
  body: z.strictObject({
    name: TriggerName.optional(),
    input: JsonValue.nullable().optional().describe('Null removes it.'),
    mapping: Mapping.nullable().optional().describe('Null removes it.'),
    filter: TriggerFilter.nullable().optional().describe('Null removes it.'),
    schedule: Schedule.optional(),
    webhook: Webhook.optional(),
    event: TriggerEvent.optional(),
    watch: TriggerWatch.optional(),
  }),
  reply: TriggerWithSecret,
  errors: ['schedule_invalid', 'mapping_invalid', 'filter_invalid', 'form_invalid', 'input_invalid', 'workflow_not_published', 'conflict'],
})

const remove = operation({
  ...writes,
  id: 'triggers.delete',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a trigger',
  description:
    'Executions that it started continue. A trigger of a definition cannot be deleted: remove `schedule` from the definition, or disable it.',
  audit: 'trigger.deleted',
  idempotency: 'natural',
  requestHeaders: ['If-Match'],
  params: byId,
  reply: z.object({ id: typeId('trg'), deleted: z.literal(true) }),
  errors: ['conflict'],
})

const fire = operation({
  ...base,
  auth: { scope: 'executions:run' },
  role: 'member',
  rateLimit: 'execution',
  id: 'triggers.fire',
  method: 'POST',
  path: `${path}/{id}/fire`,
  summary: 'Fire a trigger now',
  description: 'Starts the workflow as the trigger would. `input` replaces the input of the trigger; its mapping applies.',
  audit: 'trigger.fired',
  idempotency: 'keyed',
  transaction: 'own',
  params: byId,
  body: z.strictObject({ input: JsonValue.optional() }),
  reply: z.object({ triggerId: typeId('trg'), executionId: typeId('exec') }),
  errors: [
    'trigger_disabled',
    'mapping_failed',
    'workflow_disabled',
    'workflow_not_published',
    'input_invalid',
    'personal_data_blocked',
    'quota_exceeded',
    'overloaded',
  ],
})

const SkippedTime = z
  .object({
    dueAt: z.iso.datetime().describe('When the schedule was due, or the event or item came.'),
    at: z.iso.datetime().describe('When it was refused first.'),
    reason: z.string().describe('Which quota was used up, and until when.'),
    state: z
      .enum(['waiting', 'started', 'skipped'])
      .describe(
        '`waiting`: it starts when the quota allows it, of a schedule by the policy `missed`. `started`: it has. `skipped`: it does not start any more.',
      ),
    executionId: typeId('exec').nullable().describe('What it started.'),
  })
  .meta({ id: 'SkippedTime' })

const deliveries = operation({
  ...reads,
  id: 'triggers.deliveries',
  method: 'GET',
  path: `${path}/{id}/deliveries`,
  summary: 'List the deliveries of a webhook',
  description: 'Requests to the URL of the webhook, refused ones included; kept for 7 days, 1,000 at most.',
  params: byId,
  query: z.strictObject({
    ...listQuery,
    outcome: WebhookDelivery.shape.outcome.optional(),
    test: z.stringbool().optional().describe('Only requests to the test URL, or none of them.'),
  }),
  reply: listPage(WebhookDelivery),
})

const skipped = operation({
  ...reads,
  id: 'triggers.skipped',
  method: 'GET',
  path: `${path}/{id}/skipped`,
  summary: 'List starts that a quota refused',
  description:
    'Due times of a schedule, and events and items of a watch, that could not start because a quota was used up; kept for 90 days. Of events and items up to 1,000 wait for the quota; further ones are dropped and not listed.',
  params: byId,
  query: z.strictObject(listQuery),
  reply: listPage(SkippedTime, 'the latest due time first'),
})

const delivery = operation({
  ...base,
  auth: { scope: 'triggers:write' },
  role: 'member',
  id: 'triggers.delivery',
  method: 'GET',
  path: `${path}/deliveries/{deliveryId}`,
  summary: 'Read a delivery',
  description: 'With the request itself, if it was sent to the test URL.',
  audit: 'none',
  idempotency: 'natural',
  params: z.object({ deliveryId: typeId('whd') }),
  reply: WebhookDeliveryContent,
})

const test = operation({
  ...writes,
  id: 'triggers.test',
  method: 'POST',
  path: `${path}/{id}/test`,
  summary: 'Listen for test requests to a webhook',
  description:
    'For a while the test URL of the webhook takes up to 20 requests, also where the webhook is disabled or its workflow was never published. Signature, addresses, methods, filter, mapping and reply are those of the webhook. Each request starts a test of the draft: an execution with the origin `test` that reads the variables and secrets of the environment `draft`. With `start: false` it is only shown. `GET /api/v1/triggers/{id}/deliveries?test=true` lists what came. Listening again begins anew. Starting tests needs the scope `executions:run`.',
  audit: 'trigger.listening',
  idempotency: 'keyed',
  params: byId,
  body: z.strictObject({
    seconds: z.int().min(10).max(600).default(120).describe('How long it listens.'),
    start: z.boolean().default(true).describe('Whether a request starts a test of the draft.'),
  }),
  reply: Trigger,
})

const stopTest = operation({
  ...writes,
  id: 'triggers.stopTest',
  method: 'DELETE',
  path: `${path}/{id}/test`,
  summary: 'Stop listening for test requests',
  description: 'Once the response is sent, the test URL takes no request. Tests that have started continue.',
  audit: 'none',
  idempotency: 'natural',
  params: byId,
  reply: Trigger,
})

const replayDelivery = operation({
  ...base,
  auth: { scope: 'executions:run' },
  role: 'member',
  rateLimit: 'execution',
  id: 'triggers.replayDelivery',
  method: 'POST',
  path: `${path}/deliveries/{deliveryId}/replay`,
  summary: 'Start again from a delivery',
  description:
    'Starts the workflow with the content of an accepted or ignored delivery, and the current filter and mapping of the trigger. The content of a delivery to the test URL starts a test of the draft.',
  audit: 'trigger.replayed',
  idempotency: 'keyed',
  transaction: 'own',
  params: z.object({ deliveryId: typeId('whd') }),
  reply: z.object({ triggerId: typeId('trg'), executionId: typeId('exec') }),
  errors: [
    'conflict',
    'delivery_ignored',
    'filter_failed',
    'mapping_failed',
    'workflow_disabled',
    'workflow_invalid',
    'workflow_not_published',
    'input_invalid',
    'personal_data_blocked',
    'quota_exceeded',
    'overloaded',
  ],
})

/** What starts workflows other than a request: schedules, webhooks, events, watches, people. */
export const triggers = {
  list,
  ofWorkflow,
  get,
  create,
  createSchedule,
  createWebhook,
  previewSchedule,
  toggle,
  toggleSchedule,
  update,
  delete: remove,
  fire,
  deliveries,
  skipped,
  delivery,
  replayDelivery,
  test,
  stopTest,
} as const
