import { RE2JS } from 're2js'
import { scan, work, type Machine } from '#src/compile/machine.ts'
import { raise } from '#src/values/describe.ts'
import type { CompiledPattern } from './pattern-cache.ts'
import { translate } from './translate.ts'

export interface Flags {
  readonly global: boolean
  readonly notEmpty: boolean
  readonly extended: boolean
  /** Flags of the engine. */
  readonly bits: number
}

/** Reads jq's flags: g, i, x, n, m, s, p, l. */
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
      case 'm':
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

/** A pattern that would take longer to compile is refused, since the engine cannot be interrupted in it. */
const compileStepsMax = 200_000

/**
 * Takes a pattern out of the cache or compiles it. A run pays for compiling at its first use of a pattern wherever that comes from,
 * so that its steps do not depend on the runs before it; what this run has used is what the cache drops last.
 */
export function compilePattern(machine: Machine, source: string, flags: Flags): CompiledPattern {
  const { patterns } = machine
  const key = `${flags.bits}${flags.extended ? 'x' : ''}/${source}`
  const known = patterns.get(key)
  if (known !== undefined) {
    if (known.run !== machine.run) work(machine, known.steps)
    known.run = machine.run
    patterns.delete(key)
    patterns.set(key, known)
    return known
  }
  scan(machine, source.length * 8)
  const { pattern, names, steps } = translate(source, flags.extended, (flags.bits & RE2JS.CASE_INSENSITIVE) !== 0)
  if (steps > compileStepsMax) return raise('Regex failure: the pattern is too large')
  work(machine, steps)
  const compiled = { engine: build(pattern, flags.bits), names, steps: steps + (source.length >> 1), run: machine.run }
  patterns.set(key, compiled)
  const [oldest] = patterns.keys()
  if (patterns.size > cacheSizeMax && oldest !== undefined) patterns.delete(oldest)
  return compiled
}

/** Messages of the engine, and those of Oniguruma for the same errors. */
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
