import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { JsonValue } from '#src/json.ts'
import { idsOf, listPage, listQuery, searchText } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { VersionNumberText } from '#src/version-number.ts'
import { TriggerKind } from './execution-schemas.ts'
import { ParameterValues } from './template-schemas.ts'
import { ImportedWorkflow, MillraceExport, ForeignWorkflow, N8nExport } from './import-schemas.ts'
import {
  Definition,
  Description,
  definitionBytesMax,
  EditedWorkflow,
  ExportDocument,
  ListedWorkflow,
  Name,
  Requirements,
  Tags,
  Workflow,
  WorkflowCaller,
  WorkflowState,
  WorkflowUse,
} from './workflow-schemas.ts'

const byId = z.object({ id: typeId('wf') })
const document = { field: 'definition', mark: 'do' } as const
// A definition inside JSON grows by its escapes.
const bodyLimit = 2 * definitionBytesMax
const Note = z.string().trim().max(2000)

const list = operation({
  id: 'workflows.list',
  method: 'GET',
  path: '/api/v1/workflows',
  summary: 'List the workflows',
  description: 'Each with the state of its last execution and the kinds of its enabled triggers. A workflow matches all given filters.',
  stability: 'stable',
  auth: { scope: 'workflows:read' },
  workflowKeys: 'filtered',
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  query: z.strictObject({
    ...listQuery,
    state: WorkflowState.optional(),
    tag: z.string().min(1).max(64).optional(),
    trigger: TriggerKind.optional().describe('Only workflows with this trigger.'),
    q: searchText.describe('Text in the name or description, or in the name or title of the definition.'),
    document: z
      .string()
      .max(200)
      .regex(/^[^/]+\/[^/]+$/, { error: 'Must be namespace/name.' })
      .optional()
      .describe(
        'Only the workflow with this `namespace/name` of its document: those of the latest version, or of the draft before the first one.',
      ),
    ids: idsOf(
      'wf',
      'Only these, separated by commas; also those that agents, chains and MCP tools are compiled to, which other lists leave out.',
    ).optional(),
    sort: z
      .enum(['created', 'name', 'lastExecution'])
      .default('created')
      .describe('`created` and `lastExecution` are newest first, `name` ascends.'),
  }),
  reply: listPage(ListedWorkflow),
  errors: [],
})

const tags = operation({
  id: 'workflows.tags',
  method: 'GET',
  path: '/api/v1/workflows/tags',
  summary: 'List the tags of the workflows',
  description: 'Each tag once, in alphabetical order, 1,000 at most.',
  stability: 'stable',
  auth: { scope: 'workflows:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  reply: z.object({
    data: z.array(z.object({ tag: z.string(), workflows: z.int().describe('How many workflows have it.') })),
  }),
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
    publish: z
      .boolean()
      .default(true)
      .describe('False keeps it a draft, which cannot run. The setting `publishers` of the account says who may publish.'),
    note: Note.optional().describe('What it does, for the list of versions. Kept when version 1 is published.'),
  }),
  reply: Workflow,
  errors: ['publishing_restricted', 'workflow_invalid', 'workflow_name_taken', 'quota_exceeded'],
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
  workflowKeys: { workflow: 'id' },
  query: z.strictObject({
    version: VersionNumberText.optional().describe('A published version instead of the draft.'),
    callers: z
      .stringbool()
      .optional()
      .describe('True: with what its deletion concerns: the workflows that run it as `callers`, `followers` and `awaitingTurns`.'),
  }),
  reply: EditedWorkflow.extend({
    callers: z.array(WorkflowCaller).optional().describe('With the query parameter `callers` only.'),
    followers: z
      .array(WorkflowCaller)
      .optional()
      .describe(
        'With `callers` only: the workflows that ends of its executions start, by an enabled trigger that names it. Triggers for the ends of all workflows are not among them.',
      ),
    awaitingTurns: z
      .int()
      .optional()
      .describe('With `callers` only: how many of its executions wait for their turn; more than 1,000 are not counted.'),
  }),
  errors: [],
})

