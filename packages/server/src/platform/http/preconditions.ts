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
