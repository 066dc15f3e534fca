import type { Compiler, Emit, EmitAt, Env, Many, Paths, Track } from '#src/compile/code.ts'
import { containerSize, grow, tick, work, type Machine } from '#src/compile/machine.ts'
import { checkIterable } from '#src/compile/track.ts'
import type { Ir } from '#src/lower/ir.ts'
import { add } from '#src/values/arithmetic.ts'
import { compare } from '#src/values/compare.ts'
import { raise } from '#src/values/describe.ts'
import { isArray, isNumeric, isObject, orNull, toNumber, truthy, type Value } from '#src/values/value.ts'
import { arg, type ControlNative, type NativeTable } from './native.ts'

/** `range`: the bounds vary from first to last, the counting is a plain loop. */
function rangeMany(compiler: Compiler, from: Many, upto: Many, by: Many | undefined): Many {
  const { machine } = compiler
  const count = (start: Value, end: Value, step: Value, emit: Emit): boolean => {
    if (!isNumeric(start) || !isNumeric(end) || !isNumeric(step)) {
      return by === undefined ? raise('Range bounds must be numeric') : countAnything(machine, start, end, step, emit)
    }
    const last = toNumber(end)
    const stride = toNumber(step)
    if (stride > 0) {
      for (let at = toNumber(start); at < last; at += stride) {
        tick(machine)
        if (emit(at)) return true
      }
    } else if (stride < 0) {
      for (let at = toNumber(start); at > last; at += stride) {
        tick(machine)
        if (emit(at)) return true
      }
    }
    return false
  }
  return (input, env, emit) =>
    from(input, env, (start) =>
      upto(input, env, (end) => (by === undefined ? count(start, end, 1, emit) : by(input, env, (step) => count(start, end, step, emit)))),
    )
}

/** jq defines `range/3` by comparison and addition, which other values than numbers know too. */
function countAnything(machine: Machine, start: Value, end: Value, step: Value, emit: Emit): boolean {
  const direction = compare(step, 0)
  if (direction === 0) return false
  for (let at = start; compare(at, end) * direction < 0; at = add(machine, at, step)) {
    tick(machine)
    if (emit(at)) return true
  }
  return false
}

const zero: Many = (_input, _env, emit) => emit(0)

function range(arity: 1 | 2 | 3): ControlNative {
  return {
    kind: 'control',
    many: (compiler, args) => {
      const codes = args.map(compiler.many)
      const [a = zero, b = zero, c] = codes
      return arity === 1 ? rangeMany(compiler, zero, a, undefined) : rangeMany(compiler, a, b, c)
    },
  }
}

/** `recurse`: a value and everything inside it, parents first. */
const recurseAll: ControlNative = {
  kind: 'control',
  many: (compiler) => {
    const { machine } = compiler
    const walk = (value: Value, emit: Emit): boolean => {
      tick(machine)
      if (emit(value)) return true
      if (isArray(value)) {
        for (const item of value) if (walk(orNull(item), emit)) return true
      } else if (isObject(value)) {
        for (const key of Object.keys(value)) if (walk(orNull(value[key]), emit)) return true
      }
      return false
    }
    return (input, _env, emit) => walk(input, emit)
  },
  paths: (compiler) => {
    const { machine } = compiler
    const walk = (track: Track, value: Value, emit: EmitAt): boolean => {
      tick(machine)
      if (emit(track, value)) return true
      if (!isArray(value) && !isObject(value)) return false
      const up = checkIterable(track, value)
      const length = (up?.length ?? 0) + 1
      if (isArray(value)) {
        for (let key = 0; key < value.length; key++) if (walk({ up, key, length }, orNull(value[key]), emit)) return true
        return false
      }
      for (const key of Object.keys(value)) if (walk({ up, key, length }, orNull(value[key]), emit)) return true
      return false
    }
    return (track, input, _env, emit) => walk(track, input, emit)
  },
}

