import type { Compiler, Env, Many, One, Paths } from '#src/compile/code.ts'
import { fieldSize, grow, round, tick } from '#src/compile/machine.ts'
import { loseForGood } from '#src/compile/track.ts'
import type { Ir } from '#src/lower/ir.ts'
import { excerpt, raise } from '#src/values/describe.ts'
import { keysOf } from '#src/values/keys.ts'
import { isArray, isObject, orNull, put, type MutableObject, type Value } from '#src/values/value.ts'
import { arg, type ControlNative } from './native.ts'

/** A container whose parts are being walked. */
interface Open {
  readonly from: readonly Value[] | { readonly [key: string]: Value }
  /** The keys of an object. */
  readonly keys: readonly string[] | undefined
  readonly length: number
  readonly list: Value[]
  readonly object: MutableObject
  next: number
}

function open(value: Value): Open | undefined {
  if (isArray(value)) return { from: value, keys: undefined, length: value.length, list: [], object: {}, next: 0 }
  if (!isObject(value)) return undefined
  const keys = keysOf(value)
  return { from: value, keys, length: keys.length, list: [], object: {}, next: 0 }
}

/** For `f` with at most one output: uses its own stack, so that values may nest to any depth. */
function walkOne(compiler: Compiler, ir: Ir): One {
  const { machine } = compiler
  const f = compiler.one(ir)
  return (input, env) => {
    const stack: Open[] = []
    let entering: Value | undefined = input
    for (;;) {
      tick(machine)
      let done: Value | undefined
      const top = entering === undefined ? stack.at(-1) : open(entering)
      if (top === undefined) done = f(orNull(entering), env)
      else if (top.next < top.length) {
        if (entering !== undefined) stack.push(top)
        round(machine, top.next, top.length)
        entering = partOf(top)
        continue
      } else {
        if (entering === undefined) stack.pop()
        grow(machine, top.keys === undefined ? top.list.length : top.length * fieldSize)
        done = f(top.keys === undefined ? top.list : top.object, env)
      }
      entering = undefined
      const above = stack.at(-1)
      if (above === undefined) return done
      if (done !== undefined) keep(above, done)
    }
  }
}

function partOf(top: Open): Value {
  const at = top.next++
  if (isArray(top.from)) return orNull(top.from[at])
  return isObject(top.from) ? orNull(top.from[top.keys?.[at] ?? '']) : null
}

/** Keeps the result for the part that was walked last; a part without one is left out. */
function keep(above: Open, value: Value): void {
  if (above.keys === undefined) above.list.push(value)
  else put(above.object, above.keys[above.next - 1] ?? '', value)
}

/** Any number of outputs: an array takes all of them, a field the first. */
function walkMany(compiler: Compiler, ir: Ir): Many {
  const f = compiler.many(ir)
  const inner = mapParts(compiler, (value, env, emit) => f(inner(value, env), env, emit))
  return (input, env, emit) => f(inner(input, env), env, emit)
}

type Inside = (value: Value, env: Env) => Value

/** The value with its parts walked. */
function mapParts(compiler: Compiler, walk: Many): Inside {
  const { machine } = compiler
  return (value, env) => {
    tick(machine)
    if (isArray(value)) {
      const list: Value[] = []
      for (const item of value) {
        walk(orNull(item), env, (output) => {
          list.push(output)
          return false
        })
      }
      grow(machine, list.length)
      return list
    }
    if (!isObject(value)) return value
    const keys = keysOf(value)
    const object: MutableObject = {}
    grow(machine, keys.length * fieldSize)
    for (const key of keys) {
      walk(orNull(value[key]), env, (output) => {
        put(object, key, output)
        return true
      })
    }
    return object
  }
}

/** A scalar keeps its path, a new array has none, and the update that jq makes of an object is refused as every update is. */
function walkPaths(compiler: Compiler, ir: Ir): Paths {
  const many = compiler.many(ir)
  const f = compiler.paths(ir)
  const inner = mapParts(compiler, (value, env, emit) => many(inner(value, env), env, emit))
  return (track, input, env, emit) => {
    if (isObject(input)) {
      return raise(`Invalid path expression near attempt to access element 0 of ${excerpt([inner(input, env), []])}`)
    }
    return isArray(input) ? f(loseForGood(track), inner(input, env), env, emit) : f(track, input, env, emit)
  }
}

/** `walk(f)`: every part of a value replaced by what `f` makes of it, the innermost first. */
export const walk: ControlNative = {
  kind: 'control',
  one: (compiler, args) => walkOne(compiler, arg(args, 0)),
  many: (compiler, args) => walkMany(compiler, arg(args, 0)),
  paths: (compiler, args) => walkPaths(compiler, arg(args, 0)),
}
