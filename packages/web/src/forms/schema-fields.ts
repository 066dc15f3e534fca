import { formYears, type JsonValue, readableName, unlikelyValue } from '@millrace/contract'
import type { FieldSpec } from '#src/forms/field.tsx'
import { m } from '#src/messages/messages.ts'
import { localTime, timeOfLocal } from '#src/values/local-time.ts'
import { isSecret } from '#src/values/secret-members.ts'

type Node = Readonly<Record<string, unknown>>

const nodeOf = (value: unknown): Node => (typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {})

/** A member of an object that a JSON Schema describes, with the field that it is typed in. */
export interface SchemaField extends FieldSpec {
  readonly schema: Node
  readonly required: boolean
  /** Whether what is typed stays out of every store. */
  readonly secret: boolean
}

/** The fields of a JSON Schema of an object; none for any other schema. */
export function fieldsOfSchema(schema: unknown): readonly SchemaField[] {
  const { properties, required } = nodeOf(schema)
  const needed = new Set<unknown>(Array.isArray(required) ? required : [])
  return Object.entries(nodeOf(properties)).map(([name, property]) => fieldOf(name, nodeOf(property), needed.has(name)))
}

function fieldOf(name: string, schema: Node, required: boolean): SchemaField {
  const { title, description } = schema
  const [example] = Array.isArray(schema['examples']) ? schema['examples'] : []
  const label = typeof title === 'string' && title !== '' ? title : readableName(name)
  const hint = typeof description === 'string' && description !== '' ? { hint: description } : {}
  const secret = isSecret(name, schema)
  const common = { name, label, required, marked: true, schema, secret, ...hint }
  const none = ['', required ? m.schemaForm.choose : m.schemaForm.notGiven] as const
  const values = valuesOf(schema)
  if (values !== undefined) return { ...common, kind: 'select', options: [none, ...values.map(optionOf)] }
  const type = typeOf(schema)
  if (type === 'boolean')
    return required || typeof schema['default'] === 'boolean'
      ? { ...common, kind: 'switch' }
      : {
          ...common,
          kind: 'select',
          options: [none, ['true', m.common.yes], ['false', m.common.no]],
        }
  const shape = type === 'object' || type === 'array' ? (example ?? shapeOf(schema)) : example
  const placeholder = shape === undefined ? {} : { placeholder: typeof shape === 'string' ? shape : JSON.stringify(shape) }
  return { ...common, ...controlOf(type, schema, secret), ...placeholder }
}

function controlOf(type: string | undefined, { format, maxLength }: Node, secret: boolean): Pick<FieldSpec, 'kind' | 'rows'> {
  if (type === 'number' || type === 'integer') return { kind: 'number' }
  if (type !== 'string') return { kind: 'code', rows: 4 }
  if (secret) return { kind: 'password' }
  const kinds: Readonly<Record<string, FieldSpec['kind']>> = { date: 'day', 'date-time': 'date', email: 'email', uri: 'url', url: 'url' }
  const kind = typeof format === 'string' ? kinds[format] : undefined
  return kind === undefined && typeof maxLength === 'number' && maxLength > lineMax
    ? { kind: 'textarea', rows: 4 }
    : { kind: kind ?? 'text' }
}

const lineMax = 200

const optionOf = (value: JsonValue): readonly [string, string] => [
  JSON.stringify(value),
  typeof value === 'string' ? value : JSON.stringify(value),
]

