import * as z from 'zod'
import { JsonValue } from '#src/json.ts'
import { Requirements, Workflow } from './workflow-schemas.ts'

export const parameterKinds = ['text', 'email', 'url', 'number', 'boolean', 'list'] as const

export const Parameter = z
  .object({
    name: z.string(),
    kind: z.enum(parameterKinds).describe('`list` is a list of texts.'),
    description: z.string(),
    required: z.boolean().describe('An import without it is refused. The others keep their value of the definition.'),
    example: JsonValue,
  })
  .meta({ id: 'TemplateParameter', description: 'A value that an import writes into the definition.' })

/** Values by the names of parameters. */
export const ParameterValues = z
  .record(z.string().max(100), JsonValue)
  .refine((values) => Object.keys(values).length <= 100, { error: 'Must have at most 100 members.' })
  .default({})
  .describe('Values of the parameters, by name.')

export const Permissions = z
  .object({
    hosts: z.array(z.string()).describe('Hosts that the workflow calls; `*` for an address that it computes.'),
    functions: z.array(z.string()).describe('Functions that it calls, such as `email` or `approve`.'),
    secrets: z.array(z.string()).describe('Names of secrets that it reads.'),
    connections: z.array(z.string()).describe('Names of connections that it uses.'),
    workflows: z.array(z.string()).describe('Other workflows that it or its agents run.'),
    events: z.array(z.string()).describe('Types of events that it emits or waits for.'),
    scripts: z.boolean().describe('Whether it runs code.'),
    schedules: z.boolean().describe('Whether it starts by itself once it is published.'),
  })
  .meta({ id: 'WorkflowPermissions', description: 'What a workflow may reach and use.' })

export const Origin = z
  .object({
    kind: z.enum(['template', 'marketplace']),
    source: z.string().describe('Id of the template or of the entry.'),
    version: z.string(),
    checksum: z.string().describe('SHA-256 of the source, in hexadecimal.'),
    importedAt: z.iso.datetime(),
  })
  .meta({ id: 'WorkflowOrigin', description: 'Where a workflow was imported from.' })

export const Imported = z
  .object({ workflow: Workflow, origin: Origin, permissions: Permissions, requirements: Requirements })
  .meta({ id: 'ImportedWorkflow', description: 'The new workflow, where it comes from, what it may do, and what it still needs.' })
