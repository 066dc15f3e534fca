import type { InputUses, Json, JsonObject } from '@millrace/dsl'
import type { Edit } from '@millrace/dsl/edit'
import { below, isObject, jsonAt } from '#src/document/task-json.ts'

/** Kinds of fields that start forms and the form of a run show as such. */
export const inputKinds = ['text', 'lines', 'email', 'url', 'number', 'integer', 'yesNo', 'date', 'dateTime', 'choice', 'file'] as const
export type InputKind = (typeof inputKinds)[number]

/** A member of the input of a workflow, as a row of a form. */
export interface InputField {
  readonly name: string
  readonly required: boolean
  /** Undefined for a member whose schema a row cannot show. */
  readonly row: InputRow | undefined
}

export interface InputRow {
  readonly kind: InputKind
  readonly title: string
  readonly description: string
  readonly choices: readonly string[]
  readonly limits: readonly InputLimit[]
  /** Which files a field for files takes. */
  readonly files?: FileRule
  /** Keywords of the schema that the row does not show, and that stay. */
  readonly more: readonly string[]
}

export type LimitKey = 'minimum' | 'maximum' | 'maxLength'
/** A limit that a row shows; undefined where the schema has none. */
export type InputLimit = readonly [LimitKey, number | undefined]

export interface FileRule {
  /** Media types, separated by commas; empty for all. */
  readonly types: string
  readonly bytesMax: number | undefined
}

export const inputPlace = '/input/schema/document'
const propertiesPlace = below(inputPlace, 'properties')
const requiredPlace = below(inputPlace, 'required')

export const fieldPlace = (name: string): string => below(propertiesPlace, name)

/** Forms show a text that may be longer on several lines. */
export const lineMax = 200
const linesMax = 5000

