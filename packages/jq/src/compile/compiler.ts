import type { Ir } from '#src/lower/ir.ts'
import type { Code, Compiler, Many, Paths } from './code.ts'
import { compileMany } from './compile-many.ts'
import { compileOne } from './compile-one.ts'
import { compilePaths } from './compile-paths.ts'
import { compileTaking, type CompileTaking } from './compile-taking.ts'
import type { Machine } from './machine.ts'

/** Turns resolved nodes into closures over one machine; `taking` says how folds treat their state. */
export function createCompiler(machine: Machine, taking: CompileTaking = compileTaking): Compiler {
  const codes = new WeakMap<Ir, Code>()
  const compiler: Compiler = {
    machine,
    one: (ir) => compileOne(compiler, ir),
    many: (ir) => compileMany(compiler, ir),
    paths: (ir) => compilePaths(compiler, ir),
    taking: (ir) => taking(compiler, ir),
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
