import type { Json, JsonObject } from '@millrace/dsl'
import { type Shape, shapeAt } from '@millrace/dsl/shapes'
import { below, isObject, jsonAt, namesIn, pointerKeys } from '#src/document/task-json.ts'

/** How a value of a definition is edited. `schema`: as the members of a JSON Schema. `tools`: those of an agent. `yaml`: as text, for everything that has no form of its own. */
export type Widget =
  | 'text'
  | 'expression'
  | 'code'
  | 'choice'
  | 'number'
  | 'boolean'
  | 'any'
  | 'fields'
  | 'rows'
  | 'items'
  | 'named'
  | 'schema'
  | 'tools'
  | 'yaml'

/** One value of a task with what may stand there. */
export interface FieldModel {
  readonly key: string
  readonly pointer: string
  readonly widget: Widget
  readonly value: Json | undefined
  readonly required: boolean
  /** The values to choose from; other ones can be typed in a text. */
  readonly choices: readonly string[]
  /** The forms that the value may have: one text, or parts. */
  readonly forms: readonly ('text' | 'parts' | 'list')[]
  /** What the value means, for arguments that a manifest describes. */
  readonly hint?: string
  /** Its key is not one of the shape, so a person has chosen it. */
  readonly hasOwnKey?: boolean
  /** Shown also while it is optional and empty. */
  readonly shown?: boolean
}

/** Groups of the properties of a task, as the form shows them. */
export type Section = 'setup' | 'data' | 'flow'

const dataKeys = new Set(['input', 'output', 'export'])
const flowKeys = new Set(['if', 'then', 'timeout', 'metadata'])
/** Lists of tasks are drawn, not typed. */
const drawn = new Set(['tasks', 'task'])

/** The fields of a task by section; those of `with` stand for themselves. */
export function taskFields(document: Json, task: string): Readonly<Record<Section, readonly FieldModel[]>> {
  const fields = childFields(document, task)
  const setup = fields.filter(({ key }) => !dataKeys.has(key) && !flowKeys.has(key))
  return {
    setup: setup.flatMap((field) => {
      if (field.key === 'call' && isBuiltIn(field.value)) return []
      return ['with', 'for', 'emit', 'listen', 'run', 'raise', 'fork'].includes(field.key) && field.widget === 'fields'
        ? unfolded(document, field)
        : [field]
    }),
    data: fields.filter(({ key }) => dataKeys.has(key)),
    flow: fields.filter(({ key }) => flowKeys.has(key)),
  }
}

function isBuiltIn(call: Json | undefined): boolean {
  return typeof call === 'string' && ['http', 'openapi', 'grpc', 'asyncapi', 'a2a', 'mcp'].includes(call)
}

/** The fields of an object instead of the object, through objects with one field. */
function unfolded(document: Json, field: FieldModel): readonly FieldModel[] {
  const inner = childFields(document, field.pointer)
  const [only] = inner
  return inner.length === 1 && only?.widget === 'fields' ? unfolded(document, only) : inner.length === 0 ? [field] : inner
}

/** The fields of the object at a pointer: those of its shape, then the keys that the shape does not know. */
export function childFields(document: Json, pointer: string): readonly FieldModel[] {
  const shape = shapeAt(document, pointer)?.shape
  const value = jsonAt(document, pointer)
  const declared = shape?.kind === 'object' ? [...shape.properties].filter(([, property]) => !drawn.has(property.shape.kind)) : []
  const required = shape?.kind === 'object' ? shape.required : []
  const known = new Set(shape?.kind === 'object' ? shape.properties.keys() : [])
  const more = isObject(value) ? Object.keys(value).filter((key) => !known.has(key)) : []
  return [
    ...declared.map(([key, property]) => fieldOf(document, below(pointer, key), key, property.shape, required.includes(key))),
    ...more.map((key) => ({ ...fieldOf(document, below(pointer, key), key, undefined, false), hasOwnKey: true })),
  ]
}

/** Whether the object at a pointer may have keys that its shape does not name. */
export function isOpen(document: Json, pointer: string): boolean {
  const shape = shapeAt(document, pointer)?.shape
  return shape === undefined || (shape.kind === 'object' ? shape.rest !== undefined : ['any', 'map', 'opaque'].includes(shape.kind))
}

/** The field of the value at a pointer. */
export function fieldAt(document: Json, pointer: string): FieldModel {
  return fieldOf(document, pointer, pointerKeys(pointer).at(-1) ?? '', undefined, false)
}

function fieldOf(document: Json, pointer: string, key: string, declared: Shape | undefined, required: boolean): FieldModel {
  const value = jsonAt(document, pointer)
  const own = declared ?? shapeAt(document, pointer)?.shape
  const shape = chosen(own, value)
  return {
    key,
    pointer,
    value,
    required,
    widget: widgetOf(shape, value),
    choices: choicesOf(document, pointer, shape),
    forms: own?.kind === 'union' ? formsOf(own) : [],
  }
}

