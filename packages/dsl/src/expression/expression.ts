import { JqSyntaxError, compile } from '@millrace/jq'

/** Why an expression cannot be compiled; the span is in UTF-16 units of the source, the end exclusive. */
export interface ExpressionProblem {
  readonly kind: 'undefined-variable' | 'undefined-function' | 'other'
  readonly message: string
  readonly start: number
  readonly end: number
}

/**
 * Compiles a jq source and returns its first problem; undefined if it is valid.
 *
 * Only this file uses the compiler. `now` is allowed, because a run has a clock.
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

/** The paths of its input that a valid jq source reads, such as `.a.b`. */
export function inputPaths(source: string, variables: readonly string[]): readonly string[] {
  return compile(source, { variables, clock: epoch }).reads.paths
}

/** The clock is never read, because nothing is run here. */
function epoch(): number {
  return 0
}
