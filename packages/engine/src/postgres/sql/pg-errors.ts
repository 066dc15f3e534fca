/** Raised for every write of a process whose row, the fence, was deleted, and for a write of an execution that the process does not claim: other processes run them. */
export class FencedError extends Error {
  override readonly name = 'FencedError'
  /** Nothing was written; the process registers anew in a moment, so the caller may repeat the request. */
  readonly code = 'PROCESS_FENCED'
}

/** The SQLSTATE of an error of PostgreSQL; empty for every other error. */
export function sqlStateOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.length === 5 ? error.code : ''
}

/** Whether PostgreSQL rolled the transaction back to end a deadlock, so that it is safe to repeat. */
export function isDeadlock(error: unknown): boolean {
  return sqlStateOf(error) === '40P01'
}

/** The executions for which `millrace_refuse_unclaimed` aborted a flush. */
export function unclaimedIn(error: unknown): readonly string[] {
  const isUnclaimed = sqlStateOf(error) === 'MR001' && error instanceof Error && 'detail' in error
  return isUnclaimed && typeof error.detail === 'string' ? error.detail.split(' ') : []
}

/**
 * Whether one write made its batch fail. Nothing was committed, and the other writes may succeed without it. The statement
 * failed by its values (classes 22, 23 and 54 of SQLSTATE), or the values could not be serialised.
 */
export function concernsOneWrite(error: unknown): error is Error {
  return isUnwritable(error) || sqlStateOf(error).startsWith('23')
}

/** Whether the same write would always fail. Not so for a journal entry that exists already (class 23): the journal has to be read again. */
export function isUnwritable(error: unknown): error is Error {
  return error instanceof RangeError || error instanceof TypeError || /^(?:22|54)/.test(sqlStateOf(error))
}
