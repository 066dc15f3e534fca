/** A schema that cannot be applied: malformed, without a target for a reference, or beyond a limit. Its author gets to see the message. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
}
