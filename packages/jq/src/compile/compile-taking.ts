import { ignoresInput } from '#src/lower/ignores-input.ts'
import type { Ir } from '#src/lower/ir.ts'
import { computed, type Machine } from './machine.ts'
import { mergeDeep } from '#src/values/arithmetic.ts'
import { extend } from '#src/values/extend.ts'
import { isObject, type Value } from '#src/values/value.ts'
import type { Owned } from '#src/paths/update.ts'
import { compilePatterns } from './bind.ts'
import type { Compiler, Taking } from './code.ts'
import { compileFold, takesState } from './loops.ts'
import { operations } from './operators.ts'
import { release } from './owned.ts'
import { takingObject } from './take-object.ts'
import { takingAssign, takingModify, takingSetPath } from './take-update.ts'

/** How a compiler makes the form of a node that may use its input up. */
export type CompileTaking = (compiler: Compiler, ir: Ir) => Taking

/**
 * Compiles the update of a fold so that what the fold made in earlier steps, and nobody else has seen, is changed in place. That
 * is what keeps `reduce … ({}; .[$key] = $value)` linear.
 *
 * The rule that makes this sound: the containers in `owned` are reachable through the input of the node alone. A node gives its
 * input away at most once, as the last thing it does with it. Whatever else is computed from the input is computed in the ordinary
 * way, which changes nothing, and where it may have kept a part of the input, all ownership ends; see `release`.
 */
export const compileTaking: CompileTaking = (compiler, ir) => {
  switch (ir.kind) {
    case 'identity':
      return (input) => input
    case 'pipe':
      return takingPipe(compiler, ir)
    case 'if':
      return takingIf(compiler, ir)
    case 'alternative':
      return ir.left.kind === 'identity' ? takingDefault(compiler, ir.right) : copying(compiler, ir)
    case 'bind':
      return takingBind(compiler, ir)
    case 'binary':
      return takingBinary(compiler, ir)
    case 'assign':
      return takingAssign(compiler, ir) ?? copying(compiler, ir)
    case 'modify':
      return takingModify(compiler, ir) ?? copying(compiler, ir)
    case 'native':
      return ir.name === 'setpath/2' ? takingSetPath(compiler, ir) : copying(compiler, ir)
    case 'object':
      return takingObject(compiler, ir) ?? copying(compiler, ir)
    case 'reduce':
      return takingReduce(compiler, ir)
    default:
      return copying(compiler, ir)
  }
}

/** Computes a node in the ordinary way, which copies. */
export const copying: CompileTaking = (compiler, ir) => {
  const one = compiler.one(ir)
  if (ignoresInput(ir)) return one
  return (input, env, owned) => {
    const value = one(input, env)
    if (value !== undefined) release(owned, value)
    return value
  }
}

function takingPipe(compiler: Compiler, ir: Extract<Ir, { kind: 'pipe' }>): Taking {
  const left = compiler.taking(ir.left)
  const right = compiler.taking(ir.right)
  return (input, env, owned) => {
    const value = left(input, env, owned)
    return value === undefined ? undefined : right(value, env, owned)
  }
}

/** The condition only decides: nothing of the input stays in it. */
function takingIf(compiler: Compiler, ir: Extract<Ir, { kind: 'if' }>): Taking {
  const condition = compiler.one(ir.condition)
  const yes = compiler.taking(ir.yes)
  const no = compiler.taking(ir.no)
  return (input, env, owned) => {
    const decision = condition(input, env)
    if (decision === undefined) return undefined
    return decision === false || decision === null ? no(input, env, owned) : yes(input, env, owned)
  }
}

/** `. // right`. */
function takingDefault(compiler: Compiler, ir: Ir): Taking {
  const right = compiler.taking(ir)
  return (input, env, owned) => (input === null || input === false ? right(input, env, owned) : input)
}

function takingBind(compiler: Compiler, ir: Extract<Ir, { kind: 'bind' }>): Taking {
  const source = copying(compiler, ir.source)
  const body = compiler.taking(ir.body)
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

/** `left + right` and `left * right`: the right side is evaluated first, on an input that is still whole. */
function takingBinary(compiler: Compiler, ir: Extract<Ir, { kind: 'binary' }>): Taking {
  if (ir.operator !== '+' && ir.operator !== '*') return copying(compiler, ir)
  const { machine } = compiler
  const combine = ir.operator === '+' ? sum : product
  const left = compiler.taking(ir.left)
  const right = copying(compiler, ir.right)
  return (input, env, owned) => {
    const b = right(input, env, owned)
    const a = b === undefined ? undefined : left(input, env, owned)
    return a === undefined || b === undefined ? undefined : combine(machine, a, b, owned)
  }
}

/** A fold inside a fold goes on with the same state, unless it also looks at it as a source. */
function takingReduce(compiler: Compiler, ir: Extract<Ir, { kind: 'reduce' }>): Taking {
  if (!takesState(ir) || !ignoresInput(ir.source)) return copying(compiler, ir)
  const initial = compiler.taking(ir.initial)
  const fold = compileFold(compiler, ir)
  return (input, env, owned) => {
    const start = initial(input, env, owned)
    return start === undefined ? undefined : fold(start, null, env, owned)
  }
}
