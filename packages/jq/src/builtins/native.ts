import type { Compiler, Many, One, Paths } from '#src/compile/code.ts'
import type { Machine } from '#src/compile/machine.ts'
import type { Ir } from '#src/lower/ir.ts'
import type { Value } from '#src/values/value.ts'

/**
 * A built-in that takes values. With several outputs of an argument every combination is run; `outermost` says which argument
 * changes slowest, which in jq depends on how the built-in is defined.
 */
export interface ValueNative {
  readonly kind: 'value'
  readonly outermost: 'first' | 'last'
  readonly run: (machine: Machine, input: Value, a: Value, b: Value, c: Value) => Value
  /** Absent for a built-in whose results are new values, which have no path. */
  readonly paths?: (compiler: Compiler, args: readonly Ir[]) => Paths
}

/** A built-in that decides itself when and how often its arguments run. */
export interface ControlNative {
  readonly kind: 'control'
  readonly many: (compiler: Compiler, args: readonly Ir[]) => Many
  /** Absent when the general form is good enough, or when it can have many outputs. */
  readonly one?: (compiler: Compiler, args: readonly Ir[]) => One
  /** Absent for a built-in whose results are new values, which have no path. */
  readonly paths?: (compiler: Compiler, args: readonly Ir[]) => Paths
}

export type Native = ValueNative | ControlNative

export type NativeTable = Readonly<Record<string, Native>>

export function value(run: ValueNative['run']): ValueNative {
  return { kind: 'value', outermost: 'last', run }
}

/** For what jq defines with `$parameters`: the first argument changes slowest. */
export function defined(run: ValueNative['run']): ValueNative {
  return { kind: 'value', outermost: 'first', run }
}

/** The argument at a position that the arity guarantees. */
export function arg(args: readonly Ir[], position: number): Ir {
  const ir = args[position]
  if (ir === undefined) throw new Error(`A built-in misses its argument ${position}`)
  return ir
}
