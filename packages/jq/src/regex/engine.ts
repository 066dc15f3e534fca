import { RE2JS } from 're2js'
import { raise } from '#src/values/describe.ts'
import type { CompiledPattern, PatternCache } from './pattern-cache.ts'
import { translate } from './translate.ts'

export interface Flags {
  readonly global: boolean
  readonly notEmpty: boolean
  readonly extended: boolean
  /** Flags of the engine. */
  readonly bits: number
}

/** Reads jq's flags: g, i, x, n, s, p, l. */
export function readFlags(text: string): Flags {
  let global = false
  let notEmpty = false
  let extended = false
  let bits = 0
  for (const letter of text) {
    switch (letter) {
      case 'g':
        global = true
        break
      case 'n':
        notEmpty = true
        break
      case 'x':
        extended = true
        break
      case 'i':
        bits |= RE2JS.CASE_INSENSITIVE
        break
      case 'p':
        bits |= RE2JS.DOTALL
        break
      case 'l':
        bits |= RE2JS.LONGEST_MATCH
        break
      case 's':
        break
      default:
        return raise(`${text} is not a valid modifier string`)
    }
  }
  return { global, notEmpty, extended, bits }
}

const cacheSizeMax = 128

export function compilePattern(cache: PatternCache, source: string, flags: Flags): CompiledPattern {
  const key = `${flags.bits}${flags.extended ? 'x' : ''}/${source}`
  const known = cache.get(key)
  if (known !== undefined) {
    cache.delete(key)
    cache.set(key, known)
    return known
  }
  const { pattern, names } = translate(source, flags.extended)
  const compiled = { engine: build(pattern, flags.bits), names }
  cache.set(key, compiled)
  const [oldest] = cache.keys()
  if (cache.size > cacheSizeMax && oldest !== undefined) cache.delete(oldest)
  return compiled
}

/** What the engine says, and what Oniguruma says for the same. */
const messages: readonly (readonly [RegExp, string])[] = [
  [/missing closing \)/, 'end pattern with unmatched parenthesis'],
  [/unexpected \)/, 'unmatched close parenthesis'],
  [/missing closing \]/, 'premature end of char-class'],
  [/missing argument to repetition/, 'target of repeat operator is not specified'],
  [/trailing backslash/, 'end pattern at escape'],
  [/invalid character class range/, 'empty range in char class'],
]

function build(pattern: string, bits: number): RE2JS {
  try {
    return RE2JS.compile(pattern, bits)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const known = messages.find(([text]) => text.test(error.message))
    const reason = error.message.replace(/^error parsing regexp: /, '')
    return raise(
      `Regex failure: ${known === undefined ? `${reason} (patterns here run in linear time: no look-around, no back-references)` : known[1]}`,
    )
  }
}
