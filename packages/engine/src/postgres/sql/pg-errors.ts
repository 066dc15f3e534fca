/** Raised for every write of a process whose row, the fence, was deleted: other processes run its executions. */
export class FencedError extends Error {
  override readonly name = 'FencedError'
  /** Nothing was written; the process registers anew in a moment, so the caller may repeat the request. */
  readonly code = 'PROCESS_FENCED'
}

/** The SQLSTATE of an error of PostgreSQL; empty for every other error. */
export function sqlStateOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.length === 5 ? error.code : ''
}

/** Whether PostgreSQL ended the transaction because it and others waited for one another: all of it was undone, so repeating it is safe. */
export function isDeadlock(error: unknown): boolean {
  return sqlStateOf(error) === '40P01'
}

/**
 * Whether a failure concerns one write of a batch, so that nothing is in the database and the others are worth another try: the statement
 * failed by its values (classes 22, 23 and 54 of SQLSTATE), or no statement could be made of them.
 */
export function concernsOneWrite(error: unknown): error is Error {
  return isUnwritable(error) || sqlStateOf(error).startsWith('23')
}

/** Whether the same write would fail again. An entry that the journal has already (class 23) is another matter: the journal has to be read again. */
export function isUnwritable(error: unknown): error is Error {
  return error instanceof RangeError || error instanceof TypeError || /^(?:22|54)/.test(sqlStateOf(error))
}
