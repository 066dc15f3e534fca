import { fileNameProblem } from '@millrace/contract'
import type { Json } from '@millrace/engine'

/** Texts of one value that are looked up. */
const textsMax = 2_000

/** The texts in a value that can be names of files, each once, in the order in which they stand. A part of a text names no file. */
export function fileNamesIn(value: Json): readonly string[] {
  const found = new Set<string>()
  const left: Json[] = [value]
  while (left.length > 0 && found.size < textsMax) {
    const next = left.pop() ?? null
    if (typeof next === 'string') {
      if (fileNameProblem(next) === undefined) found.add(next)
    } else if (next !== null && typeof next === 'object') {
      // The last one is taken first.
      for (const inner of Object.values(next).toReversed()) left.push(inner ?? null)
    }
  }
  return [...found]
}
