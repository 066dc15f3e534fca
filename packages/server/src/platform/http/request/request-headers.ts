const noPreference: { readonly waitSeconds?: number } = {}

/** Reads `Prefer: wait=N` (RFC 7240). Other preferences are ignored, as the RFC requires. */
export function preferOf(header: string | readonly string[] | undefined): { readonly waitSeconds?: number } {
  if (header === undefined) return noPreference
  const match = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:$|[,;])/i.exec(typeof header === 'string' ? header : header.join(','))
  return match === null ? noPreference : { waitSeconds: Number(match[1]) }
}

/** Reads the revisions of `If-Match`; `undefined` without the header or for `*`. Weak tags and tags in another form match no revision. */
export function ifMatchOf(header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  return header
    .split(',')
    .map((tag) => /^\s*"(\d{1,15})"\s*$/.exec(tag)?.[1])
    .filter((revision) => revision !== undefined)
    .map(Number)
}

const validRequestId = /^[A-Za-z0-9._:-]{1,128}$/

/** The caller's `X-Request-ID` if it is valid, otherwise a new one. */
export function requestIdOf(header: string | readonly string[] | undefined, newRequestId: () => string): string {
  return typeof header === 'string' && validRequestId.test(header) ? header : newRequestId()
}

/** The value of a cookie; the first one when several have the name (RFC 6265, section 5.4: the most specific path). */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(';').find((part) => part.trimStart().startsWith(`${name}=`))
  return pair === undefined ? undefined : pair.slice(pair.indexOf('=') + 1).trim()
}

/** Whether the page that sent a request is of this server's own origin, by what its browser says. Programs other than browsers say nothing. */
export function isFromOwnOrigin(headers: {
  readonly 'sec-fetch-site'?: string | string[] | undefined
  readonly origin?: string | undefined
  readonly host?: string | undefined
}): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return headers.origin === undefined || URL.parse(headers.origin)?.host === headers.host
}

/** Whether `Accept` names `text/html`, as the navigation of a browser does and a program does not. */
export function wantsPage(accept: string | undefined): boolean {
  return accept?.split(',').some((range) => /^\s*text\/html\s*(?:;|$)/i.test(range)) === true
}
