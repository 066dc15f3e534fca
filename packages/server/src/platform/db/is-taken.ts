import { errorCode } from '#platform/error-code.ts'

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const uniqueViolation = '23505'

/** Whether a write failed because another row has the value already. @param constraint the one that was violated; any without it. */
export function isTaken(error: unknown, constraint?: string): boolean {
  if (errorCode(error) !== uniqueViolation) return false
  return constraint === undefined || (error instanceof Error && 'constraint' in error && error.constraint === constraint)
}
