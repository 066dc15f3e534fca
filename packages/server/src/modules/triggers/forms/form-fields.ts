import { readableName } from '@millrace/contract'
import type { Json, JsonObject } from '@millrace/engine'
import { escapePointer, unescapePointer } from '#platform/json-pointer.ts'
import { type FileRule, fileRuleOf } from './file-field.ts'

export interface Option {
  /** What the form sends. */
  readonly text: string
  readonly label: string
  readonly value: Json
}

type Kind =
  | 'text'
  | 'lines'
  | 'email'
  | 'url'
  | 'password'
  | 'date'
  | 'date-time'
  | 'time'
  | 'number'
  | 'integer'
  | 'check'
  | 'choice'
  | 'choices'
  | 'file'

/** An object of the input, whose properties have fields of their own. */
export interface FormGroup {
  /** Of the property. */
  readonly name: string
  readonly label: string
  readonly hint: string | undefined
  readonly required: boolean
  /** Its properties with one possible value. */
  readonly constants: JsonObject
}

/** A field of a form, for one property of the input or of an object in it. */
export interface FormField {
  /** What the form sends: the name of the property, or a pointer for one of an object. */
  readonly name: string
  /** Of the property. */
  readonly member: string
  readonly group: FormGroup | undefined
  readonly label: string
  readonly hint: string | undefined
  readonly kind: Kind
  readonly required: boolean
  readonly nullable: boolean
  /** Of `choice` and `choices`. */
  readonly options: readonly Option[]
  /** Of `file`. */
  readonly file?: FileRule
  readonly schema: JsonObject
}

/** A form as an input schema makes it. */
export interface FormShape {
  readonly title: string | undefined
  readonly description: string | undefined
  readonly fields: readonly FormField[]
  /** Properties with one possible value, which have no field. */
  readonly constants: JsonObject
}

/** Why no form can be shown, as a sentence. */
export interface FormProblem {
  readonly problem: string
}

/** Names of the hidden fields of a form. */
export const idField = '_id'
export const trapField = '_website'

const fieldsMax = 100
const optionsMax = 300
const lineMax = 200
const refsMax = 8
const referenceMax = 1000
/** Characters of all texts of a form: an anonymous visitor has the page made. */
const textsMax = 200_000

/** What a form reads of a schema. A schema may have thousands of other keywords, and they are not copied with every reference to it. */
const keywords = [
  'type',
  'properties',
  'required',
  'title',
  'description',
  'const',
  'enum',
  'oneOf',
  'anyOf',
  'items',
  'format',
  'writeOnly',
  'default',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'contentMediaType',
  'maxBytes',
] as const

/** The fields for the properties of an input schema. */
export function formShapeOf(schema: Json | undefined): FormShape | FormProblem {
  if (schema === undefined) return { problem: 'The workflow has no input schema, from which the form takes its fields.' }
  const root = resolve(schema, schema)
  const properties = root?.['properties']
  if (root === undefined || typeOf(root) !== 'object' || (properties !== undefined && !isObject(properties)))
    return { problem: 'The input schema does not describe an object with properties, from which the form takes its fields.' }
  const entries = Object.entries(properties ?? {})
  if (entries.length > fieldsMax)
    return { problem: `The input schema has ${entries.length} properties. A form can show ${fieldsMax} of them.` }
  const required = namesOf(root['required'])
  const missing = required.find((name) => !Object.hasOwn(properties ?? {}, name))
  if (missing !== undefined) return { problem: `The property ${quoted(missing)} is required, but the input schema does not describe it.` }
  const fields: FormField[] = []
  const constants: [string, Json][] = []
  let members = entries.length
  let characters = 0
  for (const [name, property] of entries) {
    const node = resolve(property, schema)
    const only = constantOf(node)
    if (only !== undefined) constants.push([name, only])
    else {
      if (isGroup(node)) members += Object.keys(node.properties).length - 1
      if (members > fieldsMax) return { problem: `The input schema has ${members} fields or more. A form can show ${fieldsMax} of them.` }
      const isRequired = required.includes(name)
      const found = isGroup(node)
        ? groupOf(name, node, { root: schema, required: isRequired })
        : fieldOf(name, node, { root: schema, required: isRequired })
      if (typeof found === 'string') return { problem: `The property ${quoted(name)} ${found}.` }
      for (const field of Array.isArray(found) ? found : [found]) {
        fields.push(field)
        characters += charactersOf(field)
        if (characters > textsMax)
          return {
            problem: `The titles, descriptions, values and defaults of the input schema have over ${textsMax} characters, the most of a form.`,
          }
      }
    }
  }
  const names = fields.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) return { problem: `The property ${quoted(twice)} has a name that the form uses itself.` }
  return { title: textOf(root['title']), description: textOf(root['description']), fields, constants: Object.fromEntries(constants) }
}

