import { JqSyntaxError, compile } from '@millrace/jq'

/** Why an expression cannot be compiled; the span is in UTF-16 units of the source, the end exclusive. */
export interface ExpressionProblem {
  readonly kind: 'undefined-variable' | 'undefined-function' | 'other'
  readonly message: string
  readonly start: number
  readonly end: number
}

/**
 * Compiles a jq source to see what is wrong with it; undefined when nothing is.
 *
 * The only place of this package that knows the compiler. Whoever runs the definition has a clock, so `now` is allowed.
 */
export function expressionProblem(source: string, variables: readonly string[]): ExpressionProblem | undefined {
  try {
    compile(source, { variables, clock: epoch })
    return undefined
  } catch (error) {
    if (!(error instanceof JqSyntaxError)) throw error
    const kind = error.code === 'undefined-variable' || error.code === 'undefined-function' ? error.code : 'other'
    return { kind, message: error.message, start: error.span.start, end: error.span.end }
  }
}

/** Nothing is run here: the clock is never read. */
function epoch(): number {
  return 0
}
