import { RE2JS } from 're2js'
import { patternSize } from './pattern-size.ts'
import { translatePattern } from './translate-pattern.ts'

/** The size of a pattern with its repetitions expanded. */
const SIZE_MAX = 10_000

const CACHE_MAX = 500
/** RE2 caches states while it matches, so the cache is cleared when the patterns in it may occupy this much. */
const CACHE_BYTES_MAX = 64 * 1024 * 1024

/** A pattern that cannot be used. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}

/** A compiled regular expression. RE2 takes time in proportion to the text and to its own size, and to nothing else. */
export interface Pattern {
  /** The steps to match a text of this length, at most. */
  stepsFor(length: number): number
  test(text: string): boolean
}

const cache = new Map<string, Pattern>()
let cacheBytes = 0

/**
 * Compiles a pattern of a schema: ECMAScript's syntax as far as RE2 knows it, which leaves out backreferences and looking around. Charges for the
 * compilation, also for a cached pattern, so that the cost of a validation does not depend on earlier ones.
 */
export function compilePattern(source: string, charge: (steps: number) => void): Pattern {
  charge(200 + Math.min(SIZE_MAX, source.length >> 3))
  const size = source.length > 4 * SIZE_MAX ? Number.POSITIVE_INFINITY : patternSize(source)
  if (size > SIZE_MAX) throw new PatternError(`the pattern is too large; with its repetitions it has more than ${SIZE_MAX} characters`)
  charge(16 * size)
  const known = cache.get(source)
  if (known !== undefined) return known
  const pattern = build(source, size)
  if (cache.size >= CACHE_MAX) cache.delete(cache.keys().next().value ?? '')
  cache.set(source, pattern)
  return pattern
}

function build(source: string, size: number): Pattern {
  const engine = compiled(source)
  // Measured: up to 12 ns for a character and an instruction where the pattern is small, up to 110 ns where its states no longer fit in memory.
  const share = size <= 512 ? 32 : 4
  return {
    stepsFor: (length) => 1 + Math.ceil((length * size) / share),
    test: (text) => {
      cacheBytes += Math.min(8_000_000, text.length * (200 + 8 * size))
      if (cacheBytes > CACHE_BYTES_MAX) {
        cache.clear()
        cacheBytes = 0
      }
      return engine.test(text)
    },
  }
}

function compiled(source: string): RE2JS {
  try {
    return RE2JS.compile(translatePattern(source))
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'it is no regular expression'
    throw new PatternError(`the pattern cannot be used: ${reason}`)
  }
}
