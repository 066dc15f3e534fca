import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { JsonValue } from '#src/json.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'

export const variableKinds = ['text', 'number', 'boolean', 'json', 'secret'] as const
export const variableEnvironments = ['all', 'draft', 'production'] as const

const Name = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, {
    error: 'Must begin with a letter or _, followed by letters, digits and _, at most 100 characters, so that expressions can name it.',
  })
  .meta({ description: 'Name in definitions: `$variables.NAME`, or `$secrets.NAME` for a secret.', examples: ['REGION'] })

const Kind = z.enum(variableKinds).describe('`secret`: sealed, never in lists, read by definitions as `$secrets.NAME`.')

const Environment = z
  .enum(variableEnvironments)
  .describe(
    'Where it applies. A value for one environment takes precedence over one for `all`. Tests of drafts use `draft`, all other executions `production`.',
  )

const Description = z.string().max(500).meta({ description: 'What it is for.' })

const Variable = z
  .object({
    id: typeId('var'),
    name: z.string(),
    kind: Kind,
    scope: z
      .enum(['account', 'workflow'])
      .describe('A variable of a workflow takes precedence over one of the account with the same name.'),
    workflowId: typeId('wf').nullable().describe('The workflow of the scope `workflow`.'),
    environment: Environment,
    value: JsonValue.optional().describe('Absent for a secret.'),
    masked: z.boolean().describe('True for a secret: its value is returned by `reveal` alone.'),
    description: z.string(),
    revision: z.int().describe('Incremented by every change; also in `ETag`.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Variable' })

const base = { stability: 'beta', rateLimit: 'default', errors: [] } as const
const writes = { ...base, auth: { scope: 'variables:write' }, role: 'member' } as const
const path = '/api/v1/variables'
const byId = z.object({ id: typeId('var') })

const list = operation({
  ...base,
  id: 'variables.list',
  method: 'GET',
  path,
  summary: 'List variables and secrets',
  description: 'Values of secrets are not included.',
  auth: { scope: 'variables:read' },
  audit: 'none',
  idempotency: 'natural',
  query: z.strictObject({
    ...listQuery,
    scope: z.enum(['account', 'workflow']).optional(),
    workflowId: typeId('wf').optional().describe('Only variables of this workflow.'),
    kind: Kind.optional(),
    environment: Environment.optional(),
    name: z.string().max(100).optional().describe('Only those whose name contains this text, in any case.'),
  }),
  reply: listPage(Variable),
})

const create = operation({
  ...writes,
  id: 'variables.create',
  method: 'POST',
  path,
  summary: 'Create a variable or a secret',
  description:
    'Without `workflowId` it applies to every workflow of the account. The value of a secret is a text of at least 4 characters, or an object for an authentication policy, such as `{ "username": "…", "password": "…" }`. A definition that reads the secret `NAME` lists it in `use.secrets`.',
  audit: 'variable.created',
  idempotency: 'keyed',
  replyHeaders: ['ETag', 'Location'],
  body: z.strictObject({
    name: Name,
    kind: Kind.default('text'),
    value: JsonValue.meta({ description: 'Of the type that `kind` names.', examples: ['eu-central-1'] }),
    workflowId: typeId('wf').optional(),
    environment: Environment.default('all'),
    description: Description.default(''),
  }),
  reply: Variable,
  errors: ['conflict'],
})

const update = operation({
  ...writes,
  id: 'variables.update',
  method: 'PUT',
  path: `${path}/{id}`,
  summary: 'Change a variable or a secret',
  description:
    'Members that are left out stay. Executions that begin afterwards use the new value; for a secret, those that continue do as well. A secret stays a secret.',
  audit: 'variable.updated',
  idempotency: 'natural',
  requestHeaders: ['If-Match'],
  replyHeaders: ['ETag'],
  params: byId,
  body: z.strictObject({ value: JsonValue.optional(), kind: Kind.optional(), description: Description.optional() }),
  reply: Variable,
  errors: ['conflict'],
})

const remove = operation({
  ...writes,
  id: 'variables.delete',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a variable or a secret',
  audit: 'variable.deleted',
  idempotency: 'natural',
  requestHeaders: ['If-Match'],
  params: byId,
  reply: z.object({ id: typeId('var'), deleted: z.literal(true) }),
})

const reveal = operation({
  ...base,
  id: 'variables.reveal',
  method: 'GET',
  path: `${path}/{id}/reveal`,
  summary: 'Reveal the value of a secret',
  description: 'Only for a signed-in administrator with a proof of identity within the last ten minutes. Every call leaves an audit row.',
  auth: { scope: 'variables:reveal', stepUp: 'PT10M' },
  role: 'admin',
  audit: 'variable.revealed',
  idempotency: 'natural',
  params: byId,
  reply: z.object({ id: typeId('var'), name: z.string(), kind: Kind, value: JsonValue, revision: z.int() }),
  errors: ['conflict'],
})

/** Settings and secrets that definitions read by name. */
export const variables = { list, create, update, delete: remove, reveal } as const
