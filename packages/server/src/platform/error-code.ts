/** The `code` of an error of Node, PostgreSQL or a library; `undefined` for any other value. */
export function errorCode(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
