import type { BinaryOperator } from '#src/syntax/ast.ts'
import { compare, equals } from '#src/values/compare.ts'
import { isNumeric, toNumber, type Value } from '#src/values/value.ts'
import type { Ir } from './ir.ts'

/** A constant is returned many times, so it is frozen. */
export function freeze<T extends Value>(value: T): T {
  return Object.freeze(value)
}

/** The value of an operator on two constant numbers; `undefined` when it has to be left to run time. */
export function foldBinary(operator: BinaryOperator, left: Ir, right: Ir): number | boolean | undefined {
  if (left.kind !== 'constant' || right.kind !== 'constant') return undefined
  if (!isNumeric(left.value) || !isNumeric(right.value)) return undefined
  const a = toNumber(left.value)
  const b = toNumber(right.value)
  switch (operator) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return b === 0 ? undefined : a / b
    case '%':
      return undefined
    case '==':
      return equals(left.value, right.value)
    case '!=':
      return !equals(left.value, right.value)
    case '<':
      return compare(left.value, right.value) < 0
    case '<=':
      return compare(left.value, right.value) <= 0
    case '>':
      return compare(left.value, right.value) > 0
    case '>=':
      return compare(left.value, right.value) >= 0
  }
}