const update = operation({
  id: 'workflows.update',
  method: 'PUT',
  path: '/api/v1/workflows/{id}',
  summary: 'Change a workflow',
  description:
    'Members that are left out stay unchanged. Takes a definition like creation does; it becomes the draft and, unless `publish` is false, the next version, which is immutable: running executions stay on their version. With `If-Match`, a concurrent change is a 409.',
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
    name: Name.optional().describe(
      'Until the first version, a document name that was made from the name follows it; not in a request that has a definition or publishes.',
    ),
    description: Description.nullable().optional(),
    tags: Tags.optional(),
    minutesPerRun: z
      .number()
      .min(0)
      .max(100_000)
      .nullable()
      .optional()
      .describe('Minutes of work that one completed execution saves, which the analytics add up; null states none.'),
    enabled: z
      .boolean()
      .optional()
      .describe('False: it cannot be started until it is true again. Enabling a published workflow is publishing it.'),
    publish: z
      .boolean()
      .optional()
      .describe(
        'True publishes the draft if it differs from the latest version; true with a definition unless given. The setting `publishers` of the account says who may publish.',
      ),
    note: Note.optional().describe('What changed, for the list of versions. Kept when this publishes one.'),
    input: JsonValue.optional().describe(
      'Input that the version which this publishes, or that is published already, has to accept, such as that of an execution that will follow. If its input schema refuses it, nothing changes.',
    ),
  }),
  reply: EditedWorkflow,
  errors: ['publishing_restricted', 'workflow_invalid', 'workflow_name_taken', 'input_invalid'],
})

const remove = operation({
  id: 'workflows.delete',
  method: 'DELETE',
  path: '/api/v1/workflows/{id}',
  summary: 'Delete a workflow',
  description:
    'It can no longer be started and is in no list. Its executions continue and stay readable. `callers` of the response are the workflows that run it, which fail from now on; `GET` with `callers=true` lists them before, with the workflows that start after it and the number of executions that wait for their turn, which still run.',
  stability: 'stable',
  auth: { scope: 'workflows:write' },
  role: 'member',
  rateLimit: 'default',
  audit: 'workflow.deleted',
  idempotency: 'natural',
  requestHeaders: ['If-Match'],
  params: byId,
  reply: z.object({ id: typeId('wf'), deleted: z.literal(true), callers: z.array(WorkflowCaller) }),
  errors: [],
})

