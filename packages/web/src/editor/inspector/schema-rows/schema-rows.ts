import type { Json, JsonObject } from '@millrace/dsl'
import { isObject } from '#src/document/task-json.ts'

type RowKind = 'choice' | 'text' | 'number' | 'yesNo' | 'date' | 'texts'

/** What the rows of a schema are for: which kinds of values there are, and which keyword of a member says what it is. */
export interface RowForm {
  readonly kinds: readonly RowKind[]
  readonly text: 'title' | 'description'
}

/** What an approver fills in. */
export const askedForm: RowForm = { kinds: ['choice', 'text', 'number', 'yesNo', 'date'], text: 'title' }
/** What a model returns as data. */
export const returnedForm: RowForm = { kinds: ['text', 'choice', 'number', 'yesNo', 'date', 'texts'], text: 'description' }

/** A member of an object, as a row of a form. */
export interface SchemaRow {
  readonly name: string
  /** What it is, for the one who gives it. */
  readonly text: string
  readonly kind: RowKind
  readonly choices: readonly string[]
  readonly required: boolean
}

const typeOf: Readonly<Record<Exclude<RowKind, 'choice'>, JsonObject>> = {
  text: { type: 'string' },
  number: { type: 'number' },
  yesNo: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  texts: { type: 'array', items: { type: 'string' } },
}
const rootKeys = new Set(['type', 'required', 'properties', 'additionalProperties'])
const memberKeys = new Set(['type', 'enum', 'format', 'items'])

/** The members of an object's schema; undefined for a schema that says more than rows can. */
export function schemaRows(schema: Json | undefined, form: RowForm): readonly SchemaRow[] | undefined {
  if (schema === undefined) return []
  if (!isObject(schema) || Object.keys(schema).some((key) => !rootKeys.has(key))) return undefined
  const { type = 'object', required = [], properties = {}, additionalProperties = false } = schema
  if (type !== 'object' || !Array.isArray(required) || !isObject(properties) || typeof additionalProperties !== 'boolean') return undefined
  const rows = Object.entries(properties).map(([name, member]) => rowOf(name, member, required.includes(name), form))
  return rows.every((row) => row !== undefined) ? rows : undefined
}

function rowOf(name: string, member: Json, required: boolean, form: RowForm): SchemaRow | undefined {
  if (!isObject(member)) return undefined
  const { [form.text]: text = '', ...rest } = member
  if (typeof text !== 'string' || Object.keys(rest).some((key) => !memberKeys.has(key))) return undefined
  const kind = form.kinds.find((one) => isOfKind(rest, one))
  if (kind === undefined) return undefined
  const { enum: values } = rest
  const choices = Array.isArray(values) ? values.filter((one) => typeof one === 'string') : []
  return Array.isArray(values) && choices.length !== values.length ? undefined : { name, text, kind, choices, required }
}

function isOfKind({ enum: values, ...rest }: JsonObject, kind: RowKind): boolean {
  const { type, format, items } = rest
  if (kind === 'choice')
    return Array.isArray(values) && (type === undefined || type === 'string') && format === undefined && items === undefined
  const wanted = typeOf[kind]
  if (values !== undefined || type !== wanted['type'] || format !== wanted['format']) return false
  return kind === 'texts' ? isObject(items) && Object.keys(items).length === 1 && items['type'] === 'string' : items === undefined
}

/** The schema of a member. */
export function schemaOf({ text, kind, choices }: Pick<SchemaRow, 'text' | 'kind' | 'choices'>, form: RowForm): JsonObject {
  return { ...(kind === 'choice' ? { enum: choices } : typeOf[kind]), ...(text === '' ? {} : { [form.text]: text }) }
}

/** A schema with another member at the end. */
export function withRow(schema: Json | undefined, row: SchemaRow, form: RowForm): Json {
  const { properties, required, ...rest } = isObject(schema) ? schema : {}
  const named = isObject(properties) ? properties : {}
  const needed = Array.isArray(required) ? required : []
  return {
    type: 'object',
    ...rest,
    ...(row.required || needed.length > 0 ? { required: [...needed, ...(row.required ? [row.name] : [])] } : {}),
    properties: { ...named, [row.name]: schemaOf(row, form) },
  }
}

/** A schema in which a member has another name or another need; undefined if no member remains. */
export function changedRow(
  schema: Json | undefined,
  name: string,
  change: { readonly name?: string; readonly required?: boolean } | undefined,
): Json | undefined {
  if (!isObject(schema)) return undefined
  const { properties, required, ...rest } = schema
  const next = change === undefined ? undefined : (change.name ?? name)
  const named = Object.entries(isObject(properties) ? properties : {}).flatMap(([key, member]): [string, Json][] =>
    key !== name ? [[key, member]] : next === undefined ? [] : [[next, member]],
  )
  if (named.length === 0) return undefined
  const before = Array.isArray(required) ? required : []
  const isNeeded = change?.required ?? before.includes(name)
  const others = before.filter((one) => one !== name)
  const needed = next !== undefined && isNeeded ? [...others, next] : others
  return { ...rest, ...(needed.length === 0 ? {} : { required: needed }), properties: Object.fromEntries(named) }
}
