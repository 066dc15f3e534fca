import type { RE2JS } from 're2js'

export interface CompiledPattern {
  readonly engine: RE2JS
  /** For each group its name, null for one without. */
  readonly names: readonly (string | null)[]
  /** Steps that compiling it took. */
  readonly steps: number
  /** The run that used it last, by number. */
  run: number
}

/** Patterns compiled before, the one unused for longest first. */
export type PatternCache = Map<string, CompiledPattern>
