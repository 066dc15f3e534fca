import { Fault } from '@millrace/contract'
import { isLoopback } from '#platform/net/loopback.ts'

const noPreference: { readonly waitSeconds?: number } = {}

/** Reads `Prefer: wait=N` (RFC 7240). Other preferences are ignored, as the RFC requires. Fault `request_invalid` for a `wait` that is no number of seconds. */
export function preferOf(header: string | readonly string[] | undefined): { readonly waitSeconds?: number } {
  if (header === undefined) return noPreference
  const text = typeof header === 'string' ? header : header.join(',')
  const wait = text.split(/[,;]/).find((preference) => /^\s*wait\s*(?:=|$)/i.test(preference))
  if (wait === undefined) return noPreference
  const seconds = /=\s*"?(\d{1,9})"?\s*$/.exec(wait)?.[1]
  if (seconds === undefined) throw invalidHeader('prefer', 'The preference `wait` must be a whole number of seconds, such as wait=10.')
  return { waitSeconds: Number(seconds) }
}

/**
 * Reads the revisions of `If-Match`; `undefined` without the header or for `*`. Weak tags and tags of another form match no revision. Fault
 * `request_invalid` for one without quotes, which is no tag.
 */
export function ifMatchOf(header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  const tags = header.split(',').map((tag) => tag.trim())
  if (!tags.every((tag) => /^(?:W\/)?"[^"]*"$/.test(tag)))
    throw invalidHeader('if-match', 'Must be the ETag of a response with its quotes, such as "7", several of them, or *.')
  return tags.map((tag) => /^"(\d{1,15})"$/.exec(tag)?.[1]).flatMap((revision) => (revision === undefined ? [] : [Number(revision)]))
}

function invalidHeader(name: string, detail: string): Fault {
  return new Fault('request_invalid', { errors: [{ pointer: `/${name}`, detail, in: 'header' }] })
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

interface PageHeaders {
  readonly 'sec-fetch-site'?: string | string[] | undefined
  readonly origin?: string | undefined
  readonly host?: string | undefined
}

/**
 * Whether a request comes from no browser, or from a page of this installation: of `publicUrl`, or of this machine where that is not set. It does not
 * compare with the header `Host`, which names the host of the attacker when a page has rebound its name to this server.
 */
export function isFromOwnPage(headers: PageHeaders, publicUrl: string | undefined): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers
  const isOwn = (url: URL | null) =>
    url !== null && (publicUrl === undefined ? isLoopback(url.hostname) : url.host === new URL(publicUrl).host)
  if (origin !== undefined && !isOwn(URL.parse(origin))) return false
  return site === undefined || ((site === 'same-origin' || site === 'none') && isOwn(URL.parse(`https://${host}`)))
}

/** Whether `Accept` names `text/html`, as the navigation of a browser does and a program does not. */
export function wantsPage(accept: string | undefined): boolean {
  return accept?.split(',').some((range) => /^\s*text\/html\s*(?:;|$)/i.test(range)) === true
}