function charactersOf({ label, hint, options, schema }: FormField): number {
  const ofOptions = options.reduce((sum, option) => sum + option.text.length + option.label.length, 0)
  const { default: value } = schema
  return label.length + (hint?.length ?? 0) + ofOptions + (value === undefined ? 0 : JSON.stringify(value).length)
}

/** The one possible value of a property. Consent is a box to tick, also where the schema permits nothing else. */
function constantOf(schema: JsonObject | undefined): Json | undefined {
  return typeof schema?.['const'] === 'boolean' ? undefined : schema?.['const']
}

function isGroup(schema: JsonObject | undefined): schema is JsonObject & { readonly properties: JsonObject } {
  return schema !== undefined && typeOf(schema) === 'object' && isObject(schema['properties']) && optionsOf(schema) === undefined
}

/** The fields of an object in the input. @returns a predicate of the property where a form has no field for one of them. */
function groupOf(
  name: string,
  schema: JsonObject & { readonly properties: JsonObject },
  { root, required }: { readonly root: Json; readonly required: boolean },
): readonly FormField[] | string {
  const members = namesOf(schema['required'])
  const missing = members.find((member) => !Object.hasOwn(schema.properties, member))
  if (missing !== undefined) return `requires ${quoted(missing)}, which the input schema does not describe`
  const nodes = Object.entries(schema.properties).map(([member, property]) => ({ member, node: resolve(property, root) }))
  const constants = Object.fromEntries(
    nodes.flatMap(({ member, node }): [string, Json][] => {
      const only = constantOf(node)
      return only === undefined ? [] : [[member, only]]
    }),
  )
  const group = { name, label: textOf(schema['title']) ?? readableName(name), hint: textOf(schema['description']), required, constants }
  const fields: FormField[] = []
  for (const { member, node } of nodes) {
    if (Object.hasOwn(constants, member)) continue
    const field = fieldOf(member, node, { root, required: members.includes(member) })
    if (typeof field === 'string') return `has a property ${quoted(member)} that ${field}`
    fields.push({ ...field, group, name: `/${escapePointer(name)}/${escapePointer(member)}` })
  }
  return fields
}

/** @returns a predicate of the property where a form has no field for it. */
function fieldOf(
  name: string,
  schema: JsonObject | undefined,
  { root, required }: { readonly root: Json; readonly required: boolean },
): FormField | string {
  if (name === idField || name === trapField) return 'has a name that the form uses itself'
  if (schema === undefined) return 'has no schema that a form can read'
  const label = textOf(schema['title']) ?? readableName(name)
  const nullable = Array.isArray(schema['type']) && schema['type'].includes('null')
  const hint = textOf(schema['description'])
  const common = { name, member: name, group: undefined, label, hint, required, nullable, schema, options: [] }
  const type = typeOf(schema)
  if (type === 'boolean' || typeof schema['const'] === 'boolean') return { ...common, kind: 'check' }
  const options = optionsOf(schema)
  if (options !== undefined) return withOptions({ ...common, kind: 'choice' }, options)
  if (type === 'array') {
    const items = resolve(schema['items'], root)
    const choices = items === undefined ? undefined : optionsOf(items)
    return choices === undefined
      ? 'is an array; a form can show one only if `enum` of its items lists their values'
      : withOptions({ ...common, kind: 'choices' }, choices)
  }
  if (type === 'number' || type === 'integer') return { ...common, kind: type }
  if (type === 'string' && schema['format'] === 'file') {
    const file = fileRuleOf(schema)
    return typeof file === 'string' ? file : { ...common, kind: 'file', file }
  }
  if (type === 'string') return { ...common, kind: kindOfText(schema) }
  return type === 'object'
    ? 'is an object, which a form can show only at the top, with its properties'
    : 'has no single type that a form can show'
}

