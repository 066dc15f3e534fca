import { JqError } from '#src/errors.ts'
import type { Ir, IrPattern, IrPatterns } from '#src/lower/ir.ts'
import { cannotIndex, index } from '#src/paths/access.ts'
import type { Value } from '#src/values/value.ts'
import type { Compiler, Env, Many, One, Paths } from './code.ts'
import { tick } from './machine.ts'

type BindIr = Extract<Ir, { kind: 'bind' }>

/** Takes a value apart and hands on one environment for each way that the pattern matches. */
export type Destructure = (value: Value, env: Env, next: (inside: Env) => boolean) => boolean

type Match = (value: Value, env: Env, slots: Slots, next: () => boolean) => boolean

/** The values of the variables; `undefined` until a variable is matched. Each match of a pattern has its own slots. */
type Slots = (Value | undefined)[]

/**
 * Continues with a variable set and restores it afterwards: the next match of the pattern begins without it. A variable that
 * stands twice in a pattern keeps what it was given first.
 */
function withSlot(slots: Slots, slot: number, value: Value, next: () => boolean): boolean {
  if (slots[slot] !== undefined) return next()
  slots[slot] = value
  const stopped = next()
  slots[slot] = undefined
  return stopped
}

/** The elements of an array are matched from the last to the first, the fields of an object as they are written. */
function matchPattern(compiler: Compiler, pattern: IrPattern): Match {
  if (pattern.kind === 'variable') return (value, _env, slots, next) => withSlot(slots, pattern.slot, value, next)
  const steps =
    pattern.kind === 'array'
      ? pattern.items.map((item, at) => arrayStep(compiler, item, at)).toReversed()
      : pattern.fields.map((field) => fieldStep(compiler, field))
  return (value, env, slots, next) => {
    const from = (at: number): boolean => {
      const step = steps[at]
      return step === undefined ? next() : step(value, env, slots, () => from(at + 1))
    }
    return from(0)
  }
}

function arrayStep(compiler: Compiler, item: IrPattern, at: number): Match {
  const match = matchPattern(compiler, item)
  return (value, env, slots, next) => match(index(value, at), env, slots, next)
}

function fieldStep(compiler: Compiler, field: Extract<IrPattern, { kind: 'object' }>['fields'][number]): Match {
  const key = compiler.many(field.key)
  const inner = field.value === undefined ? undefined : matchPattern(compiler, field.value)
  return (value, env, slots, next) =>
    key(value, env, (name) => {
      if (typeof name !== 'string') return cannotIndex(value, name)
      const part = index(value, name)
      const within = inner === undefined ? next : (): boolean => inner(part, env, slots, next)
      return field.slot === undefined ? within() : withSlot(slots, field.slot, part, within)
    })
}

function bindSlots(env: Env, slots: Slots): Env {
  let inside = env
  for (const slot of slots) inside = { slot: slot ?? null, up: inside }
  return inside
}

/**
 * Compiles the left side of a binding. Several patterns are tried in turn: an error in matching one, or in what follows, moves
 * on to the next, and the last one's error stands.
 */
export function compilePatterns(compiler: Compiler, { patterns, variables }: IrPatterns): Destructure {
  const [only] = patterns
  const blank: Slots = Array.from({ length: variables }, () => undefined)
  if (only !== undefined && patterns.length === 1) {
    if (only.kind === 'variable') return (value, env, next) => next({ slot: value, up: env })
    const match = matchPattern(compiler, only)
    return (value, env, next) => {
      const slots = blank.slice()
      return match(value, env, slots, () => next(bindSlots(env, slots)))
    }
  }
  const matches = patterns.map((pattern) => matchPattern(compiler, pattern))
  return (value, env, next) => {
    for (const [at, match] of matches.entries()) {
      try {
        const slots = blank.slice()
        return match(value, env, slots, () => next(bindSlots(env, slots)))
      } catch (error) {
        if (!(error instanceof JqError) || at === matches.length - 1) throw error
      }
    }
    return false
  }
}

/** `source as pattern | body` where all of it has one output. */
export function bindOne(compiler: Compiler, ir: BindIr): One {
  const source = compiler.one(ir.source)
  const body = compiler.one(ir.body)
  const [pattern] = ir.patterns
  if (ir.patterns.length === 1 && pattern?.kind === 'variable') {
    return (input, env) => {
      const value = source(input, env)
      return value === undefined ? undefined : body(input, { slot: value, up: env })
    }
  }
  const destructure = compilePatterns(compiler, ir)
  return (input, env) => {
    const value = source(input, env)
    if (value === undefined) return undefined
    let result: Value | undefined
    destructure(value, env, (inside) => {
      result = body(input, inside)
      return true
    })
    return result
  }
}

export function bindMany(compiler: Compiler, ir: BindIr): Many {
  const { machine } = compiler
  const body = compiler.many(ir.body)
  const [pattern] = ir.patterns
  if (ir.source.count === 'maybe' && ir.patterns.length === 1 && pattern?.kind === 'variable') {
    const only = compiler.one(ir.source)
    return (input, env, emit) => {
      const slot = only(input, env)
      if (slot === undefined) return false
      tick(machine)
      return body(input, { slot, up: env }, emit)
    }
  }
  const source = compiler.many(ir.source)
  const destructure = compilePatterns(compiler, ir)
  return (input, env, emit) =>
    source(input, env, (value) => {
      tick(machine)
      return destructure(value, env, (inside) => body(input, inside, emit))
    })
}

export function bindPaths(compiler: Compiler, ir: BindIr): Paths {
  const source = compiler.many(ir.source)
  const body = compiler.paths(ir.body)
  const destructure = compilePatterns(compiler, ir)
  return (track, input, env, emit) => source(input, env, (value) => destructure(value, env, (inside) => body(track, input, inside, emit)))
}
