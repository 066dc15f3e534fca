import type { Ir } from '#src/lower/ir.ts'
import { orNull, own, truthy } from '#src/values/value.ts'
import { compileIndex, compileSlice } from './access-one.ts'
import { nativeOne } from './call-native.ts'
import { collect } from './collect.ts'
import type { Compiler, One } from './code.ts'
import { objectOne } from './object.ts'
import { binaryOne, negateOne } from './operators.ts'
import { stringOne } from './interpolate.ts'
import { tryOne } from './attempt.ts'
import { bindOne } from './bind.ts'
import { reduceOne } from './loops.ts'
import { callOne, parameterOne } from './call.ts'
import { labelAt, valueAt } from './slots.ts'
import { assignOne, modifyOne } from './update.ts'

/** Compiles a node that has at most one output into a plain function of input and environment. */
export function compileOne(compiler: Compiler, ir: Ir): One {
  switch (ir.kind) {
    case 'identity':
      return (input) => input
    case 'constant': {
      const { value } = ir
      return () => value
    }
    case 'string':
      return stringOne(compiler, ir)
    case 'index':
      return compileIndex(compiler, ir)
    case 'slice':
      return compileSlice(compiler, ir)
    case 'try':
      return tryOne(compiler, ir)
    case 'negate':
      return negateOne(compiler, ir)
    case 'pipe': {
      if (ir.right.kind === 'call' && ir.right.steps === 0) return callOne(compiler, ir.right, ir.left)
      const left = compiler.one(ir.left)
      const right = compiler.one(ir.right)
      return (input, env) => {
        const value = left(input, env)
        return value === undefined ? undefined : right(value, env)
      }
    }
    case 'binary':
      return binaryOne(compiler, ir)
    case 'logic':
      return logicOne(compiler, ir)
    case 'alternative': {
      const left = compiler.one(ir.left)
      const right = compiler.one(ir.right)
      return (input, env) => {
        const value = left(input, env)
        return value === undefined || value === null || value === false ? right(input, env) : value
      }
    }
    case 'if':
      return ifOne(compiler, ir)
    case 'array':
      return collect(compiler, ir.body)
    case 'object':
      return objectOne(compiler, ir)
    default:
      return compileReference(compiler, ir)
  }
}

/** The nodes about names, updates and loops. */
function compileReference(compiler: Compiler, ir: Ir): One {
  const { machine } = compiler
  switch (ir.kind) {
    case 'variable': {
      const { up } = ir
      return up === 0 ? (_input, env) => valueAt(env, 0) : (_input, env) => valueAt(env, up)
    }
    case 'global': {
      const { name } = ir
      return () => orNull(own(machine.variables, name))
    }
    case 'break': {
      const { up } = ir
      return (_input, env) => {
        // A label is not an error: no `try` may see it, and it needs no stack.
        throw labelAt(env, up)
      }
    }
    case 'assign':
      return assignOne(compiler, ir)
    case 'modify':
      return modifyOne(compiler, ir)
    case 'reduce':
      return reduceOne(compiler, ir)
    case 'bind':
      return bindOne(compiler, ir)
    case 'call':
      return callOne(compiler, ir)
    case 'parameter':
      return parameterOne(compiler, ir.up)
    case 'native':
      return nativeOne(compiler, ir)
    default:
      throw new Error(`A ${ir.kind} can have many outputs`)
  }
}

function logicOne(compiler: Compiler, ir: Extract<Ir, { kind: 'logic' }>): One {
  const left = compiler.one(ir.left)
  const right = compiler.one(ir.right)
  const decided = ir.operator === 'or'
  return (input, env) => {
    const a = left(input, env)
    if (a === undefined) return undefined
    if (truthy(a) === decided) return decided
    const b = right(input, env)
    return b === undefined ? undefined : truthy(b)
  }
}

function ifOne(compiler: Compiler, ir: Extract<Ir, { kind: 'if' }>): One {
  const condition = compiler.one(ir.condition)
  const yes = compiler.one(ir.yes)
  const no = compiler.one(ir.no)
  return (input, env) => {
    const decision = condition(input, env)
    if (decision === undefined) return undefined
    return decision === false || decision === null ? no(input, env) : yes(input, env)
  }
}
