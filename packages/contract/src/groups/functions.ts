import * as z from 'zod'
import { JsonValue } from '#src/json.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'

const origins = ['installation', 'account', 'submission'] as const

const FunctionSummary = z
  .object({
    name: z.string().describe('As in `call`.'),
    version: z.string(),
    summary: z.string(),
    connector: z.string().nullable().describe('Name of the connector that the function is of.'),
    origin: z.enum(origins),
  })
  .meta({ id: 'FunctionSummary' })

const FunctionDetails = FunctionSummary.extend({
  input: JsonValue.describe('JSON Schema of `with`, once its expressions are evaluated.'),
  output: JsonValue.describe('JSON Schema of the output.'),
}).meta({ id: 'FunctionDetails' })

const base = { stability: 'beta', rateLimit: 'default', auth: { scope: 'connectors:read' }, audit: 'none', idempotency: 'natural' } as const

const list = operation({
  ...base,
  id: 'functions.list',
  method: 'GET',
  path: '/api/v1/functions',
  summary: 'List the functions that definitions can call',
  description: 'Functions of the installation, of the connectors of the account, and of approved connectors, by name.',
  transaction: 'own',
  query: z.strictObject({
    ...listQuery,
    q: z.string().trim().min(1).max(100).optional().describe('Only those whose name and summary contain each of these words.'),
    connector: z.string().max(63).optional().describe('Only the functions of this connector.'),
  }),
  reply: listPage(FunctionSummary),
  errors: [],
})

const get = operation({
  ...base,
  id: 'functions.get',
  method: 'GET',
  path: '/api/v1/functions/{name}',
  summary: 'Read the manifest of a function',
  transaction: 'own',
  params: z.object({ name: z.string().max(200) }),
  reply: FunctionDetails,
  errors: [],
})

/** The functions that definitions call by name, with what they take and give. */
export const functions = { list, get } as const
