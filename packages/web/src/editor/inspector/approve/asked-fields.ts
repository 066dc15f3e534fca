import type { Json, JsonObject } from '@millrace/dsl'
import { isObject } from '#src/document/task-json.ts'

export const askedKinds = ['choice', 'text', 'number', 'yesNo', 'date'] as const
export type AskedKind = (typeof askedKinds)[number]

/** A value that an approver fills in, as a row of a form. */
export interface AskedField {
  readonly name: string
  readonly title: string
  readonly kind: AskedKind
  readonly choices: readonly string[]
  readonly required: boolean
}

const rootKeys = new Set(['type', 'required', 'properties', 'additionalProperties'])
const fieldKeys = new Set(['type', 'title', 'enum', 'format'])

/** The fields that a schema asks for; undefined for a schema that says more than the rows of a form can. */
export function askedFields(form: Json | undefined): readonly AskedField[] | undefined {
  if (form === undefined) return []
  if (!isObject(form) || Object.keys(form).some((key) => !rootKeys.has(key))) return undefined
  const { type = 'object', required = [], properties = {}, additionalProperties = false } = form
  if (type !== 'object' || !Array.isArray(required) || !isObject(properties) || typeof additionalProperties !== 'boolean') return undefined
  const fields = Object.entries(properties).map(([name, schema]) => askedField(name, schema, required.includes(name)))
  return fields.every((field) => field !== undefined) ? fields : undefined
}

function askedField(name: string, schema: Json, required: boolean): AskedField | undefined {
  if (!isObject(schema) || Object.keys(schema).some((key) => !fieldKeys.has(key))) return undefined
  const { title = '', enum: values } = schema
  const kind = kindOf(schema)
  if (typeof title !== 'string' || kind === undefined) return undefined
  const choices = Array.isArray(values) ? values.filter((one) => typeof one === 'string') : []
  return Array.isArray(values) && choices.length !== values.length ? undefined : { name, title, kind, choices, required }
}

function kindOf({ type, format, enum: values }: JsonObject): AskedKind | undefined {
  if (values !== undefined) return Array.isArray(values) && (type === undefined || type === 'string') ? 'choice' : undefined
  if (type === 'string') return format === undefined ? 'text' : format === 'date' ? 'date' : undefined
  if (format !== undefined) return undefined
  return type === 'number' ? 'number' : type === 'boolean' ? 'yesNo' : undefined
}

/** The schema of a field. */
export function schemaOf({ title, kind, choices }: Pick<AskedField, 'title' | 'kind' | 'choices'>): JsonObject {
  const types: Readonly<Record<AskedKind, JsonObject>> = {
    choice: { enum: choices },
    text: { type: 'string' },
    number: { type: 'number' },
    yesNo: { type: 'boolean' },
    date: { type: 'string', format: 'date' },
  }
  return { ...types[kind], ...(title === '' ? {} : { title }) }
}

/** A form with another row at the end. */
export function withField(form: Json | undefined, field: AskedField): Json {
  const { properties, required, ...rest } = isObject(form) ? form : {}
  const named = isObject(properties) ? properties : {}
  const needed = Array.isArray(required) ? required : []
  return {
    type: 'object',
    ...rest,
    ...(field.required || needed.length > 0 ? { required: [...needed, ...(field.required ? [field.name] : [])] } : {}),
    properties: { ...named, [field.name]: schemaOf(field) },
  }
}

/** A form in which a field has another name or another need; undefined if no field remains. */
export function changedField(
  form: Json | undefined,
  name: string,
  change: { readonly name?: string; readonly required?: boolean } | undefined,
): Json | undefined {
  if (!isObject(form)) return undefined
  const { properties, required, ...rest } = form
  const next = change === undefined ? undefined : (change.name ?? name)
  const named = Object.entries(isObject(properties) ? properties : {}).flatMap(([key, schema]): [string, Json][] =>
    key !== name ? [[key, schema]] : next === undefined ? [] : [[next, schema]],
  )
  if (named.length === 0) return undefined
  const before = Array.isArray(required) ? required : []
  const isNeeded = change?.required ?? before.includes(name)
  const others = before.filter((one) => one !== name)
  const needed = next !== undefined && isNeeded ? [...others, next] : others
  return { ...rest, ...(needed.length === 0 ? {} : { required: needed }), properties: Object.fromEntries(named) }
}
