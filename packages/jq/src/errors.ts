import type { Json } from './values/value.ts'

/** A half-open range of UTF-16 offsets into the source of a program. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Stable names of what can be wrong with a program before it runs. */
export type SyntaxCode =
  | 'unexpected-token'
  | 'invalid-escape'
  | 'invalid-number'
  | 'unterminated-string'
  | 'object-key'
  | 'constant-key'
  | 'undefined-function'
  | 'undefined-variable'
  | 'undefined-label'
  | 'refused'
  | 'clock-required'
  | 'module'
  | 'empty-program'
  | 'too-deep'

export interface SyntaxDetails extends Span {
  readonly code: SyntaxCode
  readonly message: string
  readonly expected?: readonly string[] | undefined
}

/** The program cannot be compiled; `span` is in UTF-16 units, `line` and `column` count from 1. */
export class JqSyntaxError extends Error {
  readonly code: SyntaxCode
  readonly span: Span
  readonly line: number
  readonly column: number
  readonly expected: readonly string[] | undefined

  constructor(source: string, details: SyntaxDetails) {
    super(details.message)
    this.name = 'JqSyntaxError'
    this.code = details.code
    this.span = { start: details.start, end: details.end }
    this.expected = details.expected
    const before = source.slice(0, details.start)
    const newline = before.lastIndexOf('\n')
    this.line = before.split('\n').length
    this.column = details.start - newline
  }
}

/** An error without a stack trace: it is thrown often, and recording the trace would cost more than everything else. */
export class StacklessError extends Error {
  constructor(message: string) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** The program raised an error: `value` is what `catch` would have seen, mostly a string. */
export class JqError extends StacklessError {
  readonly value: Json

  constructor(value: Json, message?: string) {
    super(message ?? (typeof value === 'string' ? value : `${JSON.stringify(value)} (not a string)`))
    this.name = 'JqError'
    this.value = value
  }
}

export type LimitName = 'steps' | 'outputs' | 'depth' | 'size' | 'deadline'

/** The program used more than it was given; no `try` of the program can catch it. */
export class JqLimitError extends Error {
  readonly limit: LimitName

  constructor(limit: LimitName, message: string) {
    super(message)
    this.name = 'JqLimitError'
    this.limit = limit
  }
}

/** The run has taken longer than its `interruptMs`; no `try` of the program can catch it. */
export class JqInterrupted extends StacklessError {
  constructor(interruptMs: number) {
    super(`The program was interrupted after ${interruptMs} ms`)
    this.name = 'JqInterrupted'
  }
}
