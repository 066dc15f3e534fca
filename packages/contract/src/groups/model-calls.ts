import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { listPage, listQuery } from '#src/list.ts'
import { modelCallStates, modelFailures, modelFinishes, modelRoles, modelTexts } from '#src/model-roles.ts'
import { operation } from '#src/operation.ts'
import { Timestamp } from '#src/time.ts'

const ModelCall = z
  .object({
    id: typeId('mcall'),
    at: z.iso.datetime().describe('When the answer was complete, or the call failed.'),
    executionId: typeId('exec').nullable().describe('The execution that asked; null for a request of a person.'),
    workflowId: typeId('wf').nullable().describe('The workflow of the execution; null for a request of a person.'),
    position: z.string().nullable().describe('Of the task in its execution.'),
    role: z.enum(modelRoles),
    state: z.enum(modelCallStates),
    failure: z
      .enum(modelFailures)
      .nullable()
      .describe(
        'Why it failed: `provider` refused it or cannot be reached, `timeout` of the model, `unreadable` answer, `quota` of the account, `privacy` of personal data, `stopped` before it was answered. Null if it was answered.',
      ),
    error: z.string().nullable().describe('The failure in words. Null if it was answered.'),
    model: z.string().describe('Name of the model in the configuration.'),
    modelId: z.string().describe('Id of the model at its endpoint.'),
    promptDigest: z
      .string()
      .nullable()
      .describe(
        'SHA-256 of what was sent: messages, tools and schema as JSON (RFC 8785). The journal and receipts have the same. Null if nothing was sent.',
      ),
    answerDigest: z
      .string()
      .nullable()
      .describe('SHA-256 of what the model returned: `text` and `toolCalls` as JSON (RFC 8785). Null if it returned none.'),
    inputTokens: z.int().describe('0 for a failure about which the provider states none.'),
    outputTokens: z.int(),
    cost: z.number().nullable().describe('By the prices of the model; 0 without prices, null for calls before the cost was recorded.'),
    durationMs: z
      .int()
      .nullable()
      .describe('From the request to the end of the answer or the failure; null for calls before it was recorded.'),
    finish: z
      .enum(modelFinishes)
      .nullable()
      .describe(
        'How the answer ended: `stop` whole, `length` at its limit of tokens, `tools` with calls of tools, `refused` by the model. Null without an answer, and for calls before it was recorded.',
      ),
    texts: z.enum(modelTexts).describe('Whether the prompt and the answer are kept.'),
    expiresAt: z.iso.datetime().describe('The record is deleted then.'),
  })
  .meta({ id: 'ModelCall', description: 'A call of a model.' })

const sums = {
  calls: z.int(),
  failed: z.int().describe('Of the calls.'),
  inputTokens: z.int(),
  outputTokens: z.int(),
  cost: z.number().describe('By the prices of the models, in the currency of the prices; 0 without prices.'),
} as const

const wanted = {
  workflowId: typeId('wf').optional().describe('Calls of executions of this workflow only.'),
  model: z.string().max(200).optional().describe('Calls of the model with this name in the configuration only.'),
  state: z.enum(modelCallStates).optional().describe('Calls in this state only.'),
  from: Timestamp.optional().describe('Ended at this time or later.'),
  to: Timestamp.optional().describe('Ended before this time.'),
} as const

const base = {
  stability: 'beta',
  method: 'GET',
  role: 'admin',
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
} as const

const list = operation({
  ...base,
  id: 'modelCalls.list',
  path: '/api/v1/model-calls',
  summary: 'List calls of models',
  description:
    'Calls of executions, agents, the assistant, and generations, also those that failed: each attempt at each model is one. Newest first, without the texts.',
  auth: { scope: 'models:read' },
  query: z.strictObject({
    ...listQuery,
    executionId: typeId('exec').optional().describe('Calls of this execution only.'),
    position: z.string().max(2000).optional().describe('Calls of the task at this position, and of tasks inside of it.'),
    ...wanted,
  }),
  reply: listPage(ModelCall),
  errors: [],
})

const get = operation({
  ...base,
  id: 'modelCalls.get',
  path: '/api/v1/model-calls/{id}',
  summary: 'Read a call of a model with its prompt and answer',
  description:
    'The texts are as they left and reached the installation: personal data that a policy redacted is not in them. They are null unless `texts` of the model settings was `kept` when the call ended; a call that failed may have no answer.',
  auth: { scope: 'executions:read' },
  audit: 'model.call_read',
  params: z.object({ id: typeId('mcall') }),
  reply: ModelCall.extend({
    prompt: z.string().nullable().describe('JSON with `messages`, `tools` and `schema`.'),
    answer: z.string().nullable().describe('JSON with `text` and `toolCalls`.'),
  }).meta({ id: 'ModelCallWithTexts' }),
  errors: ['not_found'],
})

const usage = operation({
  ...base,
  id: 'modelCalls.usage',
  path: '/api/v1/model-usage',
  summary: 'Read what calls of models used and cost',
  description:
    'Sums of the calls that `modelCalls.list` has, by day, model and workflow. Records are kept for 30 days at most, so no period goes further back.',
  auth: { scope: 'models:read' },
  query: z.strictObject(wanted),
  reply: z
    .object({
      ...sums,
      days: z
        .array(
          z.object({
            day: z.iso
              .date()
              .describe('In UTC.')
              .meta({ examples: ['2026-01-31'] }),
            ...sums,
          }),
        )
        .describe('Days with calls, oldest first.'),
      models: z
        .array(z.object({ model: z.string().describe('Name of the model in the configuration.'), ...sums }))
        .describe('The 100 that cost most, the most expensive first.'),
      workflows: z
        .array(
          z.object({
            workflowId: typeId('wf').nullable().describe('Null for requests of people.'),
            workflowName: z.string().nullable().describe('Null for requests of people, and for a workflow that was deleted.'),
            ...sums,
          }),
        )
        .describe('The 100 that cost most, the most expensive first.'),
    })
    .meta({ id: 'ModelUse' }),
  errors: [],
})

/** Records of the calls of models. */
export const modelCalls = { list, get, usage } as const
