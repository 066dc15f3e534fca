import type { Json } from '@millrace/engine'
import { textsIn } from '@millrace/engine/definition'

/** Shorter values are too common in other text to be told apart. */
const lengthMin = 4

/** Makes a function that replaces every secret text in what is printed. */
export function createMask(secrets: Json): (text: string) => string {
  const texts = textsIn(secrets).filter(({ length }) => length >= lengthMin)
  const values = texts.flatMap((text) => [text, escaped(text)]).toSorted((one, other) => other.length - one.length)
  return (text) => values.reduce((masked, value) => masked.replaceAll(value, '***'), text)
}

/** As it stands inside JSON. */
function escaped(value: string): string {
  return JSON.stringify(value).slice(1, -1)
}