/** Of a union the shape that fits the value; a text, if it may be one, before there is a value. */
function chosen(shape: Shape | undefined, value: Json | undefined): Shape | undefined {
  if (shape?.kind !== 'union') return shape
  if (value === undefined) {
    const asParts = shape.string?.kind === 'string' && shape.string.reading === 'enclosed' ? shape.object : undefined
    return chosen(asParts ?? shape.string ?? shape.object ?? shape.list, value)
  }
  return typeof value === 'string' ? shape.string : Array.isArray(value) ? shape.list : isObject(value) ? shape.object : shape.string
}

function formsOf(shape: Extract<Shape, { kind: 'union' }>): FieldModel['forms'] {
  return [
    ...(shape.string === undefined ? [] : (['text'] as const)),
    ...(shape.object === undefined ? [] : (['parts'] as const)),
    ...(shape.list === undefined ? [] : (['list'] as const)),
  ]
}

function widgetOf(shape: Shape | undefined, value: Json | undefined): Widget {
  switch (shape?.kind) {
    case 'string':
      return typeof value === 'object' && value !== null ? 'yaml' : textWidget(shape, value)
    case 'integer':
      return value === undefined || typeof value === 'number' ? 'number' : 'any'
    case 'boolean':
      return value === undefined || typeof value === 'boolean' ? 'boolean' : 'any'
    case 'object':
      return value !== undefined && !isObject(value) ? 'yaml' : shape.properties.size === 0 ? 'rows' : 'fields'
    case 'map':
      return value !== undefined && !isObject(value) ? 'yaml' : 'rows'
    case 'list':
      return value !== undefined && !Array.isArray(value) ? 'yaml' : 'items'
    case 'named':
      return value !== undefined && !Array.isArray(value) ? 'yaml' : 'named'
    case 'any':
    case undefined:
      return isObject(value) ? 'rows' : Array.isArray(value) ? 'yaml' : 'any'
    default:
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? 'any' : 'yaml'
  }
}

function textWidget({ values, reading, reference, format }: Extract<Shape, { kind: 'string' }>, value: Json | undefined): Widget {
  if (values !== undefined || reference === 'then') return 'choice'
  // An expression may give it.
  if (format === 'httpMethod' && (value === undefined || (typeof value === 'string' && methods.includes(value.toLowerCase()))))
    return 'choice'
  if (reading === 'code') return 'code'
  return reading === 'expression' || reading === 'enclosed' ? 'expression' : 'text'
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options']
const uses: Readonly<Record<string, string>> = {
  authentication: '/use/authentications',
  error: '/use/errors',
  retry: '/use/retries',
  timeout: '/use/timeouts',
  function: '/use/functions',
}

function choicesOf(document: Json, pointer: string, shape: Shape | undefined): readonly string[] {
  if (shape?.kind !== 'string') return []
  if (shape.values !== undefined) return shape.values
  if (shape.format === 'httpMethod') return methods
  if (shape.reference === 'then') return ['continue', 'exit', 'end', ...siblingNames(document, pointer)]
  const used = shape.reference === undefined ? undefined : uses[shape.reference]
  const found = used === undefined ? undefined : jsonAt(document, used)
  return isObject(found) ? Object.keys(found) : []
}

/** The names of the tasks that a `then` may lead to: those of the list around its task. */
function siblingNames(document: Json, pointer: string): readonly string[] {
  const keys = pointerKeys(pointer)
  const depth = keys.findLastIndex((key, index) => /^\d+$/.test(key) && ['do', 'try', 'foreach'].includes(keys[index - 1] ?? ''))
  if (depth === -1) return []
  const list = keys.slice(0, depth).reduce<string>(below, '')
  const own = keys[depth + 1]
  return namesIn(document, list).filter((name) => name !== own)
}

/** A text as the value that it means: a number, true, false, null, or itself. Quotes make a text of the others. */
export function scalarOf(text: string): Json {
  const plain = text.trim()
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(plain) && plain.length < 16) return Number(plain)
  if (plain === 'true' || plain === 'false') return plain === 'true'
  if (plain === 'null') return null
  const quoted = /^"(?<inner>.*)"$/.exec(plain)?.groups?.['inner']
  return quoted !== undefined && scalarOf(quoted) !== quoted ? quoted : text
}

/** A value as it is typed in a field. */
export function scalarText(value: Json | undefined): string {
  if (value === undefined) return ''
  if (typeof value !== 'string') return JSON.stringify(value)
  return scalarOf(value) === value ? value : `"${value}"`
}

/** A value in another form, with what both forms have: the address of an endpoint is its `uri`, and a text is a list of one. */
export function inForm(form: 'text' | 'parts' | 'list', { key, value }: Pick<FieldModel, 'key' | 'value'>): Json {
  if (form === 'list') return value === undefined || value === '' ? [] : [value]
  const first = Array.isArray(value) ? value[0] : value
  if (form === 'text') return typeof first === 'string' ? first : isObject(first) && typeof first['uri'] === 'string' ? first['uri'] : ''
  const parts: JsonObject = key === 'endpoint' && typeof value === 'string' && value !== '' ? { uri: value } : {}
  return parts
}
