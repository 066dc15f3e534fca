import { type Duration, durationMs, isRuntimeExpression } from '@millrace/dsl'
import { mapped } from '#core/evaluate.ts'
import { standardError } from '#core/error.ts'
import type { Json } from '#core/json.ts'
import type { DurationMs } from '#core/node.ts'
import { compileExpression, type ExpressionContext } from './expression.ts'

/** Compiles a duration; one that is an expression is evaluated each time. */
export function compileDuration(duration: Duration, context: ExpressionContext): DurationMs {
  if (isRuntimeExpression(duration)) {
    const expression = compileExpression(duration, context)
    return (dot, scope) => mapped(expression(dot, scope), millisecondsOf)
  }
  const ms = durationMs(duration) ?? 0
  return () => ms
}

function millisecondsOf(value: Json): number {
  const ms = durationMs(value)
  if (ms === undefined) throw standardError('expression', `${JSON.stringify(value)?.slice(0, 100)} is not a duration`)
  return ms
}
