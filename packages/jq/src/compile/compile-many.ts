import type { Ir } from '#src/lower/ir.ts'
import { orNull, truthy } from '#src/values/value.ts'
import { accessMany } from './access-many.ts'
import { bindMany } from './bind.ts'
import { asMany, nativeMany } from './call-native.ts'
import { callMany, parameterMany } from './call.ts'
import type { Break, Compiler, Many } from './code.ts'
import { asLoop, elementsOf, loopMany } from './collect.ts'
import { foreachMany, reduceMany } from './loops.ts'
import { round } from './machine.ts'
import { objectMany } from './object.ts'
import { negateMany, operations } from './operators.ts'
import { stringMany } from './interpolate.ts'
import { tryMany } from './attempt.ts'
import { assignMany } from './update.ts'

/** Compiles a node into a stream that hands each output to a consumer, which can ask it to stop. */
export function compileMany(compiler: Compiler, ir: Ir): Many {
  if (ir.count === 'maybe') return asMany(compiler.one(ir))
  switch (ir.kind) {
    case 'string':
      return stringMany(compiler, ir)
    case 'index':
    case 'slice':
      return accessMany(compiler, ir)
    case 'iterate':
      return iterateMany(compiler, ir)
    case 'try':
      return tryMany(compiler, ir)
    case 'negate':
      return negateMany(compiler, ir)
    case 'pipe':
      return pipeMany(compiler, ir)
    case 'comma': {
      const items = ir.items.map(compiler.many)
      return (input, env, emit) => {
        for (const item of items) if (item(input, env, emit)) return true
        return false
      }
    }
    case 'binary': {
      const left = compiler.many(ir.left)
      const right = compiler.many(ir.right)
      const operation = operations[ir.operator]
      const { machine } = compiler
      return (input, env, emit) => right(input, env, (b) => left(input, env, (a) => emit(operation(machine, a, b))))
    }
    case 'logic':
      return logicMany(compiler, ir)
    case 'alternative':
      return alternativeMany(compiler, ir)
    case 'if':
      return ifMany(compiler, ir)
    case 'object':
      return objectMany(compiler, ir)
    default:
      return referenceMany(compiler, ir)
  }
}

function referenceMany(compiler: Compiler, ir: Ir): Many {
  switch (ir.kind) {
    case 'reduce':
      return reduceMany(compiler, ir)
    case 'foreach':
      return foreachMany(compiler, ir)
    case 'bind':
      return bindMany(compiler, ir)
    case 'label': {
      const body = compiler.many(ir.body)
      return (input, env, emit) => {
        const slot: Break = { label: 'break' }
        const { depth } = compiler.machine
        try {
          return body(input, { slot, up: env }, emit)
        } catch (thrown) {
          if (thrown !== slot) throw thrown
          compiler.machine.depth = depth
          return false
        }
      }
    }
    case 'parameter':
      return parameterMany(compiler, ir.up)
    case 'assign':
      return assignMany(compiler, ir)
    case 'call':
      return callMany(compiler, ir)
    case 'native':
      return nativeMany(compiler, ir)
    default:
      throw new Error(`A ${ir.kind} has one output`)
  }
}

function iterateMany(compiler: Compiler, ir: Extract<Ir, { kind: 'iterate' }>): Many {
  const loop = asLoop(compiler, ir)
  if (loop !== undefined) return loopMany(compiler, loop)
  const { machine } = compiler
  const target = compiler.many(ir.target)
  const { optional } = ir
  return (input, env, emit) =>
    target(input, env, (container) => {
      if (optional && (typeof container !== 'object' || container === null)) return false
      const elements = elementsOf(container)
      for (let at = 0; at < elements.length; at++) {
        round(machine, at, elements.length)
        if (emit(orNull(elements[at]))) return true
      }
      return false
    })
}

function pipeMany(compiler: Compiler, ir: Extract<Ir, { kind: 'pipe' }>): Many {
  const loop = asLoop(compiler, ir)
  if (loop !== undefined) return loopMany(compiler, loop)
  if (ir.right.count === 'many' && ir.left.count === 'maybe') return pipeOnce(compiler, ir)
  const left = compiler.many(ir.left)
  if (ir.right.count === 'many') {
    const right = compiler.many(ir.right)
    return (input, env, emit) => left(input, env, (value) => right(value, env, emit))
  }
  const right = compiler.one(ir.right)
  return (input, env, emit) =>
    left(input, env, (value) => {
      const result = right(value, env)
      return result === undefined ? false : emit(result)
    })
}

/** A pipe whose left side has one output. */
function pipeOnce(compiler: Compiler, ir: Extract<Ir, { kind: 'pipe' }>): Many {
  const left = compiler.one(ir.left)
  const right = compiler.many(ir.right)
  return (input, env, emit) => {
    const value = left(input, env)
    return value === undefined ? false : right(value, env, emit)
  }
}

/** A condition with one output is no stream, which saves two frames of the host's stack for each call of a recursion. */
function ifMany(compiler: Compiler, ir: Extract<Ir, { kind: 'if' }>): Many {
  const yes = compiler.many(ir.yes)
  const no = compiler.many(ir.no)
  if (ir.condition.count === 'maybe') {
    const condition = compiler.one(ir.condition)
    return (input, env, emit) => {
      const decision = condition(input, env)
      if (decision === undefined) return false
      return decision === false || decision === null ? no(input, env, emit) : yes(input, env, emit)
    }
  }
  const condition = compiler.many(ir.condition)
  return (input, env, emit) => condition(input, env, (decision) => (truthy(decision) ? yes : no)(input, env, emit))
}

function logicMany(compiler: Compiler, ir: Extract<Ir, { kind: 'logic' }>): Many {
  const left = compiler.many(ir.left)
  const right = compiler.many(ir.right)
  const decided = ir.operator === 'or'
  return (input, env, emit) => left(input, env, (a) => (truthy(a) === decided ? emit(decided) : right(input, env, (b) => emit(truthy(b)))))
}

/** All true outputs of the left side, or those of the right side when no output of the left side is true. */
function alternativeMany(compiler: Compiler, ir: Extract<Ir, { kind: 'alternative' }>): Many {
  const left = compiler.many(ir.left)
  const right = compiler.many(ir.right)
  return (input, env, emit) => {
    let found = false
    const stopped = left(input, env, (value) => {
      if (!truthy(value)) return false
      found = true
      return emit(value)
    })
    return stopped || (!found && right(input, env, emit))
  }
}
