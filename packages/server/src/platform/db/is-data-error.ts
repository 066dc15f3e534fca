import { errorCode } from '#platform/error-code.ts'

/** Whether PostgreSQL refused a value, such as a text with NUL or a malformed IP address: class 22 of its codes. */
export function isDataError(error: unknown): boolean {
  return errorCode(error)?.startsWith('22') === true
}
