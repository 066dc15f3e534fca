import * as fc from 'fast-check'
import { isObject } from '#src/shape/variables.ts'
import type { Json } from '#src/json.ts'

/** One way to break a document; `place` and `choice` are reduced to what the document has. */
export interface Break {
  readonly place: number
  readonly choice: number
  readonly kind: 'remove' | 'misspell' | 'add' | 'replace'
}

export const breaks: fc.Arbitrary<Break> = fc.record({
  place: fc.nat(100_000),
  choice: fc.nat(1000),
  kind: fc.constantFrom('remove', 'misspell', 'add', 'replace'),
})

const wrongValues: readonly Json[] = [
  null,
  true,
  7,
  -1,
  1.5,
  '',
  'nonsense',
  'not a uri',
  '${ .x }',
  [],
  [1],
  ['a'],
  {},
  { a: 1 },
  { use: 'vault' },
  [{}],
  [{ a: {}, b: {} }],
]

const properties = [
  'if',
  'then',
  'with',
  'call',
  'do',
  'for',
  'set',
  'use',
  'uri',
  'when',
  'catch',
  'until',
  'extra',
  'one',
  'after',
  'document',
]

/** A copy of the document with one thing about it changed; whether it is still valid is for others to say. */
export function broken(document: Json, change: Break): Json {
  const places = countPlaces(document)
  return changeAt(document, { left: change.place % places }, change)
}

function countPlaces(value: Json): number {
  const children = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []
  return children.reduce<number>((count, child: Json) => count + countPlaces(child), 1)
}

/** Walks in the order of the document until `left` places are passed, and changes the one that it then stands at. */
function changeAt(value: Json, cursor: { left: number }, change: Break): Json {
  if (cursor.left-- === 0) return changed(value, change)
  if (Array.isArray(value)) return value.map((item: Json) => changeAt(item, cursor, change))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, changeAt(item, cursor, change)]))
}

function changed(value: Json, { kind, choice }: Break): Json {
  const wrongValue = wrongValues[choice % wrongValues.length] ?? null
  if (Array.isArray(value) && kind !== 'replace') return kind === 'add' ? [...value, wrongValue] : value.slice(1)
  if (!isObject(value) || kind === 'replace') return wrongValue
  const entries = Object.entries(value)
  const chosen = entries.length === 0 ? undefined : entries[choice % entries.length]
  if (kind === 'add' || chosen === undefined) return { ...value, [properties[choice % properties.length] ?? 'extra']: wrongValue }
  const rest = entries.filter((entry) => entry !== chosen)
  return Object.fromEntries(kind === 'remove' ? rest : [...rest, [`${chosen[0]}x`, chosen[1]]])
}
