import { randomUUID } from 'node:crypto'
import type { JsonValue } from '@millrace/contract'

// Serialising is synchronous, so the pieces of one reply can be gathered here between `toJSON` and `spliceRawJson`.
let pieces: string[] = []
// A value from outside cannot contain the marker: nobody outside knows it.
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

/** Stands for a JSON value whose text is at hand, such as a `jsonb` column read as text: it goes into the reply without being parsed. */
export function rawJson(text: string): JsonValue {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Serialised it is a JSON value, and replies are only ever serialised.
  return new RawJson(text) as unknown as JsonValue
}

/** Runs a serialiser, and puts the texts of `rawJson` values where they belong. */
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
