import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { JsonObject, JsonValue } from '#src/json.ts'
import { ExecutionState, TriggerKind } from './execution-schemas.ts'
import { InputRead } from './input-read.ts'
import { Trigger } from './trigger-schemas.ts'

export const definitionBytesMax = 1024 * 1024

const definitionExample = {
  document: { dsl: '1.0.3', namespace: 'examples', name: 'greeting', version: '1.0.0' },
  do: [{ greet: { set: { message: '${ "Hello, " + .name }' } } }],
}

export const Syntax = z.enum(['yaml', 'json'])

export const WorkflowState = z
  .enum(['draft', 'published', 'disabled'])
  .describe('`draft`: never published. `published`: can run. `disabled`: cannot be started until it is enabled.')

export const Definition = z
  .union([z.string().min(1).max(definitionBytesMax), JsonObject], {
    error: 'Must be the text of a definition (YAML or JSON), or the definition as an object.',
  })
  .meta({
    id: 'Definition',
    description: 'A document of the Open Workflow Specification DSL 1.0.3, as an object or as text in YAML or JSON.',
    examples: [definitionExample],
  })

export const Diagnostic = z
  .object({
    code: z.string().describe('Stable name of the finding.'),
    severity: z.enum(['error', 'warning']),
    pointer: z.string().describe('JSON Pointer into the definition.'),
    line: z.int().describe('From 1, in the text that was sent, or in its canonical form when an object was sent.'),
    column: z.int().describe('From 1.'),
    endLine: z.int().optional(),
    endColumn: z.int().optional(),
    message: z.string().describe('What is wrong.'),
    hint: z.string().optional().describe('What to write instead.'),
    expression: z.object({ start: z.int(), end: z.int() }).optional().describe('Where in the expression, in UTF-16 units from 0.'),
  })
  .meta({ id: 'Diagnostic', description: 'A finding of the validator.' })

export const Name = z.string().trim().min(1).max(200)
export const Description = z.string().max(10_000)
export const Tags = z.array(z.string().trim().min(1).max(64)).max(50)

