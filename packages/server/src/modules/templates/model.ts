import { createHash } from 'node:crypto'
import { parameterKinds } from '@millrace/contract'
import { type Definition, drawText, parseDefinition, validateDefinition } from '@millrace/dsl'
import type { FunctionManifest } from '@millrace/engine'
import * as z from 'zod'
import { edited, type Parameter, type Permissions, permissionsOf, readmeOf } from '#modules/workflows/index.ts'
import { valueAt } from '#platform/json-pointer.ts'

/** The title and the description of a template in another language. */
export interface Translation {
  readonly title: string
  readonly summary: string
}

/** A definition to create workflows from. */
export interface Template {
  /** Name of its file and of its document. */
  readonly id: string
  readonly title: string
  readonly description: string
  /** Title and description by language. */
  readonly translations: Readonly<Record<string, Translation>>
  readonly category: string
  readonly tags: readonly string[]
  readonly version: string
  readonly parameters: readonly Parameter[]
  readonly permissions: Permissions
  readonly definition: Definition
  /** YAML, comments included, without what only the template needs. */
  readonly source: string
  readonly checksum: string
  readonly readme: string
  readonly drawing: string
}

const parameterList = z.array(
  z.strictObject({
    name: z.string().regex(/^[A-Za-z][A-Za-z0-9_]*$/),
    kind: z.enum(parameterKinds).default('text'),
    description: z.string().min(1),
    required: z.boolean().default(true),
    at: z.array(z.string().startsWith('/')).min(1),
  }),
)

/** Reads a template, with its title, summary and tags from its document. Throws for an invalid one. */
export function readTemplate(
  id: string,
  text: string,
  functions: readonly FunctionManifest[],
  translations: Template['translations'] = {},
): Template {
  const { definition, diagnostics } = validateDefinition(parseDefinition(text, { format: 'yaml' }), { functions })
  if (definition === undefined)
    throw new Error(`The template ${id} is not valid: ${diagnostics.map(({ line, message }) => `line ${line}: ${message}`).join(' ')}`)
  const { name, title, summary, version, tags = {}, metadata = {} } = definition.document
  if (name !== id || title === undefined || summary === undefined)
    throw new Error(`The document of the template ${id} must have that name, a title and a summary.`)
  const parameters = parametersOf(id, definition, metadata['parameters'] ?? [])
  const { parameters: given, ...others } = metadata
  const unset = Object.keys(others).length === 0 ? '/document/metadata' : '/document/metadata/parameters'
  const source = given === undefined ? text : edited(text, 'yaml', { kind: 'unset', pointer: unset })
  const about = commentOf(text)
  return {
    id,
    title,
    description: summary,
    translations,
    category: typeof tags['category'] === 'string' ? tags['category'] : 'other',
    tags: Object.values(tags).map(String),
    version,
    parameters,
    permissions: permissionsOf(definition),
    definition,
    source,
    checksum: createHash('sha256').update(source).digest('hex'),
    readme: readmeOf({ title, summary, definition, parameters, ...(about === '' ? {} : { about }) }),
    drawing: drawText(definition),
  }
}

/** The parameters of a template; the value at the first place of each is its example. */
function parametersOf(id: string, definition: Definition, given: unknown): readonly Parameter[] {
  return parameterList.parse(given).map((parameter) => {
    const [example] = parameter.at.map((pointer) => {
      const value = valueAt(definition, pointer)
      if (value === undefined) throw new Error(`The parameter ${parameter.name} of the template ${id} has no place ${pointer}.`)
      return value
    })
    return { ...parameter, example: z.json().parse(example) }
  })
}

/** The comment at the beginning of a text. */
function commentOf(text: string): string {
  const lines = text.split('\n')
  const end = lines.findIndex((line) => !line.startsWith('#'))
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^#\s?/, ''))
    .join('\n')
    .trim()
}
