import type { Json } from '@millrace/dsl'
import { isObject, jsonAt } from '#src/document/task-json.ts'
import { withoutSecrets } from '#src/values/secret-members.ts'

/** What a person gave for a rehearsal. */
export interface Samples {
  /** Undefined until a person gives one. */
  readonly input: Json | undefined
  /** Results of tasks by their path. */
  readonly pins: Readonly<Record<string, Json>>
}

const keyOf = (workflow: string) => `millrace.samples.${workflow}`

/** The samples of a workflow on this device. */
export function readSamples(workflow: string): Samples {
  const found = parsed(localStorage.getItem(keyOf(workflow)) ?? '')
  const { input, pins } = isObject(found) ? found : {}
  return { input: typeof input === 'string' ? parsed(input) : undefined, pins: isObject(pins) ? pins : {} }
}

/** Keeps the samples of a workflow on this device; `schema` says which members of the input are secrets, which stay out. */
export function writeSamples(workflow: string, { input, pins }: Samples, schema: Json | undefined): void {
  // As text, as browsers have it from earlier versions.
  const text = input === undefined ? undefined : JSON.stringify(withoutSecrets(input, schema))
  try {
    localStorage.setItem(keyOf(workflow), JSON.stringify({ input: text, pins }))
  } catch {
    // A full or blocked store keeps no samples; the rehearsal works without.
  }
}

/** The schema that a definition gives its input: `{}` where it stands elsewhere, undefined without one. */
export function inputSchemaOf(document: Json | undefined): Json | undefined {
  const declared = jsonAt(document, '/input/schema')
  return isObject(declared) ? (declared['document'] ?? {}) : undefined
}

/** JSON as typed; undefined while it cannot be read. */
export function parsed(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}

/** A value in a few characters, for a card. */
export function shortValue(value: Json | undefined): string {
  if (value === undefined) return ''
  if (Array.isArray(value)) return `[${value.length}]`
  if (!isObject(value)) return cut(JSON.stringify(value))
  const keys = Object.keys(value)
  const [key] = keys
  if (key === undefined) return '{}'
  const single = value[key]
  const rest = keys.length === 1 ? '' : ', …'
  return typeof single === 'object' && single !== null
    ? cut(`{ ${keys.join(', ')} }`)
    : `{ ${cut(`${key}: ${JSON.stringify(single)}`)}${rest} }`
}

const charactersMax = 28

function cut(text: string): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text
}
