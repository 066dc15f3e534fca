import { ancestor, type Break, type Closure, type Env } from './code.ts'
import type { Value } from '#src/values/value.ts'

// The resolver numbers variables, parameters and labels separately from their use, so a link that a variable refers to has a
// value and nothing else; the three casts below rest on that.

export function valueAt(env: Env, up: number): Value {
  const at = up === 0 ? env : ancestor(env, up)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above.
  return at.slot as Value
}

export function closureAt(env: Env, up: number): Closure {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above.
  return ancestor(env, up).slot as Closure
}

export function labelAt(env: Env, up: number): Break {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above.
  return ancestor(env, up).slot as Break
}
