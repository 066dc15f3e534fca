import type { Json } from '@millrace/dsl'
import { isObject } from '#src/document/task-json.ts'

/** What a rehearsal begins with: an input as typed, and results of tasks by their path. */
export interface Samples {
  readonly input: string
  readonly pins: Readonly<Record<string, Json>>
}

const keyOf = (workflow: string) => `millrace.samples.${workflow}`

/** The samples of a workflow on this device; at first the example of its input schema. */
export function readSamples(workflow: string, document: Json | undefined): Samples {
  const found = parsed(localStorage.getItem(keyOf(workflow)) ?? '')
  if (isObject(found) && typeof found['input'] === 'string' && isObject(found['pins']))
    return { input: found['input'], pins: found['pins'] }
  return { input: JSON.stringify(exampleInput(document), undefined, 2), pins: {} }
}

/** Keeps the samples of a workflow on this device. */
export function writeSamples(workflow: string, samples: Samples): void {
  try {
    localStorage.setItem(keyOf(workflow), JSON.stringify(samples))
  } catch {
    // A full or blocked store keeps no samples; the rehearsal works without.
  }
}

/** The first example of the input schema, its default, or an empty object. */
export function exampleInput(document: Json | undefined): Json {
  const { input } = isObject(document) ? document : {}
  const schema = isObject(input) && isObject(input['schema']) ? input['schema']['document'] : undefined
  if (!isObject(schema)) return {}
  const { examples, default: byDefault } = schema
  return (Array.isArray(examples) ? examples[0] : undefined) ?? byDefault ?? {}
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
