import { suggest } from '#src/diagnostics/suggest.ts'
import type { Path } from '#src/parse/pointer.ts'
import { isObject } from '#src/shape/variables.ts'
import type { Json } from '#src/json.ts'
import type { Finding, Suggestions } from './facts.ts'

/** A value in quotes for messages, truncated when it is long. */
export function quoted(value: string): string {
  return JSON.stringify(shortened(value))
}

export function shortened(value: string): string {
  return value.length > 60 ? `${value.slice(0, 57)}…` : value
}

/** Words joined as `a, b or c`. */
export function alternatives(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** "Did you mean …?", or `otherwise` when no candidate is close. For candidates of the DSL, which are few. */
export function meant(word: string, candidates: readonly string[], otherwise: string): string {
  const close = suggest(word, candidates)
  return close === undefined ? otherwise : `Did you mean ${quoted(close)}?`
}

/** The same for candidates of the document, within the budget of comparisons. */
export function meantName(suggestions: Suggestions, word: string, candidates: Iterable<string>, otherwise: string): string {
  const close = closeName(suggestions, word, candidates)
  return close === undefined ? otherwise : `Did you mean ${quoted(close)}?`
}

/** The name of the document that is close to a word, within the budget of comparisons. */
export function closeName(suggestions: Suggestions, word: string, candidates: Iterable<string>): string | undefined {
  return suggest(word, affordable(suggestions, candidates))
}

function* affordable(suggestions: Suggestions, candidates: Iterable<string>): Generator<string, void> {
  for (const candidate of candidates) {
    if (suggestions.comparisonsLeft-- <= 0) return
    yield candidate
  }
}

/** Iterates over several lists one after the other, without copying them. */
export function* chain(...lists: readonly Iterable<string>[]): Generator<string, void> {
  for (const list of lists) yield* list
}

/** The first names of many, shortened, to be listed in a hint. */
export function firstOf(names: Iterable<string>, count: number): string[] {
  const first: string[] = []
  for (const name of names) {
    if (first.length === count) break
    first.push(shortened(name))
  }
  return first
}

/** The value at a path in words: the name of its key, or its number in a list. */
export function nameOf(path: Path | undefined): string {
  if (path === undefined) return 'The document'
  return typeof path.key === 'number'
    ? `Entry ${path.key + 1}${path.parent === undefined ? '' : ` of ${quoted(String(path.parent.key))}`}`
    : quoted(path.key)
}

export function typeOf(value: Json): string {
  if (value === null) return 'empty (null)'
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'an object'
  return typeof value === 'number' && !Number.isInteger(value) ? 'a number with a fraction' : `a ${typeof value}`
}

export function wrongType(path: Path | undefined, value: Json, wanted: string, hint: string): Finding {
  return { code: 'wrong_type', path, at: 'value', message: `${nameOf(path)} has to be ${wanted}, but is ${typeOf(value)}.`, hint }
}

/** The finding about a secret that `use.secrets` does not list, without its place. */
export function undeclaredSecret(suggestions: Suggestions, name: string, listed: ReadonlySet<string>) {
  const message = `The secret ${quoted(name)} is not listed in use.secrets.`
  return { code: 'undeclared_secret', message, hint: meantName(suggestions, name, listed, `Add ${name} to use.secrets.`) } as const
}