const WorkflowSummary = z
  .object({
    id: typeId('wf'),
    name: z.string(),
    description: z.string().nullable(),
    tags: z.array(z.string()),
    state: WorkflowState,
    revision: z.int().describe('Incremented by every change; also in `ETag`.'),
    version: z.int().nullable().describe('Number of the latest published version; null before the first one.'),
    hasUnpublishedChanges: z.boolean().describe('True when the draft differs from the latest published version.'),
    triggers: z.array(TriggerKind).describe('What can start it.'),
    lastExecution: z
      .object({ id: typeId('exec'), state: ExecutionState, createdAt: z.iso.datetime(), endedAt: z.iso.datetime().nullable() })
      .nullable(),
    minutesPerRun: z
      .number()
      .nullable()
      .describe('Minutes of work that one completed execution saves, for the analytics; null unless stated.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'WorkflowSummary' })

export const ListedWorkflow = WorkflowSummary.extend({
  startKinds: z.array(Trigger.shape.kind).describe('The kinds of its enabled triggers, each once, those of the definition included.'),
}).meta({ id: 'ListedWorkflow' })

export const Workflow = WorkflowSummary.extend({
  definition: JsonValue.meta({ description: 'The draft, or the requested version.', examples: [definitionExample] }),
  definitionText: z.string().describe('The same as canonical YAML.'),
  source: z.string().describe('The text as its author wrote it, with comments. Of a draft it may be one that is not valid, see `valid`.'),
  syntax: Syntax.describe('Of `source`.'),
  valid: z.boolean().describe('False when `source` is an invalid draft; `definition` is then the last valid one.'),
  warnings: z.array(Diagnostic).describe('Findings that do not prevent it from running.'),
  cronStart: z
    .object({
      cron: z.string(),
      timeZone: z
        .string()
        .describe('`document.metadata.timeZone` of the definition, `UTC` without one: a name of the IANA time zone database.'),
      nextAt: z.iso.datetime().describe('The next start after now, while this definition is published.'),
    })
    .nullable()
    .describe('When `schedule.cron` of `definition` starts it; null without one.'),
}).meta({ id: 'Workflow' })

export const PublishRequest = z
  .object({
    note: z.string().nullable().describe('What changed, in the words of the person who asks.'),
    requestedAt: z.iso.datetime(),
    requestedBy: z.string().describe('Such as `user:usr_…`.'),
    requestedByName: z.string().nullable().describe('Null for one who is gone.'),
    isCurrent: z.boolean().describe('False when the draft was changed since.'),
  })
  .meta({ id: 'PublishRequest', description: 'The wish that the draft of a workflow is published.' })

const Publishing = z
  .object({
    allowed: z.boolean().describe('Whether the role of the caller permits it, by the setting `publishers` of the account.'),
    request: PublishRequest.nullable().describe('Null without one, and when the draft is published.'),
  })
  .meta({ id: 'WorkflowPublishing', description: 'Who may publish the draft, and who asks for it.' })

export const EditedWorkflow = Workflow.extend({
  updatedBy: z.string().optional().describe('Who changed the draft or the settings last, such as `user:usr_…`. With the draft only.'),
  updatedByName: z
    .string()
    .nullable()
    .optional()
    .describe('Name of that user or API key; null for one that is gone or has no name. When the draft is read only.'),
  publishing: Publishing.optional().describe('With the draft only.'),
})

export const WorkflowCaller = z
  .object({
    id: typeId('wf'),
    name: z.string(),
    managedBy: z
      .enum(['agent', 'chain', 'mcp'])
      .nullable()
      .describe('What was compiled to the calling workflow; null for one that people edit.'),
  })
  .meta({ id: 'WorkflowCaller', description: 'A workflow whose latest version runs another one.' })

export const WorkflowUse = WorkflowCaller.extend({
  draft: z.boolean().describe('Whether its draft uses it.'),
  published: z.boolean().describe('Whether its latest version uses it.'),
}).meta({ id: 'WorkflowUse', description: 'A workflow that uses a variable, a secret or a connection.' })

const Need = z.object({ name: z.string(), pointer: z.string().describe('JSON Pointer to its first use.'), missing: z.boolean() })

export const Requirements = z
  .object({
    ready: z.boolean().describe('True when nothing is missing.'),
    inputSchema: JsonValue.nullable().describe('JSON Schema of the input; null if it accepts any input.'),
    reads: z
      .array(
        InputRead.extend({
          needed: z
            .boolean()
            .describe('Whether every run reads it, without a default for an absent value. Such a run continues with null.'),
        }),
      )
      .optional()
      .describe(
        'Parts of the input that a definition without an input schema certainly reads, in the order of its tasks, at most 200. It may read more. Empty with a schema, which says what to send.',
      ),
    secrets: z.array(Need),
    variables: z.array(Need).describe('Variables that the definition reads as `$variables.NAME`.'),
    connections: z.array(Need),
    models: z.array(Need).optional().describe('Roles of models, by the steps that ask a model or give work to an agent.'),
    events: z.array(z.object({ type: z.string(), source: z.string().nullable(), pointer: z.string() })),
    workflows: z.array(Need).describe('Child workflows.'),
    permissions: z.array(Need).describe('What the installation has to allow, such as scripts, containers or private addresses.'),
  })
  .meta({ id: 'ExecutionRequirements' })

export const ExportDocument = z
  .object({
    format: z.literal('millrace/workflow'),
    formatVersion: z.literal(1),
    exportedAt: z.iso.datetime(),
    name: z.string(),
    description: z.string().nullable(),
    tags: z.array(z.string()),
    version: z.int().nullable().describe('Number of the version; null for the draft.'),
    syntax: z.enum(['yaml', 'json']),
    document: z.string().describe('The definition in its canonical form.'),
    checksum: z.string().describe('`sha256:` and the SHA-256 of `document` in hexadecimal.'),
    requires: z.object({
      secrets: z.array(z.string()),
      connections: z.array(z.string()),
      workflows: z.array(z.string()),
      permissions: z.array(z.string()),
    }),
  })
  .meta({ id: 'WorkflowExport', description: 'A workflow for a file or another installation.' })
