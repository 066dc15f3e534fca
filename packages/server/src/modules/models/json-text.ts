import type { Json } from '@millrace/engine'
import { jsonrepair } from 'jsonrepair'
import { storableText } from '#platform/storable-text.ts'

/** JSON out of what a model wrote, also inside a fence, with texts that can be stored. */
export function readJsonText(text: string): Json | undefined {
  return read(text, JSON.parse)
}

/** The characters of one response that are repaired: the time of a repair grows with their square, and the process does nothing else meanwhile. */
const repairedMax = 16_384

/** Makes the reader of the texts of one response: as `readJsonText`, also with the usual slips. */
export function createJsonRepair(): (text: string) => Json | undefined {
  let left = repairedMax
  return (text) => {
    const value = readJsonText(text)
    if (value !== undefined || text.length > left) return value
    left -= text.length
    return read(text, (raw): unknown => JSON.parse(jsonrepair(raw)))
  }
}

function read(text: string, parse: (text: string) => unknown): Json | undefined {
  const inner = /```(?:json)?[^\S\n]*\n([\s\S]*?)\n?```/.exec(text)?.[1] ?? text
  if (!/[{[]/.test(inner)) return undefined
  try {
    const value: unknown = parse(inner.trim())
    if (typeof value !== 'object' || value === null) return undefined
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A parsed JSON text is JSON.
    return unstorable.test(inner) ? storable(value as Json) : (value as Json)
  } catch {
    return undefined
  }
}

/** What escapes may stand for characters that cannot be stored. */
const unstorable = /\\u(?:0000|d[89a-f])/i

function storable(value: Json): Json {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [storableText(name), storable(member)]))
}
