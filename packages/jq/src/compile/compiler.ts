import type { Ir } from '#src/lower/ir.ts'
import type { Code, Compiler, Many, Paths } from './code.ts'
import { compileMany } from './compile-many.ts'
import { compileOne } from './compile-one.ts'
import { compilePaths } from './compile-paths.ts'
import { compileInPlace, type CompileInPlace } from './compile-in-place.ts'
import { work, type Machine } from './machine.ts'

/** Turns resolved nodes into closures over one machine; `compileUpdate` compiles the updates of folds. */
export function createCompiler(machine: Machine, compileUpdate: CompileInPlace = compileInPlace): Compiler {
  const codes = new WeakMap<Ir, Code>()
  const compiler: Compiler = {
    machine,
    one: (ir) => paid(machine, ir.steps, compileOne(compiler, ir)),
    // The stream of a node with one output runs that form of it, which pays for itself.
    many: (ir) => paid(machine, ir.count === 'maybe' ? 0 : ir.steps, compileMany(compiler, ir)),
    paths: (ir) => paid(machine, ir.steps, compilePaths(compiler, ir)),
    inPlace: (ir) => paid(machine, ir.steps, compileUpdate(compiler, ir)),
    code(ir) {
      const known = codes.get(ir)
      if (known !== undefined) return known
      const code = lazyCode(compiler, ir)
      codes.set(ir, code)
      return code
    },
  }
  return compiler
}

/** Code that charges steps each time that it runs, where it costs any. */
function paid<Args extends readonly unknown[], Result>(
  machine: Machine,
  steps: number,
  code: (...args: Args) => Result,
): (...args: Args) => Result {
  if (steps === 0) return code
  return (...args) => {
    work(machine, steps)
    return code(...args)
  }
}

/** Stream and path forms are compiled at their first use: most code needs only one of them. */
function lazyCode(compiler: Compiler, ir: Ir): Code {
  let many: Many | undefined
  let paths: Paths | undefined
  return {
    one: ir.count === 'maybe' ? compiler.one(ir) : undefined,
    many(input, env, emit) {
      many ??= compiler.many(ir)
      return many(input, env, emit)
    },
    paths(track, input, env, emit) {
      paths ??= compiler.paths(ir)
      return paths(track, input, env, emit)
    },
  }
}