/** The values to choose from: those of `enum`, or the one of `const`; undefined unless they are texts, numbers and the like. */
function valuesOf({ enum: values, const: only }: Node): readonly JsonValue[] | undefined {
  const all: readonly unknown[] | undefined = Array.isArray(values) ? values : only === undefined ? undefined : [only]
  const plain = all?.filter((one) => one === null || typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean')
  return plain !== undefined && plain.length === all?.length ? plain : undefined
}

/** The type of a schema, without null; undefined for one that leaves it open. */
function typeOf({ type, anyOf, oneOf, $ref }: Node): string | undefined {
  if (anyOf !== undefined || oneOf !== undefined || $ref !== undefined) return undefined
  const types: readonly unknown[] = (Array.isArray(type) ? type : [type]).filter((one) => one !== 'null')
  const [only] = types
  return types.length === 1 && typeof only === 'string' ? only : undefined
}

/** A value as a schema describes it, in which the types stand for the values. */
function shapeOf(schema: Node, depth = 0): JsonValue | undefined {
  const type = typeOf(schema)
  if (type === 'object') {
    const members = Object.entries(nodeOf(schema['properties']))
    if (members.length === 0 || depth > 1) return {}
    return Object.fromEntries(members.map(([name, member]) => [name, shapeOf(nodeOf(member), depth + 1) ?? null]))
  }
  if (type !== 'array') return type
  const item = shapeOf(nodeOf(schema['items']), depth + 1)
  return item === undefined ? [] : [item]
}

/** What the fields show of a value; where it has nothing, their defaults. */
export function shownOf(fields: readonly SchemaField[], value: unknown): Node {
  const given = nodeOf(value)
  return Object.fromEntries(fields.map((field) => [field.name, shownIn(field, given[field.name] ?? field.schema['default'])]))
}

function shownIn({ kind, options }: SchemaField, value: unknown): unknown {
  if (kind === 'switch') return value === true
  if (value === undefined) return ''
  if (kind === 'select') return options?.some(([option]) => option === JSON.stringify(value)) === true ? JSON.stringify(value) : ''
  if (value === null) return ''
  if (kind === 'code') return JSON.stringify(value, undefined, 2)
  if (kind === 'date' && typeof value === 'string' && !Number.isNaN(Date.parse(value))) return localTime(value)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
}

/** The members of a value that have no field. */
export function withoutField(fields: readonly SchemaField[], value: unknown): Record<string, JsonValue> {
  const named = new Set(fields.map(({ name }) => name))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Members of a value that was read as JSON.
  return Object.fromEntries(Object.entries(nodeOf(value)).filter(([name]) => !named.has(name))) as Record<string, JsonValue>
}

export interface ReadFields {
  readonly value: Record<string, JsonValue>
  /** What is wrong, by the name of the field. */
  readonly problems: Readonly<Record<string, string>>
}

/** What was filled in, with the types of the schema. */
export function readFields(fields: readonly SchemaField[], shown: Node): ReadFields {
  const value: Record<string, JsonValue> = {}
  const problems: Record<string, string> = {}
  for (const field of fields) {
    const read = readField(field, shown[field.name])
    if (read.problem !== undefined) problems[field.name] = read.problem
    else if (read.value !== undefined) value[field.name] = read.value
  }
  return { value, problems }
}

interface Read {
  readonly value?: JsonValue
  readonly problem?: string | undefined
}

function readField(field: SchemaField, shown: unknown): Read {
  const { kind, required, schema } = field
  if (kind === 'switch') return { value: shown === true }
  const text = typeof shown === 'string' ? shown : ''
  if (text.trim() === '') return required ? emptyOf(schema) : {}
  switch (kind) {
    case 'number':
      return readNumber(text, schema)
    case 'select':
      return readJsonText(text)
    case 'code':
      return readData(text, schema)
    case 'date': {
      const { problem } = likely(text, schema)
      return problem === undefined ? { value: timeOfLocal(text) } : { problem }
    }
    default:
      return readText(text, kind, schema)
  }
}

/** An empty field that is needed: null, where the schema permits it. */
function emptyOf({ type }: Node): Read {
  return Array.isArray(type) && type.includes('null') ? { value: null } : { problem: m.schemaForm.needed }
}

function readNumber(text: string, schema: Node): Read {
  const w = m.schemaForm
  const value = Number(text)
  const { minimum, maximum } = schema
  if (!Number.isFinite(value)) return { problem: w.number }
  if (typeOf(schema) === 'integer' && !Number.isInteger(value)) return { problem: w.integer }
  if (typeof minimum === 'number' && value < minimum) return { problem: w.least(minimum) }
  if (typeof maximum === 'number' && value > maximum) return { problem: w.most(maximum) }
  return { value }
}

function readText(text: string, kind: FieldSpec['kind'], schema: Node): Read {
  const { minLength, maxLength, pattern } = schema
  const w = m.schemaForm
  const length = [...text].length
  if (typeof minLength === 'number' && length < minLength) return { problem: w.longer(minLength) }
  if (typeof maxLength === 'number' && length > maxLength) return { problem: w.shorter(maxLength) }
  if (kind === 'email' && !/^[^@\s]+@[^@\s]+$/.test(text)) return { problem: w.email }
  if (kind === 'url' && !URL.canParse(text)) return { problem: w.url }
  if (typeof pattern === 'string' && !matches(pattern, text)) return { problem: w.pattern }
  return likely(text, schema)
}

/** What start forms refuse, and forms of runs too. */
function likely(value: string, schema: Node): Read {
  const w = m.schemaForm
  const unlikely = unlikelyValue(schema, value)
  if (unlikely === undefined) return { value }
  return { problem: unlikely === 'email' ? w.email : w.year(formYears.first, formYears.last) }
}

/** A pattern that this browser cannot read is left to the server. */
function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return true
  }
}

/** JSON; where the schema leaves the type open, any other text is a text. */
function readData(text: string, schema: Node): Read {
  const w = m.schemaForm
  const read = readJsonText(text)
  const type = typeOf(schema)
  if (read.problem !== undefined) return type === 'object' || type === 'array' ? read : { value: text }
  if (type === 'array' && !Array.isArray(read.value)) return { problem: w.list }
  if (type === 'object' && (typeof read.value !== 'object' || read.value === null || Array.isArray(read.value)))
    return { problem: w.object }
  return read
}

function readJsonText(text: string): Read {
  try {
    const value: JsonValue = JSON.parse(text)
    return { value }
  } catch (error) {
    return { problem: m.editor.notJson(error instanceof Error ? error.message : '') }
  }
}
