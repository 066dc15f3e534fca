import { JqError } from '#src/errors.ts'
import { ignoresInput } from '#src/lower/ignores-input.ts'
import type { Ir } from '#src/lower/ir.ts'
import { rebase } from '#src/lower/rebase.ts'
import { index } from '#src/paths/access.ts'
import { deletePaths } from '#src/paths/remove.ts'
import { setKey, setPath, type Owned } from '#src/paths/update.ts'
import { isArray, orNull, type Value } from '#src/values/value.ts'
import { nativeOne } from './call-native.ts'
import type { Compiler, Env, One, InPlace } from './code.ts'
import { fieldSize, grow, tick, work } from './machine.ts'
import { releaseOwned } from './release-owned.ts'

type Key = string | number

/** The keys from the root to a value, and the containers along them. */
interface Way {
  readonly keys: readonly Key[]
  readonly containers: readonly Value[]
  /** The value at the end of the keys. */
  readonly end: Value
}

/** The keys of a target that is only a chain of accesses, innermost first; `undefined` for every other target. */
function chainOf(target: Ir): readonly Ir[] | undefined {
  if (target.kind === 'identity') return []
  if (target.kind !== 'index' || target.optional || target.key.count !== 'maybe') return undefined
  const inner = chainOf(target.target)
  return inner === undefined ? undefined : [...inner, target.key]
}

type Follow = (input: Value, env: Env) => Way | 'nowhere' | 'elsewhere'

/**
 * Evaluates the keys, the last one first as jq does, and follows them. `nowhere` when a key has no output; `elsewhere` when a key is
 * neither a text nor a number.
 */
function compileFollow(compiler: Compiler, chain: readonly Ir[]): Follow {
  const codes = chain.map((key) => compiler.one(key))
  return (input, env) => {
    const keys: Key[] = Array.from({ length: codes.length }, () => 0)
    for (let at = codes.length - 1; at >= 0; at--) {
      const key = codes[at]?.(input, env)
      if (key === undefined) return 'nowhere'
      if (typeof key !== 'string' && typeof key !== 'number') return 'elsewhere'
      keys[at] = key
    }
    const containers: Value[] = []
    let end = input
    for (const key of keys) {
      containers.push(end)
      end = index(end, key)
    }
    return { keys, containers, end }
  }
}

/** The cost of writing a value into a container. */
const putSteps = 2

/** Puts a value at the end of a way, in place as far as the containers are owned. */
function putAt(compiler: Compiler, way: Way, value: Value, owned: Owned): Value {
  grow(compiler.machine, fieldSize)
  work(compiler.machine, putSteps)
  let result = value
  for (let depth = way.keys.length - 1; depth >= 0; depth--) {
    const container = orNull(way.containers[depth])
    const before = depth === way.keys.length - 1 ? way.end : orNull(way.containers[depth + 1])
    // A value that was changed in place is still in its container, and so is every container around it.
    if (Object.is(result, before) && result !== null && owned.has(container)) return orNull(way.containers[0])
    result = setKey(container, way.keys[depth] ?? null, result, owned)
  }
  return result
}

/** An update that the ordinary way has to do; it may share what it keeps. */
function ordinary(one: One, input: Value, env: Env, owned: Owned): Value | undefined {
  owned.clear()
  return one(input, env)
}

/** `target |= update`; `undefined` for a target that is no plain chain of keys. */
export function inPlaceModify(compiler: Compiler, ir: Extract<Ir, { kind: 'modify' }>): InPlace | undefined {
  const chain = chainOf(ir.target)
  if (chain === undefined || ir.update.count !== 'maybe') return undefined
  const follow = compileFollow(compiler, chain)
  const update = compiler.inPlace(ir.update)
  const one = compiler.one(ir)
  return (input, env, owned) => {
    const way = follow(input, env)
    if (way === 'nowhere') return input
    if (way === 'elsewhere') return ordinary(one, input, env, owned)
    tick(compiler.machine)
    const value = update(way.end, env, owned)
    if (value !== undefined) return putAt(compiler, way, value, owned)
    owned.clear()
    return deletePaths(input, [way.keys])
  }
}

/** `target = value`; `undefined` for a target that is no plain chain of keys. */
export function inPlaceAssign(compiler: Compiler, ir: Extract<Ir, { kind: 'assign' }>): InPlace | undefined {
  const chain = chainOf(ir.target)
  if (chain === undefined) return undefined
  const update = chain.every(ignoresInput) && !ignoresInput(ir.value) ? rebase(ir.value, ir.target) : undefined
  return update === undefined ? replacing(compiler, ir, chain) : rewriting(compiler, ir, chain, update)
}

function replacing(compiler: Compiler, ir: Extract<Ir, { kind: 'assign' }>, chain: readonly Ir[]): InPlace {
  const follow = compileFollow(compiler, chain)
  const value = compiler.one(ir.value)
  const looks = !ignoresInput(ir.value)
  const one = compiler.one(ir)
  return (input, env, owned) => {
    const assigned = value(input, env)
    if (assigned === undefined) return undefined
    if (looks) releaseOwned(owned, assigned)
    const way = follow(input, env)
    if (way === 'nowhere') return input
    if (way === 'elsewhere') return ordinary(one, input, env, owned)
    tick(compiler.machine)
    return putAt(compiler, way, assigned, owned)
  }
}

/** `target = … target …`, where the value looks at nothing else: like `target |= …`, but for the order in which errors show. */
function rewriting(compiler: Compiler, ir: Extract<Ir, { kind: 'assign' }>, chain: readonly Ir[], rewritten: Ir): InPlace {
  const follow = compileFollow(compiler, chain)
  const update = compiler.inPlace(rewritten)
  const one = compiler.one(ir)
  return (input, env, owned) => {
    const way = attempted(() => follow(input, env))
    // The value comes first in jq, and with it its errors.
    if (typeof way === 'string') return ordinary(one, input, env, owned)
    tick(compiler.machine)
    const value = update(way.end, env, owned)
    return value === undefined ? undefined : putAt(compiler, way, value, owned)
  }
}

function attempted(follow: () => Way | 'nowhere' | 'elsewhere'): Way | 'nowhere' | 'elsewhere' {
  try {
    return follow()
  } catch (error) {
    if (error instanceof JqError) return 'elsewhere'
    throw error
  }
}

/** `setpath(path; value)`. */
export function inPlaceSetPath(compiler: Compiler, ir: Extract<Ir, { kind: 'native' }>): InPlace {
  const [pathIr, valueIr] = ir.args
  if (pathIr === undefined || valueIr === undefined) throw new Error('setpath misses an argument')
  const path = compiler.one(pathIr)
  const value = compiler.one(valueIr)
  const looks = !ignoresInput(valueIr)
  const one = nativeOne(compiler, ir)
  return (input, env, owned) => {
    const assigned = value(input, env)
    const keys = assigned === undefined ? undefined : path(input, env)
    if (assigned === undefined || keys === undefined) return undefined
    if (!isArray(keys) || !keys.every((key) => typeof key === 'string' || typeof key === 'number')) return ordinary(one, input, env, owned)
    if (looks) releaseOwned(owned, assigned)
    grow(compiler.machine, keys.length + fieldSize)
    return setPath(input, keys, assigned, owned)
  }
}
