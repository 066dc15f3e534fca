/** An object of unknown content. */
export type Data = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A text, or the empty text for anything else. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** The value at a path of own properties. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here = value
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined
    here = Reflect.get(here, key)
  }
  return here
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A number, also written as text. Everything else is NaN. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
}

/** The entry of a table under a key from outside. */
export function own<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
