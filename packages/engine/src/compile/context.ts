import type { Definition } from '@millrace/dsl'
import type { ExpressionContext } from './expression.ts'

/** What compiling a task needs to know of what is around it. */
export interface CompileContext {
  readonly definition: Definition
  readonly expressions: ExpressionContext
}

/** The same with variables that a task binds for those inside it. */
export function binding(context: CompileContext, names: readonly string[]): CompileContext {
  const { expressions } = context
  return { ...context, expressions: { ...expressions, locals: [...expressions.locals, ...names] } }
}

/** A member that is there or not: optional members of nodes are absent, never undefined. */
export function optional<K extends string, V>(key: K, value: V | undefined): { readonly [k in K]?: V } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A computed key has no type of its own.
  return (value === undefined ? {} : { [key]: value }) as { readonly [k in K]?: V }
}
