import { hasNative } from './builtins/natives.ts'
import { preludeDefinition } from './builtins/prelude.ts'
import { clockNames, clockRefusal, refusalOf } from './builtins/refused.ts'
import type { Library } from './lower/lower.ts'

/** The built-ins on offer: all of them with a clock, the deterministic ones without. */
export function createLibrary(hasClock: boolean): Library {
  const refused = (name: string, arity: number): boolean => !hasClock && clockNames.has(`${name}/${arity}`)
  return {
    hasNative: (name, arity) => !refused(name, arity) && hasNative(name, arity),
    definition: preludeDefinition,
    refusal: (name, arity) => (refused(name, arity) ? clockRefusal(name) : refusalOf(name, arity)),
  }
}
