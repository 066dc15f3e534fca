import * as z from 'zod'
import { JsonValue } from '#src/json.ts'
import { listPage, listQuery, searchText } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { Imported, Parameter, ParameterValues, Permissions } from './template-schemas.ts'
import { Name } from './workflow-schemas.ts'

const Summary = z
  .object({
    id: z.string(),
    title: z.string(),
    summary: z.string(),
    translations: z
      .record(z.string(), z.object({ title: z.string(), summary: z.string() }))
      .describe('Title and summary in other languages, by their tag.')
      .meta({ examples: [{ ar: { title: 'فاتورة', summary: 'يحسب الصافي والضريبة والإجمالي لساعات بسعر.' } }] }),
    category: z.string(),
    tags: z.array(z.string()),
    version: z.string(),
    secrets: z.array(z.string()).describe('Names of secrets that it needs.'),
    parameters: z.array(Parameter),
  })
  .meta({ id: 'Template' })

const Details = Summary.extend({
  permissions: Permissions,
  inputSchema: JsonValue.nullable().describe('JSON Schema of the input; null if it accepts any input.'),
  definition: JsonValue.meta({ description: 'The definition, with example values for the parameters.' }),
  definitionText: z.string().describe('The same as YAML, with its comments.'),
  readme: z.string().describe('Markdown.'),
  drawing: z.string().describe('The tasks and their transitions as text.'),
}).meta({ id: 'TemplateDetails' })

const byId = z.object({ id: z.string().max(100).describe('Such as `order-processing`.') })

const list = operation({
  id: 'templates.list',
  method: 'GET',
  path: '/api/v1/templates',
  summary: 'List the templates',
  description:
    'By name. A template matches all given filters; `q` looks for every word in the title and summary, also the translated ones, in tags and id.',
  stability: 'beta',
  auth: { scope: 'workflows:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  transaction: 'none',
  query: z.strictObject({
    ...listQuery,
    category: z.string().min(1).max(64).optional(),
    tag: z.string().min(1).max(64).optional(),
    q: searchText,
  }),
  reply: listPage(Summary, 'by name').extend({
    categories: z
      .array(z.object({ name: z.string(), count: z.int() }))
      .describe('Templates of each category that match the other filters.'),
  }),
  errors: [],
})

const get = operation({
  id: 'templates.get',
  method: 'GET',
  path: '/api/v1/templates/{id}',
  summary: 'Read a template',
  description: 'With its definition, a description in Markdown, and a drawing as text.',
  stability: 'beta',
  auth: { scope: 'workflows:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  transaction: 'none',
  params: byId,
  reply: Details,
  errors: [],
})

const importOne = operation({
  id: 'templates.import',
  method: 'POST',
  path: '/api/v1/templates/{id}/import',
  summary: 'Create a draft from a template',
  description:
    'Writes the values of `parameters` into the definition and creates a workflow, as a draft unless `publish` is true. Every parameter that is missing or does not fit is reported at once. `requirements` of the response lists what the workflow still needs, such as secrets.',
  stability: 'beta',
  auth: { scope: 'workflows:write' },
  role: 'member',
  rateLimit: 'default',
  audit: 'workflow.imported',
  idempotency: 'keyed',
  replyHeaders: ['ETag', 'Location'],
  params: byId,
  body: z.strictObject({
    name: Name.optional().describe(
      'Title of the template unless given, with a number from the second use on; the document is named after it.',
    ),
    parameters: ParameterValues,
    publish: z.boolean().default(false),
  }),
  reply: Imported,
  errors: ['publishing_restricted', 'workflow_invalid', 'workflow_name_taken', 'parameters_invalid', 'quota_exceeded'],
})

/** Definitions to start from, which come with the installation. */
export const templates = { list, get, import: importOne } as const