const typeOf: Readonly<Record<InputKind, JsonObject>> = {
  text: { type: 'string' },
  lines: { type: 'string', maxLength: linesMax },
  email: { type: 'string', format: 'email' },
  url: { type: 'string', format: 'uri' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  yesNo: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  dateTime: { type: 'string', format: 'date-time' },
  choice: { type: 'string' },
  file: { type: 'string', format: 'file' },
}
const limitKeys: Readonly<Partial<Record<InputKind, readonly LimitKey[]>>> = {
  text: ['maxLength'],
  lines: ['maxLength'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
}
const shownKeys = new Set(['type', 'format', 'enum', 'title', 'description'])
/** With one of these a schema is more than its type. */
const beyondRows = '$ref $dynamicRef allOf anyOf oneOf not if const properties items writeOnly contentEncoding'.split(' ')
/** Limits and values of one type. */
const ofType = new Set(
  'minLength maxLength pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf default examples contentMediaType maxBytes'.split(
    ' ',
  ),
)

/** The fields of the input that a definition declares; undefined for a schema that is more than an object with members. */
export function inputFields(document: Json): readonly InputField[] | undefined {
  const declared = jsonAt(document, '/input/schema') ?? {}
  if (!isObject(declared) || declared['resource'] !== undefined) return undefined
  const { format = 'json', document: schema = {} } = declared
  if (typeof format !== 'string' || !format.startsWith('json') || !isObject(schema)) return undefined
  const { type = 'object', properties = {}, required = [], $ref: reference } = schema
  if (type !== 'object' || reference !== undefined || !isObject(properties) || !Array.isArray(required)) return undefined
  return Object.entries(properties).map(([name, member]) => ({ name, required: required.includes(name), row: rowOf(member) }))
}

function rowOf(schema: Json): InputRow | undefined {
  if (!isObject(schema) || beyondRows.some((key) => schema[key] !== undefined)) return undefined
  const { title = '', description = '', enum: values } = schema
  const kind = kindOf(schema)
  if (kind === undefined || typeof title !== 'string' || typeof description !== 'string') return undefined
  const choices = Array.isArray(values) ? values.filter((one) => typeof one === 'string') : []
  const limits = limitsOf(kind, schema)
  const files = kind === 'file' ? fileRuleOf(schema) : undefined
  const isShown = (key: string) =>
    shownKeys.has(key) || limits.some(([limit]) => limit === key) || (files !== undefined && fileKeys.has(key))
  const more = Object.keys(schema).filter((key) => !isShown(key))
  return { kind, title, description, choices, limits, more, ...(files === undefined ? {} : { files }) }
}

const fileKeys = new Set(['contentMediaType', 'maxBytes'])

/** Undefined for a rule that its fields cannot show. */
function fileRuleOf({ contentMediaType: types = '', maxBytes: bytesMax }: JsonObject): FileRule | undefined {
  return typeof types === 'string' && (bytesMax === undefined || typeof bytesMax === 'number') ? { types, bytesMax } : undefined
}

function limitsOf(kind: InputKind, schema: JsonObject): readonly InputLimit[] {
  return (limitKeys[kind] ?? []).flatMap((key): readonly InputLimit[] => {
    const value = schema[key]
    return value === undefined || typeof value === 'number' ? [[key, value]] : []
  })
}

function kindOf({ type, format, enum: values, maxLength }: JsonObject): InputKind | undefined {
  if (values !== undefined) {
    const isListed = Array.isArray(values) && values.length > 0 && values.every((one) => typeof one === 'string')
    return isListed && (type === undefined || type === 'string') ? 'choice' : undefined
  }
  if (type === 'string' && format === undefined) return typeof maxLength === 'number' && maxLength > lineMax ? 'lines' : 'text'
  return inputKinds.find((kind) => kind !== 'choice' && typeOf[kind]['type'] === type && typeOf[kind]['format'] === format)
}

/** Adds a text at the end. */
export function addField(document: Json, name: string): readonly Edit[] {
  const schema = jsonAt(document, inputPlace)
  if (!isObject(schema)) return [{ kind: 'set', pointer: inputPlace, value: { type: 'object', properties: { [name]: typeOf.text } } }]
  const typed: readonly Edit[] = schema['type'] === undefined ? [{ kind: 'set', pointer: below(inputPlace, 'type'), value: 'object' }] : []
  return [...typed, { kind: 'set', pointer: fieldPlace(name), value: typeOf.text }]
}

/** Removes a field; with the last one the schema, unless it says something else. */
export function removeField(document: Json, name: string): readonly Edit[] {
  const schema = Object(jsonAt(document, inputPlace))
  const isLast = Object.keys(Object(schema.properties)).every((one) => one === name)
  if (!isLast || Object.keys(schema).some((key) => !['type', 'properties', 'required', 'additionalProperties'].includes(key)))
    return [{ kind: 'unset', pointer: fieldPlace(name) }, ...needed(document, (names) => names.filter((one) => one !== name))]
  const isAlone = Object.keys(Object(jsonAt(document, '/input'))).length === 1
  return [{ kind: 'unset', pointer: isAlone ? '/input' : '/input/schema' }]
}

/** Renames a field, and what certainly reads it. */
export function renameField(document: Json, name: string, next: string, uses: InputUses['certain'] = []): readonly Edit[] {
  return [
    { kind: 'renameMember', pointer: fieldPlace(name), name: next, uses },
    ...needed(document, (names) => names.map((one) => (one === name ? next : one))),
  ]
}

export function requireField(document: Json, name: string, isRequired: boolean): readonly Edit[] {
  return needed(document, (names) => {
    const others = names.filter((one) => one !== name)
    return isRequired ? [...others, name] : others
  })
}

/** Changes the names of the fields that are needed. */
function needed(document: Json, change: (names: readonly Json[]) => readonly Json[]): readonly Edit[] {
  const names = jsonAt(document, requiredPlace)
  const before: readonly Json[] = Array.isArray(names) ? names : []
  const after = change(before)
  if (after.length > 0) return [{ kind: 'set', pointer: requiredPlace, value: [...after] }]
  return names === undefined ? [] : [{ kind: 'unset', pointer: requiredPlace }]
}

/** Writes a text of a field; an empty one goes. */
export function describeField(document: Json, name: string, key: 'title' | 'description', text: string): readonly Edit[] {
  const pointer = below(fieldPlace(name), key)
  if (text.trim() !== '') return [{ kind: 'set', pointer, value: text }]
  return jsonAt(document, pointer) === undefined ? [] : [{ kind: 'unset', pointer }]
}

/** Writes the limits of a field that changed; an empty one goes. */
export function limitField(document: Json, name: string, limits: readonly InputLimit[]): readonly Edit[] {
  return limits.flatMap(([key, value]): readonly Edit[] => {
    const pointer = below(fieldPlace(name), key)
    if (jsonAt(document, pointer) === value) return []
    return [value === undefined ? { kind: 'unset', pointer } : { kind: 'set', pointer, value }]
  })
}

/** Writes which files a field takes; what it does not limit goes. */
export function restrictFiles(document: Json, name: string, { types, bytesMax }: FileRule): readonly Edit[] {
  const rule = { contentMediaType: types === '' ? undefined : types, maxBytes: bytesMax }
  return Object.entries(rule).flatMap(([key, value]): readonly Edit[] => {
    const pointer = below(fieldPlace(name), key)
    if (jsonAt(document, pointer) === value) return []
    return [value === undefined ? { kind: 'unset', pointer } : { kind: 'set', pointer, value }]
  })
}

/** Gives a field another kind, and keeps what its schema says beside the type; limits and examples only where they still apply. */
export function changeKind(document: Json, name: string, kind: InputKind, choices: readonly string[]): readonly Edit[] {
  const schema = jsonAt(document, fieldPlace(name))
  if (!isObject(schema)) return []
  const before = kindOf(schema)
  const isLike = isIn(['text', 'lines'], before, kind) || isIn(['number', 'integer'], before, kind)
  const kept = Object.entries(schema).filter(
    ([key, value]) =>
      !['type', 'format', 'enum'].includes(key) &&
      (isLike || !ofType.has(key)) &&
      (key !== 'maxLength' || (typeof value === 'number' && value > lineMax === (kind === 'lines'))),
  )
  const value = { ...typeOf[kind], ...(kind === 'choice' ? { enum: choices } : {}), ...Object.fromEntries(kept) }
  return [{ kind: 'set', pointer: fieldPlace(name), value }]
}

function isIn(kinds: readonly InputKind[], ...all: readonly (InputKind | undefined)[]): boolean {
  return all.every((one) => one !== undefined && kinds.includes(one))
}

export function changeChoices(name: string, choices: readonly string[]): readonly Edit[] {
  return [{ kind: 'set', pointer: below(fieldPlace(name), 'enum'), value: choices }]
}
