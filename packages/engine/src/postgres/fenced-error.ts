/** Raised for every write of a process that has been given up: its row, the fence, is gone. */
export class FencedError extends Error {
  override readonly name = 'FencedError'
  /** For whoever answers requests: nothing was written, and the process gets a new row in a moment. */
  readonly code = 'PROCESS_FENCED'
}
