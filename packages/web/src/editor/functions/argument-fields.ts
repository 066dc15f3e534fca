import { calledFunction, type Json, knownNames } from '@millrace/dsl'
import { below, isObject, jsonAt } from '#src/document/task-json.ts'
import { type FieldModel, fieldAt, type Widget } from '#src/editor/inspector/field-model.ts'

/** The name of the function that a task calls, if it can be that of a connector or of the installation. */
export function calledName(document: Json, task: string): string | undefined {
  const call = jsonAt(document, below(task, 'call'))
  if (typeof call !== 'string') return undefined
  if (call.includes('.') && !call.includes(':')) return call.split('@')[0]
  const called = calledFunction(call, knownNames(isObject(document) ? Object(document['use']) : {}))
  return called.kind === 'default' && called.version === undefined ? called.name : undefined
}

/** What an account has that arguments name. */
export interface KnownThings {
  readonly connections: readonly string[]
  /** Tables, for functions of tables. */
  readonly tables: readonly string[]
}

/** The arguments of a function as fields: those of its schema, then those that its schema does not name. Undefined if `with` is no object. */
export function argumentFields(
  document: Json,
  task: string,
  schema: unknown,
  { connections, tables }: KnownThings,
): readonly FieldModel[] | undefined {
  const place = below(task, 'with')
  const given = jsonAt(document, place) ?? {}
  const { properties, required } = Object(schema)
  if (!isObject(given) || !isObject(properties)) return undefined
  const needed = new Set<unknown>(Array.isArray(required) ? required : [])
  const isAgent = calledName(document, task) === 'agent'
  const declared = Object.entries(properties).map(([key, property]) => {
    const field = fieldOf(key, below(place, key), given[key], Object(property))
    const own = { ...field, required: needed.has(key) }
    if (isAgent && key === 'tools') return { ...own, widget: 'tools' as const, shown: true }
    if (key === 'table' && own.widget === 'text') return { ...own, choices: tables }
    return key === 'connection' ? { ...own, choices: connections, widget: connectionWidget(given[key]), shown: true } : own
  })
  const more = Object.keys(given).filter((key) => !Object.hasOwn(properties, key))
  return [...declared, ...more.map((key) => fieldAt(document, below(place, key)))]
}

/** A name that an expression makes cannot be chosen. */
function connectionWidget(value: Json | undefined): Widget {
  return value === undefined || (typeof value === 'string' && !value.includes('${')) ? 'choice' : 'any'
}

function fieldOf(key: string, pointer: string, value: Json | undefined, schema: Readonly<Record<string, unknown>>): FieldModel {
  const { description, enum: values } = schema
  const choices = Array.isArray(values) ? values.filter((one) => typeof one === 'string') : []
  const field = { key, pointer, value, required: false, choices, forms: [] }
  if (schema['format'] === 'json-schema' && typeof value !== 'string') return { ...field, widget: 'schema', shown: true }
  return {
    ...field,
    widget: widgetOf(schema['type'], value),
    ...(typeof description === 'string' ? { hint: description } : {}),
  }
}

function widgetOf(type: unknown, value: Json | undefined): Widget {
  if (isObject(value)) return 'rows'
  if (Array.isArray(value)) return 'yaml'
  const isExpression = typeof value === 'string'
  switch (type) {
    case 'string':
      return value === undefined || isExpression ? 'text' : 'any'
    case 'boolean':
      return isExpression ? 'any' : 'boolean'
    case 'integer':
    case 'number':
      return isExpression ? 'any' : 'number'
    case 'object':
      return isExpression ? 'any' : 'rows'
    case 'array':
      return isExpression ? 'any' : 'yaml'
    default:
      return 'any'
  }
}
