import type { JsonValue } from '@millrace/contract'
import { InputError, readJson } from '#src/api/json.ts'
import { readFields, type SchemaField, shownOf, withoutField } from '#src/forms/schema-fields.ts'
import { m } from '#src/messages/messages.ts'

/** An input as a form shows it. */
export interface ShownInput {
  /** What was filled in at first. */
  readonly given: unknown
  /** What the fields show. */
  readonly values: Readonly<Record<string, unknown>>
  /** Members of the input that have no field. */
  readonly others: Readonly<Record<string, JsonValue>>
  /** The input as JSON, while it is edited as such. */
  readonly text: string | undefined
}

export interface ReadInput {
  readonly input: JsonValue
  /** What is wrong, by the name of the field; `input` of a text that is no JSON. */
  readonly problems: Readonly<Record<string, string>>
}

/** An input in the fields, or as text where it is no object. */
export function shownAs(fields: readonly SchemaField[], given: unknown, asText: boolean): ShownInput {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  return {
    given,
    values: shownOf(fields, given),
    others: withoutField(fields, given),
    text: asText || !isObject ? JSON.stringify(given, undefined, 2) : undefined,
  }
}

/** The input that is shown, with what is wrong in it. A field that was not changed stays what was filled in, also where it cannot show that. */
export function inputIn(fields: readonly SchemaField[], shown: ShownInput): ReadInput {
  if (shown.text !== undefined) return inputInText(shown.text)
  const { given, values, others } = shown
  const members = membersOf(given)
  const first = shownOf(fields, given)
  const kept = new Set(
    fields.filter((field) => values[field.name] === first[field.name] && isKept(field, members[field.name])).map(({ name }) => name),
  )
  const { value, problems } = readFields(
    fields.filter(({ name }) => !kept.has(name)),
    values,
  )
  const input: Record<string, JsonValue> = {}
  const put = (name: string, member: JsonValue | undefined) => {
    if (member !== undefined) input[name] = member
  }
  // In the order of what was filled in.
  for (const [name, member] of Object.entries(members)) put(name, kept.has(name) ? member : (value[name] ?? others[name]))
  for (const [name, member] of Object.entries({ ...others, ...value })) put(name, member)
  return { input, problems }
}

/** A field of a member that is there is kept, and so is one of a member that may be absent. */
function isKept({ required, schema }: SchemaField, member: JsonValue | undefined): boolean {
  return member !== undefined || (!required && schema['default'] === undefined)
}

function inputInText(text: string): ReadInput {
  try {
    return { input: readJson(text, m.editor.notJson), problems: {} }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return { input: null, problems: { input: error.message } }
  }
}

/** What is shown, in the fields of another schema. What is wrong in a field stays in the field of this name. */
export function reshaped(before: readonly SchemaField[], after: readonly SchemaField[], shown: ShownInput): ShownInput {
  if (shown.text !== undefined) return shown
  const { input, problems } = inputIn(before, shown)
  const next = shownAs(after, input, after.length === 0)
  const wrong = Object.keys(problems).filter((name) => after.some((field) => field.name === name))
  return { ...next, given: shown.given, values: { ...next.values, ...Object.fromEntries(wrong.map((name) => [name, shown.values[name]])) } }
}

/** Fields that show what is given alone. */
export function withoutDefaults(fields: readonly SchemaField[]): readonly SchemaField[] {
  return fields.map(({ schema: { default: _default, ...schema }, ...field }) => ({ ...field, schema }))
}

function membersOf(value: unknown): Readonly<Record<string, JsonValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