function withOptions(field: FormField, options: readonly Option[] | number): FormField | string {
  const count = typeof options === 'number' ? options : options.length
  return typeof options === 'number' || count > optionsMax
    ? `has ${count} values. A form can show ${optionsMax} of them`
    : { ...field, options }
}

function kindOfText({ format, maxLength, writeOnly }: JsonObject): Kind {
  if (format === 'password' || writeOnly === true) return 'password'
  if (format === 'email' || format === 'date' || format === 'date-time' || format === 'time') return format
  if (format === 'uri') return 'url'
  return typeof maxLength === 'number' && maxLength > lineMax ? 'lines' : 'text'
}

/**
 * The values to choose from, of `enum` or of alternatives with a `const` each, or their number if they are too many to be looked at; undefined unless all are
 * texts, numbers and the like.
 */
function optionsOf({ enum: values, oneOf, anyOf }: JsonObject): readonly Option[] | number | undefined {
  const alternatives = oneOf ?? anyOf
  const listed = Array.isArray(values) ? values : alternatives
  // Null is one of them at most.
  if (Array.isArray(listed) && listed.length > optionsMax + 1) return listed.length
  const given: readonly (readonly [Json | undefined, string | undefined])[] | undefined = Array.isArray(values)
    ? values.map((value: Json) => [value, undefined] as const)
    : Array.isArray(alternatives)
      ? alternatives.map((one: Json) =>
          isObject(one) ? ([one['const'], textOf(one['title'])] as const) : ([undefined, undefined] as const),
        )
      : undefined
  const options = new Map<string, Option>()
  for (const [value, label] of given ?? []) {
    // Null is what an empty choice means.
    if (value === null) continue
    if (value === undefined || typeof value === 'object') return undefined
    const text = String(value)
    if (!options.has(text)) options.set(text, { text, label: label ?? text, value })
  }
  return options.size === 0 ? undefined : [...options.values()]
}

/** The keywords of a schema that a form reads, with those of the references within the document; undefined for anything else. */
function resolve(schema: Json | undefined, root: Json): JsonObject | undefined {
  let node: Json | undefined = schema
  const found: Record<string, Json> = {}
  for (let count = 0; count < refsMax; count++) {
    if (!isObject(node)) return undefined
    for (const keyword of keywords) {
      const value = node[keyword]
      if (value !== undefined && found[keyword] === undefined) found[keyword] = value
    }
    const { $ref: reference } = node
    if (reference === undefined) return found
    node = typeof reference === 'string' && reference.length <= referenceMax ? targetOf(reference, root) : undefined
  }
  return undefined
}

function targetOf(reference: string, root: Json): Json | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined
  let node: Json | undefined = root
  for (const token of reference.split('/').slice(1)) {
    const name = unescapePointer(token)
    node = isObject(node) && Object.hasOwn(node, name) ? node[name] : undefined
  }
  return node
}

/** The one type of a schema besides null; an object if it only has properties. */
function typeOf({ type, properties }: JsonObject): string | undefined {
  if (type === undefined) return properties === undefined ? undefined : 'object'
  const types: readonly Json[] = (Array.isArray(type) ? type : [type]).filter((one: Json) => one !== 'null')
  const [only] = types
  return types.length === 1 && typeof only === 'string' ? only : undefined
}

function namesOf(required: Json | undefined): readonly string[] {
  return Array.isArray(required) ? required.filter((name: Json) => typeof name === 'string') : []
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function quoted(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name)
}
