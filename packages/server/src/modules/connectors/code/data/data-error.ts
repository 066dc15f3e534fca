/** A document that cannot be read or written; the message is for the author of a workflow. */
export class DataError extends Error {
  override readonly name = 'DataError'
}
