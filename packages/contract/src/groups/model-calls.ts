import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { listPage, listQuery } from '#src/list.ts'
import { modelRoles, modelTexts } from '#src/model-roles.ts'
import { operation } from '#src/operation.ts'

const ModelCall = z
  .object({
    id: typeId('mcall'),
    at: z.iso.datetime().describe('When the answer was complete.'),
    executionId: typeId('exec').nullable().describe('The execution that asked; null for a request of a person.'),
    position: z.string().nullable().describe('Of the task in its execution.'),
    role: z.enum(modelRoles),
    model: z.string().describe('Name of the model in the configuration.'),
    modelId: z.string().describe('Id of the model at its endpoint.'),
    promptDigest: z
      .string()
      .describe('SHA-256 of what was sent: messages, tools and schema as JSON (RFC 8785). The journal and receipts have the same.'),
    answerDigest: z.string().describe('SHA-256 of what the model returned: `text` and `toolCalls` as JSON (RFC 8785).'),
    inputTokens: z.int(),
    outputTokens: z.int(),
    texts: z.enum(modelTexts).describe('Whether the prompt and the answer are kept.'),
    expiresAt: z.iso.datetime().describe('The record is deleted then.'),
  })
  .meta({ id: 'ModelCall', description: 'A call of a model.' })

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
  description: 'Calls that returned a text: of executions, agents, the assistant, and generations. Newest first, without the texts.',
  auth: { scope: 'models:read' },
  query: z.strictObject({ ...listQuery, executionId: typeId('exec').optional().describe('Calls of this execution only.') }),
  reply: listPage(ModelCall),
  errors: [],
})

const get = operation({
  ...base,
  id: 'modelCalls.get',
  path: '/api/v1/model-calls/{id}',
  summary: 'Read a call of a model with its prompt and answer',
  description:
    'The texts are as they left and reached the installation: personal data that a policy redacted is not in them. They are null unless `texts` of the model settings was `kept` when the model answered.',
  auth: { scope: 'executions:read' },
  audit: 'model.call_read',
  params: z.object({ id: typeId('mcall') }),
  reply: ModelCall.extend({
    prompt: z.string().nullable().describe('JSON with `messages`, `tools` and `schema`.'),
    answer: z.string().nullable().describe('JSON with `text` and `toolCalls`.'),
  }).meta({ id: 'ModelCallWithTexts' }),
  errors: ['not_found'],
})

/** Records of the calls of models. */
export const modelCalls = { list, get } as const
