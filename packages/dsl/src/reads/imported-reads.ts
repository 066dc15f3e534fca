import type { Json, JsonObject } from '#src/json.ts'
import { pointerOf } from '#src/parse/pointer.ts'
import { isObject, objectAt } from '#src/shape/variables.ts'
import type { InputRead } from './input-read.ts'

/**
 * The parts of a request that the tasks of a workflow of n8n read, one level below `body`, `headers` and `query`. Its tasks hand on lists of items, through
 * which data cannot be followed; the names of these members show that the item is the request.
 */
export function importedReads(definition: JsonObject): readonly InputRead[] {
  if (importedFrom(definition) !== 'n8n') return []
  const text = JSON.stringify(definition['do'] ?? [])
  if (!text.includes(ofWebhook)) return []
  const needed = !otherItems.test(text)
  const reads = new Map<string, InputRead>()
  for (const { name, pointer, data } of tasksOf(definition['do']))
    for (const path of pathsIn(data)) if (!reads.has(path)) reads.set(path, { path, needed, task: name, pointer })
  return [...reads.values()]
}

/**
 * Whether a path belongs to the request with which alone a workflow of n8n starts: its steps pass a missing member on as null, so that every run of them
 * completes, and yet needs it.
 */
export function isOfRequest(definition: JsonObject): (path: string) => boolean {
  const [first] = tasksOf(definition['do'])
  const isAlone = importedFrom(definition) === 'n8n' && objectAt(first?.data ?? {}, 'metadata')?.['type'] === webhook
  if (!isAlone || otherItems.test(JSON.stringify(definition['do']))) return () => false
  return (path) => /^(?:body|headers|query)[.[]/.test(path)
}

function importedFrom(definition: JsonObject): Json | undefined {
  return objectAt(objectAt(definition, 'document') ?? {}, 'metadata')?.['importedFrom']
}

/** Another start has other items, and the response of a call may have a body as well. */
const otherItems = /\$chosen\b|"output":"response"/

const webhook = 'n8n-nodes-base.webhook'
/** In the metadata of the task that stands for the webhook of the export. */
const ofWebhook = `"type":"${webhook}"`

function tasksOf(list: Json | undefined) {
  if (!Array.isArray(list)) return []
  return list.flatMap((entry: Json, index) =>
    Object.entries(isObject(entry) ? entry : {}).flatMap(([name, data]) => {
      const pointer = pointerOf({ parent: { parent: { parent: undefined, key: 'do' }, key: index }, key: name })
      return isObject(data) ? [{ name, pointer, data }] : []
    }),
  )
}

const member = String.raw`(?:\.([A-Za-z_]\w*)|\[["']([^"'\\]+)["']\])`
/** As in `$item.body.email`, `$json["body"]["email"]` and `(…).body.email`; not a method. */
const read = new RegExp(String.raw`(?:\$item|\$json|\.json|\))(?:\.|\[["'])(body|headers|query)(?:["']\])?${member}(?!\s*\(|\w)`, 'g')

function* pathsIn(value: Json): Generator<string, void> {
  if (typeof value === 'string')
    for (const [, part = '', plain, quoted = ''] of value.matchAll(read))
      yield `${part}${plain === undefined ? stepOf(quoted) : `.${plain}`}`
  else if (Array.isArray(value)) for (const item of value) yield* pathsIn(item)
  else if (isObject(value)) for (const item of Object.values(value)) yield* pathsIn(item)
}

function stepOf(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
}
