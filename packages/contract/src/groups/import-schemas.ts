import * as z from 'zod'
import { Description, definitionBytesMax, Name, Tags, Workflow } from './workflow-schemas.ts'

/** An export of Millrace. */
export const MillraceExport = z.looseObject({
  format: z.literal('millrace/workflow'),
  formatVersion: z.literal(1),
  name: Name.optional(),
  description: Description.nullable().optional(),
  tags: Tags.optional(),
  document: z.string().min(1).max(definitionBytesMax),
  checksum: z.string().max(200).optional(),
})

/** An export of n8n. The importer checks its parts and names the place of a mistake. */
export const N8nExport = z
  .looseObject({ nodes: z.array(z.unknown()), connections: z.record(z.string(), z.unknown()) })
  .describe('A workflow as n8n exports it.')

/** What the formats of other products begin with. */
const foreign = ['StartAt', 'trigger', 'template', 'flows', 'version', 'flow', 'jobs']

/** A workflow of another product. Its importer recognises the format, and names the place of a mistake. */
export const ForeignWorkflow = z
  .looseObject({})
  .refine((value) => value['format'] === undefined && foreign.some((key) => Object.hasOwn(value, key)), {
    error: 'Is of no format that can be imported.',
  })
  .describe('A flow of Activepieces, a blueprint of Make, a state machine of Step Functions, or a workflow of GitHub Actions as JSON.')

const ImportFinding = z.object({
  outcome: z.enum(['adapted', 'not_converted', 'note']),
  pointer: z.string().describe('JSON Pointer into the imported document.'),
  part: z.string(),
  type: z.string(),
  reason: z.string(),
})

const ImportedStart = z.object({
  name: z.string(),
  kind: z.enum(['webhook', 'schedule', 'event', 'manual', 'workflow']),
  settings: z.record(z.string(), z.unknown()),
})

const ImportReport = z.object({
  format: z.string().describe('Such as `n8n`.'),
  name: z.string(),
  parts: z
    .object({ total: z.int(), converted: z.int(), adapted: z.int(), notConverted: z.int(), notes: z.int() })
    .describe('`adapted` parts are converted, and need attention.'),
  findings: z.array(ImportFinding),
  starts: z
    .array(ImportedStart)
    .describe('What starts the workflow as soon as it is published, without a trigger: the schedule of its definition, and who runs it.'),
  triggers: z.array(ImportedStart).describe('Triggers to create after publishing.'),
  secrets: z.array(z.object({ secret: z.string(), kind: z.string(), usedBy: z.array(z.string()) })).describe('Secrets to fill.'),
  variables: z.array(z.string()).describe('Variables to create.'),
})

export const ImportedWorkflow = Workflow.extend({
  report: ImportReport.optional().describe('What became of the parts of a workflow of another product.'),
})
