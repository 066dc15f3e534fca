import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { JsonValue } from '#src/json.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { ExecutionState, TriggerKind } from './execution-schemas.ts'

const expression = z.string().min(1).max(10_000)

const step = {
  name: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_]{0,62}$/, { error: 'Must begin with a letter and have only letters, digits and underscores.' })
    .meta({ description: 'Name of the member; later members read its output as `$steps.<name>`.', examples: ['charge'] }),
  workflowId: typeId('wf'),
  mapping: expression
    .optional()
    .describe(
      'jq expression that makes the input: `.` is the output of the previous member, `$steps.<name>` of an earlier one, `$workflow.input` the input of the chain. Unless given, the output of the previous member.',
    ),
  condition: expression.optional().describe('jq expression on the same data; if it is false or null, the member is skipped.'),
  onFault: z
    .enum(['stop', 'continue'])
    .default('stop')
    .describe('If the member faults: end the chain with its error, or continue with `{ fault: <the error> }` as its output.'),
} as const

const Member = z
  .strictObject({
    ...step,
    workflowId: step.workflowId.optional().describe('The workflow to run; not of a group.'),
    parallel: z
      .array(z.strictObject(step))
      .min(1)
      .max(20)
      .optional()
      .describe('A group of members that run at the same time; its output is the list of theirs.'),
  })
  .meta({ id: 'ChainMember', examples: [{ name: 'charge', workflowId: 'wf_01h455vb4pex5vsknk084sn02q' }] })

const Run = z.object({
  executionId: typeId('exec'),
  state: ExecutionState,
  trigger: TriggerKind,
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
})

const Chain = z
  .object({
    id: typeId('chn'),
    name: z.string(),
    description: z.string().nullable(),
    members: z.array(Member),
    workflowId: typeId('wf').describe(
      'The workflow that the chain is compiled to. Give it to a trigger to start the chain by a schedule or a webhook.',
    ),
    revision: z.int().describe('Incremented by every change; also in `ETag`.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Chain' })

const Detail = Chain.extend({ runs: z.array(Run).describe('The last ten runs, newest first.') }).meta({ id: 'ChainDetail' })

const content = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .meta({ examples: ['Order to delivery'] }),
  description: z.string().max(2_000).nullable().optional(),
  members: z.array(Member).min(1).max(50),
} as const

const base = { stability: 'beta', rateLimit: 'default', errors: [] } as const
const reads = { ...base, auth: { scope: 'triggers:read' }, audit: 'none', idempotency: 'natural' } as const
const writes = { ...base, auth: { scope: 'triggers:write' }, role: 'member' } as const
const path = '/api/v1/chains'
const byId = z.object({ id: typeId('chn') })

const list = operation({
  ...reads,
  id: 'chains.list',
  method: 'GET',
  path,
  summary: 'List the chains',
  query: z.strictObject(listQuery),
  reply: listPage(Chain),
})

const create = operation({
  ...writes,
  id: 'chains.create',
  method: 'POST',
  path,
  summary: 'Create a chain',
  description: 'Its members run one after the other, each with the output of the one before it unless a mapping says otherwise.',
  audit: 'chain.created',
  idempotency: 'keyed',
  replyHeaders: ['ETag', 'Location'],
  body: z.strictObject(content),
  reply: Chain,
  errors: ['publishing_restricted', 'chain_invalid', 'conflict'],
})

const get = operation({
  ...reads,
  id: 'chains.get',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Read a chain with its last runs',
  replyHeaders: ['ETag'],
  params: byId,
  reply: Detail,
})

const update = operation({
  ...writes,
  id: 'chains.update',
  method: 'PUT',
  path: `${path}/{id}`,
  summary: 'Change a chain',
  description: 'Members that are left out stay. Runs that have begun continue as they were.',
  audit: 'chain.updated',
  idempotency: 'natural',
  requestHeaders: ['If-Match'],
  replyHeaders: ['ETag'],
  params: byId,
  body: z.strictObject({ name: content.name.optional(), description: content.description, members: content.members.optional() }),
  reply: Chain,
  errors: ['publishing_restricted', 'chain_invalid', 'conflict'],
})

const remove = operation({
  ...writes,
  id: 'chains.delete',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a chain',
  description: 'Its runs continue. Its members are not deleted.',
  audit: 'chain.deleted',
  idempotency: 'natural',
  requestHeaders: ['If-Match'],
  params: byId,
  reply: z.object({ id: typeId('chn'), deleted: z.literal(true) }),
})

const run = operation({
  ...base,
  auth: { scope: 'executions:run' },
  role: 'member',
  rateLimit: 'execution',
  id: 'chains.run',
  method: 'POST',
  path: `${path}/{id}/run`,
  summary: 'Run a chain',
  description: 'Starts one execution, which runs the members as its children. Follow it as any other execution.',
  audit: 'chain.run',
  idempotency: 'keyed',
  transaction: 'own',
  params: byId,
  body: z.strictObject({ input: JsonValue.optional() }),
  reply: z.object({ chainId: typeId('chn'), executionId: typeId('exec') }),
  errors: [
    'chain_invalid',
    'personal_data_blocked',
    'workflow_disabled',
    'workflow_not_published',
    'quota_exceeded',
    'overloaded',
    'conflict',
  ],
})

/** Workflows that run one after the other. */
export const chains = { list, create, get, update, delete: remove, run } as const
