const kept = /^[A-Za-z0-9._:-]{1,128}$/

/** The caller's `X-Request-ID` where it is a proper one, otherwise a new one. */
export function requestIdOf(header: string | readonly string[] | undefined, newRequestId: () => string): string {
  return typeof header === 'string' && kept.test(header) ? header : newRequestId()
}