const requirements = operation({
  id: 'workflows.executionRequirements',
  method: 'GET',
  path: '/api/v1/workflows/{id}/execution-requirements',
  summary: 'Read what a workflow requires to run',
  description:
    'The schema of its input, and the secrets, connections, events, child workflows and permissions that it uses, and which of them are missing: of the latest published version, or of the draft of a workflow that was never published.',
  stability: 'stable',
  auth: { scope: 'workflows:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  params: byId,
  query: z.strictObject({
    version: z.literal('draft').optional().describe('What a test of the draft requires, instead of the published version.'),
  }),
  reply: Requirements,
  errors: [],
})

const UsedName = z.string().min(1).max(200).optional()

const using = operation({
  id: 'workflows.using',
  method: 'GET',
  path: '/api/v1/workflow-uses',
  summary: 'List the workflows that use a variable, a secret, a connection or a table, or name an approver',
  description:
    'Those that use any of the given ones by name: they fail, or would fail once published, when it is deleted, and ask in vain when an approver is removed. At least one is needed. Drafts and latest versions count; an expression that computes a name does not.',
  stability: 'beta',
  auth: { scope: 'workflows:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  query: z
    .strictObject({
      variable: UsedName.describe('Name of a variable.'),
      secret: UsedName.describe('Name of a secret.'),
      connection: UsedName.describe('Name of a connection.'),
      table: UsedName.describe('Name of a table.'),
      approver: z
        .string()
        .min(1)
        .max(400)
        .transform((text) => text.split(',').map((one) => one.trim()))
        .optional()
        .describe(
          'A person as approvals name one: the id of the user, the mail address, or both, separated by a comma. Roles name no person.',
        )
        .meta({ examples: ['usr_01h455vb4pex5vsknk084sn02q,sara@example.com'] }),
    })
    .refine((query) => Object.values(query).some((value) => value !== undefined), {
      error: 'Give one of variable, secret, connection, table or approver.',
      // A name that is not known here probably stands for one of them.
      when: ({ issues }) => issues.length === 0,
    }),
  reply: z.object({ data: z.array(WorkflowUse).describe('By name; at most 100.'), total: z.int() }),
  errors: [],
})

const duplicate = operation({
  id: 'workflows.duplicate',
  method: 'POST',
  path: '/api/v1/workflows/{id}/duplicate',
  summary: 'Duplicate a workflow',
  description:
    'Creates a draft with the text of the draft, comments included, its description and its tags, under a document name that is free. Versions, starts, variables of the workflow, pinned values and policies stay with the original. Several requests at once get names of their own.',
  stability: 'stable',
  auth: { scope: 'workflows:write' },
  role: 'member',
  rateLimit: 'default',
  audit: 'workflow.created',
  idempotency: 'keyed',
  replyHeaders: ['ETag', 'Location'],
  params: byId,
  body: z.strictObject({ name: Name.optional().describe('That of the original with a number unless given.') }),
  reply: Workflow,
  errors: ['workflow_invalid', 'workflow_name_taken', 'quota_exceeded'],
})

const exportOne = operation({
  id: 'workflows.export',
  method: 'GET',
  path: '/api/v1/workflows/{id}/export',
  summary: 'Export a workflow',
  description:
    'The definition in its canonical form with a checksum and a list of its requirements. Importing it elsewhere and exporting it again returns the same document.',
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
  description:
    'Takes an exported document, verifies its checksum, and creates a workflow from it, as a draft unless `publish` is true. An export of n8n, Activepieces or Make, a state machine of Step Functions and a workflow of GitHub Actions (as JSON) are converted: `report` lists every part that was changed or could not be converted, with its place and the reason.',
  stability: 'stable',
  auth: { scope: 'workflows:write' },
  role: 'member',
  rateLimit: 'default',
  audit: 'workflow.imported',
  idempotency: 'keyed',
  bodyLimit,
  replyHeaders: ['ETag', 'Location'],
  body: z.strictObject({
    export: z.union([MillraceExport, N8nExport, ForeignWorkflow]),
    name: Name.optional().describe('Replaces the name in the export.'),
    publish: z.boolean().default(false).describe('An export of another product always becomes a draft, and `true` is refused for it.'),
  }),
  reply: ImportedWorkflow,
  errors: ['publishing_restricted', 'workflow_invalid', 'workflow_name_taken', 'import_invalid', 'quota_exceeded'],
})

const createFromTemplate = operation({
  id: 'workflows.createFromTemplate',
  method: 'POST',
  path: '/api/v1/workflows/from-template/{templateId}',
  summary: 'Create a workflow from a template',
  description:
    'Name, description and tags are those of the template. With a `name` of your own the document is named after it as well. A document name that is in use gets a number, and so does the title: a template can be used many times. Publishes version 1 unless `publish` is false.',
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
    parameters: ParameterValues,
    publish: z.boolean().default(true).describe('False keeps it a draft, which cannot run.'),
  }),
  reply: Workflow,
  errors: ['publishing_restricted', 'workflow_invalid', 'workflow_name_taken', 'parameters_invalid', 'quota_exceeded'],
})

/** Workflows and their versions. */
export const workflows = {
  list,
  create,
  get,
  update,
  delete: remove,
  executionRequirements: requirements,
  using,
  tags,
  duplicate,
  export: exportOne,
  import: importOne,
  createFromTemplate,
} as const