/** `recurse(f)`: with one output at most it is a chain and needs no stack. */
const recurse: ControlNative = {
  kind: 'control',
  many: (compiler, args) => {
    const { machine } = compiler
    const ir = arg(args, 0)
    if (ir.count === 'maybe') return chain(compiler, ir)
    const next = compiler.many(ir)
    return (input, env, emit) => {
      const from = (value: Value): boolean => {
        tick(machine)
        return emit(value) || next(value, env, from)
      }
      return from(input)
    }
  },
  paths: (compiler, args) => {
    const { machine } = compiler
    const next = compiler.paths(arg(args, 0))
    return (track, input, env, emit) => {
      const from = (at: Track, value: Value): boolean => {
        tick(machine)
        return emit(at, value) || next(at, value, env, from)
      }
      return from(track, input)
    }
  },
}

function chain(compiler: Compiler, ir: Ir): Many {
  const { machine } = compiler
  const next = compiler.one(ir)
  return (input, env, emit) => {
    for (let value: Value | undefined = input; value !== undefined; value = next(value, env)) {
      tick(machine)
      if (emit(value)) return true
    }
    return false
  }
}

/** `while(condition; update)`. */
const whileLoop: ControlNative = {
  kind: 'control',
  many: (compiler, args) => {
    const { machine } = compiler
    const update = arg(args, 1)
    const condition = compiler.many(arg(args, 0))
    if (arg(args, 0).count === 'maybe' && update.count === 'maybe') return whileChain(compiler, arg(args, 0), update)
    const next = compiler.many(update)
    return (input, env, emit) => {
      const from = (value: Value): boolean => {
        tick(machine)
        return condition(value, env, (result) => truthy(result) && (emit(value) || next(value, env, from)))
      }
      return from(input)
    }
  },
  paths: (compiler, args) => whilePaths(compiler, args),
}

function whileChain(compiler: Compiler, condition: Ir, update: Ir): Many {
  const { machine } = compiler
  const test = compiler.one(condition)
  const next = compiler.one(update)
  return (input, env, emit) => {
    for (let value: Value | undefined = input; value !== undefined; value = next(value, env)) {
      tick(machine)
      if (!truthy(test(value, env) ?? null)) return false
      if (emit(value)) return true
    }
    return false
  }
}

function whilePaths(compiler: Compiler, args: readonly Ir[]): Paths {
  const { machine } = compiler
  const condition = compiler.many(arg(args, 0))
  const next = compiler.paths(arg(args, 1))
  return (track, input, env, emit) => {
    const from = (at: Track, value: Value): boolean => {
      tick(machine)
      return condition(value, env, (result) => truthy(result) && (emit(at, value) || next(at, value, env, from)))
    }
    return from(track, input)
  }
}

/** `tostream`: leaves with their paths, and a closing path after the last element of each container. */
const tostream: ControlNative = {
  kind: 'control',
  many: (compiler) => {
    const { machine } = compiler
    const walk = (value: Value, path: readonly Value[], emit: Emit): boolean => {
      const keys: readonly Value[] = isArray(value) ? Array.from(value.keys()) : isObject(value) ? Object.keys(value) : []
      work(machine, path.length + 1)
      grow(machine, path.length + 2 * containerSize)
      if (keys.length === 0) return emit([path, value])
      for (const key of keys) {
        const item = isArray(value) && typeof key === 'number' ? value[key] : isObject(value) && typeof key === 'string' ? value[key] : null
        if (walk(orNull(item), [...path, key], emit)) return true
      }
      return emit([[...path, keys.at(-1) ?? null]])
    }
    return (input: Value, _env: Env, emit: Emit) => walk(input, [], emit)
  },
}

/** Streams that make their own outputs. */
export const generatorNatives: NativeTable = {
  'range/1': range(1),
  'range/2': range(2),
  'range/3': range(3),
  'recurse/0': recurseAll,
  'recurse/1': recurse,
  'while/2': whileLoop,
  'tostream/0': tostream,
}
