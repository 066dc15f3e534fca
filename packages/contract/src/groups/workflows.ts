import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { JsonValue } from '#src/json.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { Timestamp } from '#src/time.ts'
import { VersionNumber, VersionNumberText } from '#src/version-number.ts'
import { Execution, ExecutionDetail, ExecutionState, ExecutionSummary, TriggerKind } from './execution-schemas.ts'
import {
  Definition,
  Description,
  definitionBytesMax,
  ExportDocument,
  Name,
  Requirements,
  Tags,
  Workflow,
  WorkflowState,
  WorkflowSummary,
} from './workflow-schemas.ts'

const byId = z.object({ id: typeId('wf') })
const document = { field: 'definition', mark: 'do' } as const
// A definition inside JSON grows by its escapes.
const bodyLimit = 2 * definitionBytesMax

const list = operation({
  id: 'workflows.list',
  method: 'GET',
  path: '/api/v1/workflows',
  summary: 'List the workflows',
  description: 'Each with the state of its last execution. All filters given have to hold.',
  stability: 'stable',
  auth: { scope: 'workflows:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  query: z.strictObject({
    ...listQuery,
    state: WorkflowState.optional(),
    tag: z.string().min(1).max(64).optional(),
    trigger: TriggerKind.optional().describe('Only those that this can start.'),
    q: z.string().trim().min(1).max(200).optional().describe('Text to be found in name or description.'),
    sort: z
      .enum(['created', 'name', 'lastExecution'])
      .default('created')
      .describe('`created` and `lastExecution` are newest first, `name` ascends.'),
  }),
  reply: listPage(WorkflowSummary),
  errors: [],
})

const create = operation({
  id: 'workflows.create',
  method: 'POST',
  path: '/api/v1/workflows',
  summary: 'Create a workflow',
  description:
    'Takes a definition: as the whole body (YAML as `application/yaml`, or the document itself as JSON), or as the member `definition`, object or text. Every error in it is reported at once as `diagnostics` of a 422. Publishes version 1 unless `publish` is false.',
  stability: 'stable',
  auth: { scope: 'workflows:write' },
  role: 'member',
  rateLimit: 'default',
  audit: 'workflow.created',
  idempotency: 'keyed',
  bodyLimit,
  document,
  replyHeaders: ['ETag', 'Location'],
  body: z.strictObject({
    definition: Definition,
    name: Name.optional().describe('Title or name of the document unless given.'),
    description: Description.optional().describe('Summary of the document unless given.'),
    tags: Tags.optional(),
    publish: z.boolean().default(true).describe('False keeps it a draft that cannot run.'),
  }),
  reply: Workflow,
  errors: ['workflow_invalid', 'workflow_name_taken', 'quota_exceeded'],
})

