import type { Ir } from '#src/lower/ir.ts'
import { cannotIterate } from '#src/paths/access.ts'
import { deleteKeys, deletePaths } from '#src/paths/remove.ts'
import { getPath, setKey, setPath, type Owned } from '#src/paths/update.ts'
import { index } from '#src/paths/access.ts'
import { keysOf as fieldsOf } from '#src/values/keys.ts'
import { isArray, isObject, orNull, put, type MutableObject, type Value } from '#src/values/value.ts'
import type { Compiler, Env, Many, One } from './code.ts'
import { fieldSize, grow, round, tick, type Machine } from './machine.ts'
import { releaseOwned } from './release-owned.ts'
import { toKeys } from './track.ts'

type AssignIr = Extract<Ir, { kind: 'assign' }>
type ModifyIr = Extract<Ir, { kind: 'modify' }>

/** The new value for an old one; `undefined` deletes it. */
type Replace = (value: Value) => Value | undefined
/** Rebuilds the input with every place that the target names replaced. */
type Rebuild = (input: Value, env: Env, replace: Replace) => Value | undefined

/**
 * The direct way through a target made of constant keys, `[]` and `|`: one walk down and up, with no path in between. `undefined`
 * for every other target.
 */
function directRebuild(compiler: Compiler, target: Ir): Rebuild | undefined {
  switch (target.kind) {
    case 'identity':
      return (input, _env, replace) => replace(input)
    case 'pipe': {
      const outer = directRebuild(compiler, target.left)
      const inner = directRebuild(compiler, target.right)
      return outer === undefined || inner === undefined ? undefined : compose(outer, inner)
    }
    case 'index': {
      const outer = directRebuild(compiler, target.target)
      if (outer === undefined || target.optional || target.key.kind !== 'constant' || typeof target.key.value !== 'string') return undefined
      return compose(outer, rebuildKey(target.key.value))
    }
    case 'iterate': {
      const outer = directRebuild(compiler, target.target)
      return outer === undefined || target.optional ? undefined : compose(outer, rebuildEach(compiler.machine))
    }
    default:
      return undefined
  }
}

function compose(outer: Rebuild, inner: Rebuild): Rebuild {
  return (input, env, replace) => outer(input, env, (value) => inner(value, env, replace))
}

function rebuildKey(key: string): Rebuild {
  return (input, _env, replace) => {
    const value = replace(index(input, key))
    return value === undefined ? deleteKeys(input, [key]) : setKey(input, key, value)
  }
}

function rebuildEach(machine: Machine): Rebuild {
  return (input, _env, replace) => {
    if (isArray(input)) {
      if (input.length === 0) return input
      const list: Value[] = []
      for (let at = 0; at < input.length; at++) {
        round(machine, at, input.length)
        const value = replace(orNull(input[at]))
        if (value !== undefined) list.push(value)
      }
      grow(machine, input.length)
      return list
    }
    if (!isObject(input)) return cannotIterate(input)
    const keys = fieldsOf(input)
    if (keys.length === 0) return input
    grow(machine, keys.length * fieldSize)
    const object: MutableObject = {}
    for (let at = 0; at < keys.length; at++) {
      round(machine, at, keys.length)
      const key = keys[at] ?? ''
      const value = replace(orNull(input[key]))
      if (value !== undefined) put(object, key, value)
    }
    return object
  }
}

/** The first output of an update, which is all that `|=` takes. */
function firstOutput(compiler: Compiler, ir: Ir): One {
  if (ir.count === 'maybe') return compiler.one(ir)
  const many = compiler.many(ir)
  return (input, env) => {
    let first: Value | undefined
    many(input, env, (value) => {
      first = value
      return true
    })
    return first
  }
}

/** `target |= update`. What has no new value is deleted, all together at the end. */
export function modifyOne(compiler: Compiler, ir: ModifyIr): One {
  const update = firstOutput(compiler, ir.update)
  const direct = directRebuild(compiler, ir.target)
  if (direct === undefined) return throughPaths(compiler, ir, update)
  if (keysOf(ir.target) < 2) return (input, env) => orNull(direct(input, env, (value) => update(value, env)))
  const general = throughPaths(compiler, ir, update)
  return (input, env) => {
    let deletes = false
    const result = direct(input, env, (value) => {
      const updated = update(value, env)
      if (updated === undefined) deletes = true
      return updated
    })
    // The way to what is deleted is not made when it is not there, which the walk has done.
    return deletes ? general(input, env) : orNull(result)
  }
}

/** The number of keys of a direct target. */
function keysOf(target: Ir): number {
  if (target.kind === 'pipe') return keysOf(target.left) + keysOf(target.right)
  if (target.kind === 'index') return keysOf(target.target) + 1
  return target.kind === 'iterate' ? keysOf(target.target) : 0
}

/** The update through the paths that the target gives. */
function throughPaths(compiler: Compiler, ir: ModifyIr, update: One): One {
  const { machine } = compiler
  const paths = compiler.paths(ir.target)
  return (input, env) => {
    const owned: Owned = new Set()
    const deleted: Value[] = []
    let root = input
    paths(undefined, input, env, (track, at) => {
      const path = toKeys(track, at)
      tick(machine)
      grow(machine, path.length)
      const before = getPath(root, path)
      const value = update(before, env)
      // The new value may contain the result of an earlier path twice.
      if (value !== undefined && owned.has(before)) releaseOwned(owned, value)
      if (value === undefined) deleted.push(path)
      else root = setPath(root, path, value, owned)
      return false
    })
    return deleted.length === 0 ? root : deletePaths(root, deleted)
  }
}

/** Puts one value at every place that the target names. */
function compileAssign(compiler: Compiler, target: Ir): (input: Value, env: Env, value: Value) => Value {
  const { machine } = compiler
  const direct = directRebuild(compiler, target)
  if (direct !== undefined) return (input, env, value) => orNull(direct(input, env, () => value))
  const paths = compiler.paths(target)
  return (input, env, value) => {
    const owned: Owned = new Set()
    let root = input
    paths(undefined, input, env, (track, at) => {
      const path = toKeys(track, at)
      tick(machine)
      grow(machine, path.length)
      root = setPath(root, path, value, owned)
      return false
    })
    return root
  }
}

export function assignOne(compiler: Compiler, ir: AssignIr): One {
  const value = compiler.one(ir.value)
  const assign = compileAssign(compiler, ir.target)
  return (input, env) => {
    const assigned = value(input, env)
    return assigned === undefined ? undefined : assign(input, env, assigned)
  }
}

export function assignMany(compiler: Compiler, ir: AssignIr): Many {
  const value = compiler.many(ir.value)
  const assign = compileAssign(compiler, ir.target)
  return (input, env, emit) => value(input, env, (assigned) => emit(assign(input, env, assigned)))
}
