import type { Ir } from '#src/lower/ir.ts'
import { ancestor, type Compiler, type Env, type Many, type One, type Paths } from './code.ts'
import { descend, tick } from './machine.ts'
import { closureAt } from './slots.ts'

type CallIr = Extract<Ir, { kind: 'call' }>
type Enter = (env: Env) => Env

/** Prepares the environment of a call: that of the definition, plus a closure for each argument. */
function compileEnter(compiler: Compiler, ir: CallIr): Enter {
  const { up } = ir
  const args = ir.args.map((arg) => {
    // A parameter that is only passed on stays the closure it is, so recursion does not pile wrappers up.
    if (arg.kind === 'parameter') return (env: Env) => closureAt(env, arg.up)
    const code = compiler.code(arg)
    return (env: Env) => ({ code, env })
  })
  return (env) => {
    let inside = up === 0 ? env : ancestor(env, up)
    for (const arg of args) inside = { slot: arg(env), up: inside }
    return inside
  }
}

export function callOne(compiler: Compiler, ir: CallIr): One {
  const { machine } = compiler
  const enter = compileEnter(compiler, ir)
  const { routine } = ir
  let body: One | undefined
  return (input, env) => {
    // The body is compiled at the first call, which is how a definition can call itself.
    body ??= compiler.code(routine.body).one ?? compiler.one(routine.body)
    tick(machine)
    descend(machine)
    const value = body(input, enter(env))
    machine.depth--
    return value
  }
}

export function callMany(compiler: Compiler, ir: CallIr): Many {
  const { machine } = compiler
  const enter = compileEnter(compiler, ir)
  const { routine } = ir
  let body: Many | undefined
  return (input, env, emit) => {
    body ??= compiler.code(routine.body).many
    tick(machine)
    descend(machine)
    const stopped = body(input, enter(env), emit)
    machine.depth--
    return stopped
  }
}

export function callPaths(compiler: Compiler, ir: CallIr): Paths {
  const { machine } = compiler
  const enter = compileEnter(compiler, ir)
  const { routine } = ir
  let body: Paths | undefined
  return (track, input, env, emit) => {
    body ??= compiler.code(routine.body).paths
    tick(machine)
    descend(machine)
    const stopped = body(track, input, enter(env), emit)
    machine.depth--
    return stopped
  }
}

export function parameterMany(compiler: Compiler, up: number): Many {
  const { machine } = compiler
  return (input, env, emit) => {
    const { code, env: outside } = closureAt(env, up)
    tick(machine)
    if (code.one === undefined) return code.many(input, outside, emit)
    const value = code.one(input, outside)
    return value === undefined ? false : emit(value)
  }
}

export function parameterPaths(up: number): Paths {
  return (track, input, env, emit) => {
    const { code, env: outside } = closureAt(env, up)
    return code.paths(track, input, outside, emit)
  }
}