const get = operation({
  id: 'workflows.get',
  method: 'GET',
  path: '/api/v1/workflows/{id}',
  summary: 'Read a workflow',
  description: 'With the definition of its draft, or of the published version given. `ETag` carries the revision for `If-Match`.',
  stability: 'stable',
  auth: { scope: 'workflows:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  transaction: 'own',
  replyHeaders: ['ETag'],
  params: byId,
  query: z.strictObject({
    version: VersionNumberText.optional().describe('A published version instead of the draft.'),
  }),
  reply: Workflow,
  errors: [],
})

const update = operation({
  id: 'workflows.update',
  method: 'PUT',
  path: '/api/v1/workflows/{id}',
  summary: 'Change a workflow',
  description:
    'Members that are left out stay. Takes a definition like creation does; it becomes the draft and, unless `publish` is false, the next version, which is immutable: running executions stay on theirs. With `If-Match`, a change by somebody else in the meantime is a 409.',
  stability: 'stable',
  auth: { scope: 'workflows:write' },
  role: 'member',
  rateLimit: 'default',
  audit: 'workflow.updated',
  idempotency: 'natural',
  bodyLimit,
  document,
  requestHeaders: ['If-Match'],
  replyHeaders: ['ETag'],
  params: byId,
  body: z.strictObject({
    definition: Definition.optional(),
    name: Name.optional(),
    description: Description.nullable().optional(),
    tags: Tags.optional(),
    enabled: z.boolean().optional().describe('False: nothing starts it until it is true again.'),
    publish: z
      .boolean()
      .optional()
      .describe('True publishes the draft if it differs from the latest version; unless told, true when a definition is given.'),
  }),
  reply: Workflow,
  errors: ['workflow_invalid', 'workflow_name_taken'],
})

const remove = operation({
  id: 'workflows.delete',
  method: 'DELETE',
  path: '/api/v1/workflows/{id}',
  summary: 'Delete a workflow',
  description: 'Nothing starts it any more and it is in no list. Its executions go on and stay readable.',
  stability: 'stable',
  auth: { scope: 'workflows:write' },
  role: 'member',
  rateLimit: 'default',
  audit: 'workflow.deleted',
  idempotency: 'natural',
  requestHeaders: ['If-Match'],
  params: byId,
  reply: z.object({ id: typeId('wf'), deleted: z.literal(true) }),
  errors: [],
})

const execute = operation({
  id: 'workflows.execute',
  method: 'POST',
  path: '/api/v1/workflows/{id}/execute',
  summary: 'Start an execution',
  description:
    'Answers as soon as the execution is durably accepted, with its `Location`. With `Prefer: wait=N` it answers when the execution has ended or answered (`call: respond`), or after N seconds with the state that it then has.',
  stability: 'stable',
  auth: { scope: 'executions:run' },
  role: 'member',
  rateLimit: 'execution',
  // A start leaves no row in the audit log: the row of the execution says who started what and when, and a second write would halve the speed.
  audit: 'none',
  idempotency: 'execution',
  transaction: 'own',
  requestHeaders: ['Prefer'],
  replyHeaders: ['Location', 'Preference-Applied'],
  params: byId,
  body: z.strictObject({
    input: JsonValue.optional().describe('Input of the execution; an empty object unless given.'),
    version: VersionNumber.optional().describe('Published version to run; the latest unless given.'),
  }),
  reply: Execution,
  errors: ['workflow_not_published', 'workflow_disabled', 'input_invalid', 'quota_exceeded', 'overloaded'],
})

const executions = operation({
  id: 'workflows.executions',
  method: 'GET',
  path: '/api/v1/workflows/{id}/executions',
  summary: 'List the executions of a workflow',
  description: 'Newest first. All filters given have to hold.',
  stability: 'stable',
  auth: { scope: 'executions:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  params: byId,
  query: z.strictObject({
    ...listQuery,
    state: ExecutionState.optional(),
    trigger: TriggerKind.optional(),
    from: Timestamp.optional().describe('Accepted at this time or later.'),
    to: Timestamp.optional().describe('Accepted before this time.'),
  }),
  reply: listPage(ExecutionSummary),
  errors: [],
})

const execution = operation({
  id: 'workflows.execution',
  method: 'GET',
  path: '/api/v1/workflows/executions/{executionId}',
  summary: 'Read an execution with its timeline',
  description:
    'What every task did: when, with what input, to what output or error. Values over 16 KiB stand as references; follow their `href`, or ask for `values=inline`.',
  stability: 'stable',
  auth: { scope: 'executions:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  transaction: 'own',
  params: z.object({ executionId: typeId('exec') }),
  query: z.strictObject({
    values: z.enum(['reference', 'inline']).default('reference').describe('How large values are given.'),
    task: z.string().max(1000).optional().describe('Only the timeline of the task with this reference (JSON Pointer).'),
    limit: z.coerce
      .number<number>()
      .int()
      .min(1)
      .max(1000)
      .default(500)
      .describe('How many timeline entries to return at most; a page has fewer where their values have more than 4 MiB together.'),
    cursor: listQuery.cursor,
  }),
  reply: ExecutionDetail,
  errors: [],
})

const requirements = operation({
  id: 'workflows.executionRequirements',
  method: 'GET',
  path: '/api/v1/workflows/{id}/execution-requirements',
  summary: 'Tell what a workflow needs to run',
  description:
    'The schema of its input, and the secrets, connections, events, child workflows and permissions that it uses, with those that are missing.',
  stability: 'stable',
  auth: { scope: 'workflows:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  params: byId,
  reply: Requirements,
  errors: [],
})

const exportOne = operation({
  id: 'workflows.export',
  method: 'GET',
  path: '/api/v1/workflows/{id}/export',
  summary: 'Export a workflow',
  description:
    'The definition in its canonical form with a checksum and a list of what it needs. Importing it elsewhere and exporting it again gives the same document.',
  stability: 'stable',
  auth: { scope: 'workflows:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  transaction: 'own',
  params: byId,
  query: z.strictObject({
    syntax: z.enum(['yaml', 'json']).default('yaml'),
    version: VersionNumberText.optional().describe('A published version instead of the draft.'),
  }),
  reply: ExportDocument,
  errors: [],
})

const importOne = operation({
  id: 'workflows.import',
  method: 'POST',
  path: '/api/v1/workflows/import',
  summary: 'Import a workflow',
  description: 'Takes what the export gave, checks its checksum, and creates a workflow from it, as a draft unless `publish` is true.',
  stability: 'stable',
  auth: { scope: 'workflows:write' },
  role: 'member',
  rateLimit: 'default',
  audit: 'workflow.imported',
  idempotency: 'keyed',
  bodyLimit,
  replyHeaders: ['ETag', 'Location'],
  body: z.strictObject({
    export: z.looseObject({
      format: z.literal('millrace/workflow'),
      formatVersion: z.literal(1),
      name: Name.optional(),
      description: Description.nullable().optional(),
      tags: Tags.optional(),
      document: z.string().min(1).max(definitionBytesMax),
      checksum: z.string().max(200).optional(),
    }),
    name: Name.optional().describe('Replaces the name in the export.'),
    publish: z.boolean().default(false),
  }),
  reply: Workflow,
  errors: ['workflow_invalid', 'workflow_name_taken', 'import_invalid', 'quota_exceeded'],
})

const createFromTemplate = operation({
  id: 'workflows.createFromTemplate',
  method: 'POST',
  path: '/api/v1/workflows/from-template/{templateId}',
  summary: 'Create a workflow from a template',
  description:
    'Name, description and tags are those of the template. With a `name` of your own the document is named after it as well, so that a template can be used many times. Publishes version 1 unless `publish` is false.',
  stability: 'stable',
  auth: { scope: 'workflows:write' },
  role: 'member',
  rateLimit: 'default',
  audit: 'workflow.created',
  idempotency: 'keyed',
  replyHeaders: ['ETag', 'Location'],
  params: z.object({ templateId: z.string().max(100).describe('Such as `order-processing`.') }),
  body: z.strictObject({
    name: Name.optional().describe('Title of the template unless given.'),
    publish: z.boolean().default(true).describe('False keeps it a draft that cannot run.'),
  }),
  reply: Workflow,
  errors: ['workflow_invalid', 'workflow_name_taken', 'quota_exceeded'],
})

/** Workflows, their versions, and their executions. */
export const workflows = {
  list,
  create,
  get,
  update,
  delete: remove,
  execute,
  executions,
  execution,
  executionRequirements: requirements,
  export: exportOne,
  import: importOne,
  createFromTemplate,
} as const
