import { ignoresInput } from '#src/lower/ignores-input.ts'
import type { Ir } from '#src/lower/ir.ts'
import { computed, type Machine } from './machine.ts'
import { mergeDeep } from '#src/values/arithmetic.ts'
import { extend } from '#src/values/extend.ts'
import { isObject, type Value } from '#src/values/value.ts'
import type { Owned } from '#src/paths/update.ts'
import { compilePatterns } from './bind.ts'
import type { Compiler, InPlace } from './code.ts'
import { compileFold, takesState } from './loops.ts'
import { operations } from './operators.ts'
import { releaseOwned } from './release-owned.ts'
import { inPlaceObject } from './in-place-object.ts'
import { inPlaceAssign, inPlaceModify, inPlaceSetPath } from './in-place-update.ts'

/** Compiles the form of a node that may change its input. */
export type CompileInPlace = (compiler: Compiler, ir: Ir) => InPlace

/**
 * Compiles the update of a fold so that containers which the fold created in earlier steps, and which nothing else refers to, are changed in
 * place. This keeps `reduce … ({}; .[$key] = $value)` linear.
 *
 * Soundness: the containers in `owned` are reachable through the input of the node alone. A node passes its input on to an in-place form at most
 * once, as its last use of it. Everything else that it computes from the input uses the copying forms, which change nothing; where their result
 * may refer to a part of the input, the ownership ends (see `releaseOwned`).
 */
export const compileInPlace: CompileInPlace = (compiler, ir) => {
  switch (ir.kind) {
    case 'identity':
      return (input) => input
    case 'pipe':
      return inPlacePipe(compiler, ir)
    case 'if':
      return inPlaceIf(compiler, ir)
    case 'alternative':
      return ir.left.kind === 'identity' ? inPlaceDefault(compiler, ir.right) : copying(compiler, ir)
    case 'bind':
      return inPlaceBind(compiler, ir)
    case 'binary':
      return inPlaceBinary(compiler, ir)
    case 'assign':
      return inPlaceAssign(compiler, ir) ?? copying(compiler, ir)
    case 'modify':
      return inPlaceModify(compiler, ir) ?? copying(compiler, ir)
    case 'native':
      return ir.name === 'setpath/2' ? inPlaceSetPath(compiler, ir) : copying(compiler, ir)
    case 'object':
      return inPlaceObject(compiler, ir) ?? copying(compiler, ir)
    case 'reduce':
      return inPlaceReduce(compiler, ir)
    default:
      return copying(compiler, ir)
  }
}

/** Compiles a node in its copying form. */
export const copying: CompileInPlace = (compiler, ir) => {
  const one = compiler.one(ir)
  if (ignoresInput(ir)) return one
  return (input, env, owned) => {
    const value = one(input, env)
    if (value !== undefined) releaseOwned(owned, value)
    return value
  }
}

function inPlacePipe(compiler: Compiler, ir: Extract<Ir, { kind: 'pipe' }>): InPlace {
  const left = compiler.inPlace(ir.left)
  const right = compiler.inPlace(ir.right)
  return (input, env, owned) => {
    const value = left(input, env, owned)
    return value === undefined ? undefined : right(value, env, owned)
  }
}

/** The condition yields a decision that refers to no part of the input. */
function inPlaceIf(compiler: Compiler, ir: Extract<Ir, { kind: 'if' }>): InPlace {
  const condition = compiler.one(ir.condition)
  const yes = compiler.inPlace(ir.yes)
  const no = compiler.inPlace(ir.no)
  return (input, env, owned) => {
    const decision = condition(input, env)
    if (decision === undefined) return undefined
    return decision === false || decision === null ? no(input, env, owned) : yes(input, env, owned)
  }
}

/** `. // right`. */
function inPlaceDefault(compiler: Compiler, ir: Ir): InPlace {
  const right = compiler.inPlace(ir)
  return (input, env, owned) => (input === null || input === false ? right(input, env, owned) : input)
}

function inPlaceBind(compiler: Compiler, ir: Extract<Ir, { kind: 'bind' }>): InPlace {
  const source = copying(compiler, ir.source)
  const body = compiler.inPlace(ir.body)
  const [pattern] = ir.patterns
  if (pattern?.kind === 'variable') {
    return (input, env, owned) => {
      const value = source(input, env, owned)
      return value === undefined ? undefined : body(input, { slot: value, up: env }, owned)
    }
  }
  const destructure = compilePatterns(compiler, ir)
  return (input, env, owned) => {
    const value = source(input, env, owned)
    if (value === undefined) return undefined
    let result: Value | undefined
    destructure(value, env, (inside) => {
      result = body(input, inside, owned)
      return true
    })
    return result
  }
}

type Combine = (machine: Machine, a: Value, b: Value, owned: Owned) => Value

const sum: Combine = (machine, a, b, owned) =>
  typeof a === 'number' && typeof b === 'number' ? computed(machine, a + b) : extend(machine, a, b, owned)

const product: Combine = (machine, a, b, owned) =>
  isObject(a) && isObject(b) ? mergeDeep(machine, a, b, owned) : operations['*'](machine, a, b)

/** `left + right` and `left * right`: the right side is evaluated first, on an input that is still unchanged. */
function inPlaceBinary(compiler: Compiler, ir: Extract<Ir, { kind: 'binary' }>): InPlace {
  if (ir.operator !== '+' && ir.operator !== '*') return copying(compiler, ir)
  const { machine } = compiler
  const combine = ir.operator === '+' ? sum : product
  const left = compiler.inPlace(ir.left)
  const right = copying(compiler, ir.right)
  return (input, env, owned) => {
    const b = right(input, env, owned)
    const a = b === undefined ? undefined : left(input, env, owned)
    return a === undefined || b === undefined ? undefined : combine(machine, a, b, owned)
  }
}

/** A fold inside a fold continues with the same state, unless its source reads that state. */
function inPlaceReduce(compiler: Compiler, ir: Extract<Ir, { kind: 'reduce' }>): InPlace {
  if (!takesState(ir) || !ignoresInput(ir.source)) return copying(compiler, ir)
  const initial = compiler.inPlace(ir.initial)
  const fold = compileFold(compiler, ir)
  return (input, env, owned) => {
    const start = initial(input, env, owned)
    return start === undefined ? undefined : fold(start, null, env, owned)
  }
}
