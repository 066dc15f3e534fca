import { standardError } from './error.ts'
import { terminalStates } from './execution-state.ts'
import { isObject, type Json, type JsonObject } from './json.ts'

/** The text attributes of CloudEvents 1.0. */
const textAttributes = ['id', 'source', 'type', 'time', 'subject', 'datacontenttype', 'dataschema', 'specversion'] as const

/** The prefix of the types of lifecycle events. A filter without a type does not match them. */
export const LIFECYCLE_TYPE_PREFIX = 'io.serverlessworkflow.'

/** The types of lifecycle events that start workflows: those of the ends of executions. */
export const END_TYPES: readonly string[] = terminalStates.map((state) => `${LIFECYCLE_TYPE_PREFIX}workflow.${state}.v1`)

/** Raises a validation error for attributes that are invalid in a CloudEvent. Source: CloudEvents 1.0.2, "Context Attributes". */
export function checkEvent(event: JsonObject): void {
  for (const name of textAttributes) {
    const value = event[name]
    if (value !== undefined && value !== null && typeof value !== 'string') throw fault(name, 'must be text')
    if (value === '') throw fault(name, 'must not be empty')
    if (typeof value === 'string') checkText(name, value)
  }
  if (typeof event.type !== 'string') throw fault('type', 'is required')
  if (typeof event.specversion === 'string' && event.specversion !== '1.0') throw fault('specversion', 'must be 1.0')
  if (typeof event.time === 'string' && !isTimestamp(event.time)) throw fault('time', 'must be an RFC 3339 timestamp')
  if (event.data_base64 !== undefined && typeof event.data_base64 !== 'string') throw fault('data_base64', 'must be text')
  if (event.data_base64 !== undefined && event.data !== undefined) throw fault('data_base64', 'cannot stand beside "data"')
  for (const [name, value] of Object.entries(event)) {
    if (name === 'data' || name === 'data_base64') continue
    if (!/^[a-z0-9]{1,64}$/.test(name)) throw fault(name, 'is not a valid attribute name: use a to z and 0 to 9')
    if (isObject(value) || Array.isArray(value)) throw fault(name, 'must be text, a number or a boolean')
  }
}

/** These attributes identify events and share an index entry, whose size is limited. */
const bytesMax: Readonly<Record<string, number>> = { id: 768, type: 768, source: 1024 }

function checkText(name: string, value: string): void {
  // oxlint-disable-next-line no-control-regex -- It finds them.
  if (/[\u0000-\u001f\u007f-\u009f]/.test(value)) throw fault(name, 'must not have control characters')
  const max = bytesMax[name] ?? 4096
  // No text has fewer bytes than UTF-16 units, and none more than thrice as many.
  if (value.length > max || (value.length * 3 > max && new TextEncoder().encode(value).length > max)) {
    throw fault(name, `is longer than ${max} bytes`)
  }
}

function isTimestamp(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(Date.parse(text))
}

function fault(attribute: string, what: string) {
  return standardError('validation', `the attribute "${attribute}" of the event ${what}`)
}

/** The event with missing required attributes filled in. Attributes that are null are left out. */
export function completeEvent(
  event: JsonObject,
  given: { readonly id: string; readonly source: string; readonly time: string },
): JsonObject {
  const attributes: [string, Json][] = Object.entries(event).filter(([, value]) => value !== null)
  const complete: JsonObject = { specversion: '1.0', ...given, ...Object.fromEntries(attributes) }
  return 'data' in complete && !('datacontenttype' in complete) ? { ...complete, datacontenttype: 'application/json' } : complete
}

/** The part of a consumed event that a task or a workflow gets. `raw` is the data as text: base 64 where it came so, the text itself where it is one, JSON otherwise. */
export function readEvent(mode: 'data' | 'envelope' | 'raw', event: JsonObject): Json {
  if (mode === 'envelope') return event
  const { data, data_base64: binary } = event
  if (mode === 'data') return data ?? binary ?? null
  if (binary !== undefined) return binary
  return typeof data === 'string' ? data : JSON.stringify(data ?? null)
}
