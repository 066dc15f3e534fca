import type { Json } from '@millrace/engine'

/** Shorter values are too common in other text to be told apart. */
const lengthMin = 4

/** Makes a function that replaces every secret text in what is printed. */
export function createMask(secrets: Json): (text: string) => string {
  const values = textsIn(secrets).toSorted((one, other) => other.length - one.length)
  return (text) => values.reduce((masked, value) => masked.replaceAll(value, '***'), text)
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return value.length >= lengthMin ? [value, escaped(value)] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((part) => textsIn(part))
}

/** As it stands inside JSON. */
function escaped(value: string): string {
  return JSON.stringify(value).slice(1, -1)
}
