import type { Ir, Routine } from '#src/lower/ir.ts'
import type { Value } from '#src/values/value.ts'
import { ancestor, type Compiler, type Env, type Many, type One, type Paths } from './code.ts'
import { descend, tick, work, type Machine } from './machine.ts'
import { closureAt } from './slots.ts'

type CallIr = Extract<Ir, { kind: 'call' }>
/** Makes the environment of a call; `undefined` when an argument has no output. */
type Enter = (input: Value, env: Env) => Env | undefined

/** Prepares the environment of a call: that of the definition, plus a closure for each argument, plus the values of some. */
function compileEnter(compiler: Compiler, ir: CallIr): Enter {
  const { up } = ir
  const args = ir.args.map((arg) => {
    // A parameter that is only passed on stays the closure it is, so recursion does not pile wrappers up.
    if (arg.kind === 'parameter') return (env: Env) => closureAt(env, arg.up)
    const code = compiler.code(arg)
    return (env: Env) => ({ code, env })
  })
  const values = ir.routine.values.flatMap((at) => ir.args[at] ?? []).map(compiler.one)
  return (input, env) => {
    let inside = up === 0 ? env : ancestor(env, up)
    for (const arg of args) inside = { slot: arg(env), up: inside }
    for (const value of values) {
      const slot = value(input, env)
      if (slot === undefined) return undefined
      inside = { slot, up: inside }
    }
    return inside
  }
}

/** The last thing that a body does: to run a node, or to call, which needs nothing of the body any more. */
type Branch = { readonly code: One; readonly call: undefined } | { readonly code: undefined; readonly call: Call }

interface Call {
  /** Computes the input of the call; absent if it is the input of the body. */
  readonly input: One | undefined
  readonly enter: Enter
  readonly body: () => Body
}

/** A condition at the end of a body, and the branch for it. */
interface Choice {
  readonly condition: One
  readonly branch: Branch
  readonly next: Choice | undefined
}

/** A body with its outermost conditions taken apart, so that they need no frame of the host's stack between call and call. */
interface Body {
  /** The cost of the conditions. */
  readonly steps: number
  readonly choices: Choice | undefined
  readonly last: Branch
}

const bodies = new WeakMap<Compiler, WeakMap<Routine, Body>>()

/** The body of a routine, compiled at its first call, which is how a definition can call itself. */
function bodyOf(compiler: Compiler, routine: Routine): Body {
  let known = bodies.get(compiler)
  if (known === undefined) bodies.set(compiler, (known = new WeakMap()))
  let body = known.get(routine)
  if (body === undefined) known.set(routine, (body = compileBody(compiler, routine.body)))
  return body
}

function compileBody(compiler: Compiler, ir: Ir): Body {
  const conditions: Extract<Ir, { kind: 'if' }>[] = []
  let rest = ir
  for (; rest.kind === 'if'; rest = rest.no) conditions.push(rest)
  let choices: Choice | undefined
  let steps = 0
  for (const condition of conditions.toReversed()) {
    steps += condition.steps
    choices = { condition: compiler.one(condition.condition), branch: compileBranch(compiler, condition.yes), next: choices }
  }
  return { steps, choices, last: compileBranch(compiler, rest) }
}

function compileBranch(compiler: Compiler, ir: Ir): Branch {
  const call = ir.kind === 'pipe' ? ir.right : ir
  if (call.kind !== 'call' || ir.steps + call.steps > 0) return { code: compiler.one(ir), call: undefined }
  return { code: undefined, call: compileCall(compiler, call, ir.kind === 'pipe' ? ir.left : undefined) }
}

function compileCall(compiler: Compiler, ir: CallIr, before: Ir | undefined): Call {
  let body: Body | undefined
  return {
    input: before === undefined ? undefined : compiler.one(before),
    enter: compileEnter(compiler, ir),
    body: () => (body ??= bodyOf(compiler, ir.routine)),
  }
}

/** A call, or with `before` what is piped into one. */
export function callOne(compiler: Compiler, ir: CallIr, before?: Ir): One {
  const { machine } = compiler
  const { input: make, enter, body: findBody } = compileCall(compiler, ir, before)
  const { up } = ir
  const isPlain = ir.args.length === 0
  let body: Body | undefined
  return (outer, outside) => {
    const input = make === undefined ? outer : make(outer, outside)
    if (input === undefined) return undefined
    const env = isPlain ? ancestor(outside, up) : enter(input, outside)
    if (env === undefined) return undefined
    body ??= findBody()
    tick(machine)
    descend(machine)
    if (body.steps > 0) work(machine, body.steps)
    const branch = body.choices === undefined ? body.last : choose(body.choices, body.last, input, env)
    let value: Value | undefined
    if (branch !== undefined) value = branch.code === undefined ? runTailCalls(machine, branch.call, input, env) : branch.code(input, env)
    machine.depth--
    return value
  }
}

/** Calls at the end of a body run in one frame, so their number is not bounded by the stack. */
function runTailCalls(machine: Machine, first: Call, outer: Value, outside: Env): Value | undefined {
  let call = first
  let input: Value | undefined = outer
  let env: Env | undefined = outside
  for (;;) {
    if (call.input !== undefined) input = call.input(input, env)
    env = input === undefined ? undefined : call.enter(input, env)
    if (input === undefined || env === undefined) return undefined
    tick(machine)
    const { steps, choices, last } = call.body()
    if (steps > 0) work(machine, steps)
    const branch = choose(choices, last, input, env)
    if (branch === undefined) return undefined
    if (branch.call === undefined) return branch.code(input, env)
    ;({ call } = branch)
  }
}

function choose(choices: Choice | undefined, last: Branch, input: Value, env: Env): Branch | undefined {
  for (let choice = choices; choice !== undefined; choice = choice.next) {
    const decision = choice.condition(input, env)
    if (decision === undefined) return undefined
    if (decision !== false && decision !== null) return choice.branch
  }
  return last
}

export function callMany(compiler: Compiler, ir: CallIr): Many {
  const { machine } = compiler
  const enter = compileEnter(compiler, ir)
  const { routine } = ir
  let body: Many | undefined
  return (input, env, emit) => {
    body ??= compiler.code(routine.body).many
    const inside = enter(input, env)
    if (inside === undefined) return false
    tick(machine)
    descend(machine)
    const stopped = body(input, inside, emit)
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
    const inside = enter(input, env)
    if (inside === undefined) return false
    tick(machine)
    descend(machine)
    const stopped = body(track, input, inside, emit)
    machine.depth--
    return stopped
  }
}

/** A parameter that is known to have one output at most. */
export function parameterOne(compiler: Compiler, up: number): One {
  const { machine } = compiler
  return (input, env) => {
    const { code, env: outside } = closureAt(env, up)
    if (code.one === undefined) throw new Error('A parameter has more outputs than the resolver said')
    tick(machine)
    return code.one(input, outside)
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
