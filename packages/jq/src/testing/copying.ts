import { rootEnv } from '#src/compile/code.ts'
import { copying } from '#src/compile/compile-in-place.ts'
import { createCompiler } from '#src/compile/compiler.ts'
import { createMachine, defaultLimits, finish, reset, type Limits } from '#src/compile/machine.ts'
import { createLibrary } from '#src/library.ts'
import { lower } from '#src/lower/lower.ts'
import { parse } from '#src/syntax/parser.ts'
import type { Json, Value } from '#src/values/value.ts'

/** Runs a program with folds that copy their state at every step, as jq is explained. */
export function runCopying(source: string, input: Json, limits: Partial<Limits>): Value[] {
  const machine = createMachine({ ...defaultLimits, ...limits }, () => 0, undefined)
  const many = createCompiler(machine, copying).many(lower(parse(source), { source, variables: new Set(), library: createLibrary(false) }))
  const outputs: Value[] = []
  reset(machine, undefined, undefined)
  try {
    many(input, rootEnv, (value) => {
      outputs.push(value)
      return false
    })
  } finally {
    finish(machine)
  }
  return outputs
}
