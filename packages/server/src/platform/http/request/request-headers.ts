const nothing: { readonly waitSeconds?: number } = {}

/** Reads `Prefer: wait=N` (RFC 7240). What is not understood is ignored, as the RFC wants it. */
export function preferOf(header: string | readonly string[] | undefined): { readonly waitSeconds?: number } {
  if (header === undefined) return nothing
  const match = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:$|[,;])/i.exec(typeof header === 'string' ? header : header.join(','))
  return match === null ? nothing : { waitSeconds: Number(match[1]) }
}

/** Reads the revisions out of `If-Match`; `undefined` when there is none or any will do. Weak and foreign tags match no revision. */
export function ifMatchOf(header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  return header
    .split(',')
    .map((tag) => /^\s*"(\d{1,15})"\s*$/.exec(tag)?.[1])
    .filter((revision) => revision !== undefined)
    .map(Number)
}

const kept = /^[A-Za-z0-9._:-]{1,128}$/

/** The caller's `X-Request-ID` where it is a proper one, otherwise a new one. */
export function requestIdOf(header: string | readonly string[] | undefined, newRequestId: () => string): string {
  return typeof header === 'string' && kept.test(header) ? header : newRequestId()
}
