import type { Definition } from '@millrace/dsl'
import { drawText } from '@millrace/dsl'
import type { Parameter } from './parameters.ts'
import { permissionsOf } from './permissions.ts'

export interface ReadmeContent {
  readonly title: string
  readonly summary: string
  /** Further paragraphs. */
  readonly about?: string
  readonly definition: Definition
  readonly parameters: readonly Parameter[]
}

/** A description of a workflow in Markdown, made from its definition: what it asks for, needs and may reach, and its drawing. */
export function readmeOf({ title, summary, about, definition, parameters }: ReadmeContent): string {
  const { hosts, functions, secrets, connections, workflows, events } = permissionsOf(definition)
  const row = ({ name, kind, required, description }: Parameter) =>
    `| \`${name}\` | ${kind} | ${required ? 'yes' : 'no'} | ${cell(description)} |`
  const list = (label: string, names: readonly string[]) => (names.length === 0 ? [] : [`- ${label}: ${names.map(code).join(', ')}`])
  const needs = [
    ...list('Secrets', secrets),
    ...list('Connections', connections),
    ...list('Functions', functions),
    ...list('Hosts', hosts),
    ...list('Workflows', workflows),
    ...list('Events', events),
  ]
  return [
    [`# ${line(title)}`, line(summary)],
    about === undefined ? [] : [about],
    parameters.length === 0
      ? []
      : ['## Parameters', ['| name | kind | required | what |', '|---|---|---|---|', ...parameters.map(row)].join('\n')],
    inputRows(definition),
    needs.length === 0 ? [] : ['## Uses', needs.join('\n')],
    ['## Flow', `\`\`\`text\n${drawText(definition)}\`\`\``],
  ]
    .flat()
    .join('\n\n')
    .concat('\n')
}

function inputRows({ input }: Definition): string[] {
  const schema = input?.schema !== undefined && 'document' in input.schema ? input.schema.document : undefined
  if (!isRecord(schema) || !isRecord(schema['properties'])) return []
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const rows = Object.entries(schema['properties']).map(([name, property]) => {
    const { description } = isRecord(property) ? property : {}
    return `| ${code(name)} | ${cell(typeOf(property))} | ${required.includes(name) ? 'yes' : 'no'} | ${typeof description === 'string' ? cell(description) : ''} |`
  })
  return rows.length === 0 ? [] : ['## Input', ['| name | type | required | what |', '|---|---|---|---|', ...rows].join('\n')]
}

/** The type of a value of the input; of a list or an object with the names of its members, those that are optional with a question mark. */
function typeOf(schema: unknown, depth = 0): string {
  if (!isRecord(schema)) return 'any'
  const { type, items, properties } = schema
  if (type === 'array') return items === undefined || depth > 2 ? 'array' : `array of ${typeOf(items, depth + 1)}`
  if (isRecord(properties) && depth <= 2) {
    const required = Array.isArray(schema['required']) ? schema['required'] : []
    const names = Object.keys(properties).slice(0, membersShown)
    return `object { ${names.map((name) => (required.includes(name) ? name : `${name}?`)).join(', ')} }`
  }
  return typeof type === 'string' ? type : 'any'
}

const membersShown = 20
const line = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
const cell = (text: string) => line(text).replaceAll('|', '\\|')
const code = (text: string) => `\`${text.replaceAll('`', "'")}\``

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
