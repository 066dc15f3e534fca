/** Raised for every write of a process that has been given up: its row, the fence, is gone. */
export class FencedError extends Error {
  override readonly name = 'FencedError'
}
