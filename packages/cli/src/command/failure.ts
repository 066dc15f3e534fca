import { type ExitCode, exitCodes } from './exit-code.ts'

/** Ends a command with a message for its user: what is wrong with which thing, and what to do. Anything else that is thrown is a bug. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly exitCode: ExitCode
  readonly hint: string | undefined

  constructor(message: string, options: { readonly hint?: string; readonly exitCode?: ExitCode; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.exitCode = options.exitCode ?? exitCodes.failed
    this.hint = options.hint
  }
}

/** The command was called wrongly. */
export function usageFailure(message: string, hint?: string): Failure {
  return new Failure(message, { exitCode: exitCodes.usage, ...(hint === undefined ? {} : { hint }) })
}

/** A file that a command needs is missing or cannot be read. */
export function unreadable(file: string, error: unknown): Failure {
  const message = systemCodeOf(error) === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read: ${messageOf(error)}`
  return new Failure(message, { cause: error })
}

/** The text of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The `code` of an error of the system, such as `ENOENT`. */
export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
