import type { BinaryOperator } from '#src/syntax/ast.ts'
import { add, divide, modulo, multiply, subtract } from '#src/values/arithmetic.ts'
import { compare, equals } from '#src/values/compare.ts'
import type { Value } from '#src/values/value.ts'
import type { One } from './code.ts'
import type { Machine } from './machine.ts'

export type Operation = (machine: Machine, a: Value, b: Value) => Value

export const operations: Readonly<Record<BinaryOperator, Operation>> = {
  '+': add,
  '-': subtract,
  '*': multiply,
  '/': divide,
  '%': modulo,
  '==': (_machine, a, b) => equals(a, b),
  '!=': (_machine, a, b) => !equals(a, b),
  '<': (_machine, a, b) => compare(a, b) < 0,
  '<=': (_machine, a, b) => compare(a, b) <= 0,
  '>': (_machine, a, b) => compare(a, b) > 0,
  '>=': (_machine, a, b) => compare(a, b) >= 0,
}

/**
 * An operator between two nodes with at most one output each. The right side is evaluated first, as in jq. Two numbers are
 * handled in place; everything else goes to the general operation. NaN is smaller than anything, which the negated
 * comparisons express.
 */
export function binaryOne(machine: Machine, operator: BinaryOperator, left: One, right: One): One {
  const general = operations[operator]
  switch (operator) {
    case '+':
      return (input, env) => {
        const b = right(input, env)
        const a = b === undefined ? undefined : left(input, env)
        if (a === undefined || b === undefined) return undefined
        return typeof a === 'number' && typeof b === 'number' ? a + b : general(machine, a, b)
      }
    case '-':
      return (input, env) => {
        const b = right(input, env)
        const a = b === undefined ? undefined : left(input, env)
        if (a === undefined || b === undefined) return undefined
        return typeof a === 'number' && typeof b === 'number' ? a - b : general(machine, a, b)
      }
    case '*':
      return (input, env) => {
        const b = right(input, env)
        const a = b === undefined ? undefined : left(input, env)
        if (a === undefined || b === undefined) return undefined
        return typeof a === 'number' && typeof b === 'number' ? a * b : general(machine, a, b)
      }
    case '==':
      return (input, env) => {
        const b = right(input, env)
        const a = b === undefined ? undefined : left(input, env)
        if (a === undefined || b === undefined) return undefined
        return typeof a === 'object' || typeof a === 'bigint' ? equals(a, b) : a === b || (typeof b === 'bigint' && equals(a, b))
      }
    case '<':
      return (input, env) => {
        const b = right(input, env)
        const a = b === undefined ? undefined : left(input, env)
        if (a === undefined || b === undefined) return undefined
        return typeof a === 'number' && typeof b === 'number' ? a < b || Number.isNaN(a) : general(machine, a, b)
      }
    case '>':
      return (input, env) => {
        const b = right(input, env)
        const a = b === undefined ? undefined : left(input, env)
        if (a === undefined || b === undefined) return undefined
        return typeof a === 'number' && typeof b === 'number' ? a > b || (Number.isNaN(b) && !Number.isNaN(a)) : general(machine, a, b)
      }
    default:
      return (input, env) => {
        const b = right(input, env)
        const a = b === undefined ? undefined : left(input, env)
        return a === undefined || b === undefined ? undefined : general(machine, a, b)
      }
  }
}
