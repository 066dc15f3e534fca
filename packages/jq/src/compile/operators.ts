import type { BinaryOperator } from '#src/syntax/ast.ts'
import { add, divide, modulo, multiply, negate, subtract } from '#src/values/arithmetic.ts'
import { compare, equals } from '#src/values/compare.ts'
import type { Ir } from '#src/lower/ir.ts'
import type { Value } from '#src/values/value.ts'
import { inputPath, isContainer, type InputPath } from './access-one.ts'
import type { Compiler, Many, One } from './code.ts'
import { computed, type Machine } from './machine.ts'

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
 * An operator on two doubles; `undefined` leaves it to the general operation. NaN is smaller than anything, itself included, which
 * the odd comparisons express.
 */
function onNumbers(machine: Machine, operator: BinaryOperator, a: number, b: number): Value | undefined {
  switch (operator) {
    case '+':
      return computed(machine, a + b)
    case '-':
      return computed(machine, a - b)
    case '*':
      return computed(machine, a * b)
    case '==':
      return a === b
    case '!=':
      return a !== b
    case '<':
      return a < b || Number.isNaN(a)
    case '<=':
      return a <= b || Number.isNaN(a)
    case '>':
      return a > b || (Number.isNaN(b) && !Number.isNaN(a))
    case '>=':
      return a >= b || (Number.isNaN(b) && !Number.isNaN(a))
    default:
      return undefined
  }
}

/**
 * An operator between two nodes with at most one output each. Numbers that are fields of the input or constants are taken
 * without a call; whatever is no number goes the general way, which reads it once more.
 */
export function binaryOne(compiler: Compiler, ir: Extract<Ir, { kind: 'binary' }>): One {
  const { operator, left, right } = ir
  const general = generalOne(compiler, ir)
  const path = inputPath(left)
  if (right.kind === 'constant' && typeof right.value === 'number') {
    return path === undefined
      ? withConstant(compiler.machine, operator, compiler.one(left), right.value)
      : pathWithConstant(compiler.machine, operator, path, right.value, general)
  }
  const other = inputPath(right)
  if (path === undefined || other === undefined || path.inner !== undefined || other.inner !== undefined) return general
  return fieldWithField(compiler.machine, operator, path.outer, other.outer, general)
}

/** The right side is evaluated first, as in jq. */
function generalOne(compiler: Compiler, ir: Extract<Ir, { kind: 'binary' }>): One {
  const { machine } = compiler
  const { operator } = ir
  const left = compiler.one(ir.left)
  const right = compiler.one(ir.right)
  const operation = operations[operator]
  return (input, env) => {
    const b = right(input, env)
    const a = b === undefined ? undefined : left(input, env)
    if (a === undefined || b === undefined) return undefined
    return (typeof a === 'number' && typeof b === 'number' ? onNumbers(machine, operator, a, b) : undefined) ?? operation(machine, a, b)
  }
}

function withConstant(machine: Machine, operator: BinaryOperator, left: One, b: number): One {
  const operation = operations[operator]
  return (input, env) => {
    const a = left(input, env)
    if (a === undefined) return undefined
    return (typeof a === 'number' ? onNumbers(machine, operator, a, b) : undefined) ?? operation(machine, a, b)
  }
}

function pathWithConstant(machine: Machine, operator: BinaryOperator, { outer, inner }: InputPath, b: number, general: One): One {
  return (input, env) => {
    if (!isContainer(input)) return general(input, env)
    const field = input[outer]
    const a = inner === undefined ? field : isContainer(field) ? field[inner] : undefined
    return (typeof a === 'number' ? onNumbers(machine, operator, a, b) : undefined) ?? general(input, env)
  }
}

function fieldWithField(machine: Machine, operator: BinaryOperator, leftKey: string, rightKey: string, general: One): One {
  return (input, env) => {
    if (!isContainer(input)) return general(input, env)
    const a = input[leftKey]
    const b = input[rightKey]
    return (typeof a === 'number' && typeof b === 'number' ? onNumbers(machine, operator, a, b) : undefined) ?? general(input, env)
  }
}

export function negateOne(compiler: Compiler, ir: Extract<Ir, { kind: 'negate' }>): One {
  const operand = compiler.one(ir.operand)
  return (input, env) => {
    const value = operand(input, env)
    return value === undefined ? undefined : negate(value)
  }
}

export function negateMany(compiler: Compiler, ir: Extract<Ir, { kind: 'negate' }>): Many {
  const operand = compiler.many(ir.operand)
  return (input, env, emit) => operand(input, env, (value) => emit(negate(value)))
}
