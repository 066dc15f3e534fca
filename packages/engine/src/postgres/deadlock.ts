/** Whether a transaction was ended because it and others waited for one another: all of it was undone, so saying it again is safe. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '40P01'
}
