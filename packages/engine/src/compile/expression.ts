import { isRuntimeExpression, unwrapExpression } from '@millrace/dsl'
import { compile, type Json as JqJson, JqError, JqLimitError, type Program } from '@millrace/jq'
import { standardError } from '#core/error.ts'
import type { Json } from '#core/json.ts'
import type { Condition, Expression } from '#core/node.ts'
import type { Scope } from '#core/scope.ts'
import { readVariable, variableNames } from './variables.ts'

/** What a single expression may cost, so that none can hold up the process. */
const LIMITS = { steps: 5_000_000, outputs: 1_000_000, depth: 5_000, deadlineMs: 2_000 } as const

/** Where expressions stand: which variables tasks around them bind, and the clock of the execution that is being walked. */
export interface ExpressionContext {
  readonly locals: readonly string[]
  /** `now` in an expression is the execution's logical clock: the same in every walk. */
  readonly clock: { nowMs: number }
}

/** Compiles what always is an expression, in `${ … }` or bare. No output counts as null; of several the first counts. */
export function compileExpression(text: string, context: ExpressionContext): Expression {
  const program = compileProgram(text, context)
  const names = [...program.reads.variables]
  const { clock } = context
  return (dot, scope) => {
    clock.nowMs = scope.place.strand.execution.nowMs
    try {
      return program.first(dot, names.length === 0 ? undefined : variablesOf(names, scope)) ?? null
    } catch (error) {
      throw expressionError(error, text)
    }
  }
}

/** Compiles a condition: false and null, and no output at all, do not hold. */
export function compileCondition(text: string, context: ExpressionContext): Condition {
  const expression = compileExpression(text, context)
  return (dot, scope) => {
    const value = expression(dot, scope)
    return value !== false && value !== null
  }
}

/** Compiles data in which strings that are wholly `${ … }` are expressions; everything else stands for itself. */
export function compileTemplate(template: Json, context: ExpressionContext): Expression {
  if (typeof template === 'string') return isRuntimeExpression(template) ? compileExpression(template, context) : () => template
  if (typeof template !== 'object' || template === null || !holdsExpression(template)) return () => template
  if (Array.isArray(template)) {
    const items = template.map((item: Json) => compileTemplate(item, context))
    return (dot, scope) => items.map((item) => item(dot, scope))
  }
  const members = Object.entries(template).map(([key, value]) => ({
    key,
    value: compileTemplate(value, context),
    own: key === '__proto__',
  }))
  return (dot, scope) => {
    const object: Record<string, Json> = {}
    for (const { key, value, own } of members) {
      if (own) Object.defineProperty(object, key, { value: value(dot, scope), enumerable: true, writable: true, configurable: true })
      else object[key] = value(dot, scope)
    }
    return object
  }
}

/** A transformation: a string is an expression, `${ … }` or bare, an object a template. */
export function compileTransformation(transformation: Json, context: ExpressionContext): Expression {
  return typeof transformation === 'string' ? compileExpression(transformation, context) : compileTemplate(transformation, context)
}

/** The variables that the expressions in a template read. */
export function variablesRead(template: Json, context: ExpressionContext): readonly string[] {
  if (typeof template === 'string') return isRuntimeExpression(template) ? variablesOfExpression(template, context) : []
  if (typeof template !== 'object' || template === null) return []
  return Object.values(template).flatMap((member) => variablesRead(member, context))
}

/** The variables that what always is an expression reads. */
export function variablesOfExpression(text: string, context: ExpressionContext): readonly string[] {
  return [...compileProgram(text, context).reads.variables]
}

/** Whether any text in it names a variable; said of text that is no expression as well, which does no harm. */
export function readsVariable(value: unknown, name: string): boolean {
  if (typeof value === 'string') return value.includes(`$${name}`)
  return typeof value === 'object' && value !== null && Object.values(value).some((member) => readsVariable(member, name))
}

function holdsExpression(template: Json): boolean {
  if (typeof template === 'string') return isRuntimeExpression(template)
  if (typeof template !== 'object' || template === null) return false
  return Object.values(template).some(holdsExpression)
}

function compileProgram(text: string, { locals, clock }: ExpressionContext): Program {
  return compile(unwrapExpression(text), { variables: [...variableNames, ...locals], clock: () => clock.nowMs, limits: LIMITS })
}

function variablesOf(names: readonly string[], scope: Scope): Record<string, JqJson> {
  // Without a prototype, so that `$__proto__` is a variable like any other.
  const variables: Record<string, JqJson> = Object.create(null)
  for (const name of names) variables[name] = readVariable(name, scope)
  return variables
}

function expressionError(error: unknown, text: string): unknown {
  if (error instanceof JqError || error instanceof JqLimitError)
    return standardError('expression', `${error.message} in ${shortened(text)}`)
  return error
}

function shortened(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  return line.length > 120 ? `${line.slice(0, 117)}...` : line
}
