import { randomUUID } from 'node:crypto'
import type { JsonValue } from '@millrace/contract'

// Serialising is synchronous, so this module can collect the raw texts of one reply between `toJSON` and the end of `withRawJson`.
let pieces: string[] = []
// The marker is random and secret, so no value from outside can contain it.
const marker = `raw:${randomUUID()}:`
const opening = `"${marker}`

class RawJson {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toJSON(): string {
    return `${marker}${pieces.push(this.#text) - 1}`
  }
}

/** A JSON value given as text, such as a `jsonb` column: the reply contains the text, which is never parsed. */
export function rawJson(text: string): JsonValue {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- It serialises to a JSON value, and replies are only serialised.
  return new RawJson(text) as unknown as JsonValue
}

/** Runs a serialiser and inserts the texts of `rawJson` values into its result. */
export function withRawJson(serialise: () => string): string {
  pieces = []
  const text = serialise()
  if (pieces.length === 0) return text
  const parts: string[] = []
  let at = 0
  for (let open = text.indexOf(opening); open !== -1; open = text.indexOf(opening, at)) {
    const close = text.indexOf('"', open + opening.length)
    parts.push(text.slice(at, open), pieces[Number(text.slice(open + opening.length, close))] ?? 'null')
    at = close + 1
  }
  parts.push(text.slice(at))
  pieces = []
  return parts.join('')
}
