import type { Dispatcher } from 'undici'
import { createAddressPolicy } from './address-policy.ts'
import { acceptEncoding, decodeContent } from './content-decoding.ts'
import { deniedHost } from './denied-host.ts'
import { type BodyEnd, exchange, type WireReply, type WireRequest } from './exchange.ts'
import { createGuardedLookup, type Resolver, systemResolver, type UnreachableName } from './guarded-lookup.ts'
import { NetError } from './net-error.ts'
import { type ClientIdentity, createPools, type Pools } from './pools.ts'
import { redirected } from './redirect.ts'

export interface GuardedFetchOptions {
  /** CIDR ranges and addresses that are reachable though they are not public, for instance `127.0.0.0/8`. */
  readonly allow: readonly string[]
  readonly resolver?: Resolver
  /** Called with the reason why a host name was refused, which the author of the workflow does not learn. */
  readonly onUnreachable?: (name: UnreachableName) => void
  /** Certificates in PEM to trust instead of those that Node.js trusts. */
  readonly ca?: readonly string[]
  /** Concurrent connections to one origin; further requests wait. Default 128. */
  readonly connectionsPerOrigin?: number
  /** Origins with open connections. Default 256. */
  readonly originsMax?: number
  /** Default 10,000. */
  readonly connectTimeoutMs?: number
}

export interface OutgoingRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Used for the origin of `url` alone. */
  readonly client?: ClientIdentity
  readonly followRedirects: boolean
  /** Called with the URL of each redirect before it is followed; rejects to refuse it. */
  readonly admitHop?: (url: string) => Promise<void>
  /** Timeout of the whole request: waiting for a connection, redirects, reading. */
  readonly timeoutMs: number
  /** Limit of the body, both encoded and decoded. */
  readonly maxResponseBytes: number
  /**
   * Called with the headers of a reply. Makes what is given each piece of its body and returns whether the body is whole; the rest is not read.
   * Undefined: the server ends the body. A body with a `Content-Encoding` is always read to its end.
   */
  readonly untilWhole?: BodyEnd
}

interface IncomingReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The URL of the reply, after redirects. */
  readonly url: string
}

/** The only client for requests whose URL users choose. */
export interface GuardedFetch {
  /** Throws NetError, or the signal's reason as soon as it is aborted. */
  request(request: OutgoingRequest, signal: AbortSignal): Promise<IncomingReply>
  /** Why every request to this host would be refused, if that is certain without a request. */
  refusalOf(hostname: string): NetError | undefined
  close(): Promise<void>
}

/** Makes the guarded fetch: it checks every address before it connects, at every redirect. */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const policy = createAddressPolicy(options.allow)
  const pools = createPools({
    policy,
    lookup: createGuardedLookup(policy, options.resolver ?? systemResolver, options.onUnreachable ?? (() => {})),
    connectionsPerOrigin: options.connectionsPerOrigin ?? 128,
    originsMax: options.originsMax ?? 256,
    connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
    ca: options.ca,
  })
  return {
    request: (request, signal) =>
      withDeadline(request.timeoutMs, signal, (bounded) => follow(pools, firstRequest(request), request, redirectsMax, bounded)),
    refusalOf: (hostname) => deniedHost(policy, hostname),
    close: () => pools.close(),
  }
}

const redirectsMax = 5

/** Sends the request and follows redirects. */
async function follow(
  pools: Pools,
  hop: WireRequest,
  request: OutgoingRequest,
  redirectsLeft: number,
  signal: AbortSignal,
): Promise<IncomingReply> {
  const client = hop.url.origin === new URL(request.url).origin ? request.client : undefined
  const reply = await sendSafely(() => pools.for(hop.url, client), hop, request.maxResponseBytes, signal)
  const next = request.followRedirects ? redirected(hop, reply) : undefined
  if (next !== undefined) {
    if (redirectsLeft === 0) throw new NetError('redirects', `the reply redirects more than ${redirectsMax} times`)
    await request.admitHop?.(next.url.href)
    return follow(pools, next, request, redirectsLeft - 1, signal)
  }
  const { status, headers, body } = await decodeContent(reply, request.maxResponseBytes)
  signal.throwIfAborted()
  return { status, headers, body, url: hop.url.href }
}

function firstRequest({ method, url: text, headers, body, untilWhole }: OutgoingRequest): WireRequest {
  if (!URL.canParse(text)) throw new NetError('protocol', 'the address is not a URL')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new NetError('denied', 'only http and https may be reached')
  return {
    method,
    url,
    headers: 'accept-encoding' in headers ? headers : { ...headers, 'accept-encoding': acceptEncoding },
    body,
    untilWhole,
  }
}

/** A server may close an idle connection just as it is used; an idempotent request is then sent again (RFC 9110, section 9.2.2). */
async function sendSafely(pool: () => Dispatcher, request: WireRequest, bytesMax: number, signal: AbortSignal): Promise<WireReply> {
  try {
    return await exchange(pool(), request, bytesMax, signal)
  } catch (error) {
    if (signal.aborted || !safeMethods.has(request.method) || !(error instanceof NetError) || error.reason !== 'reset') throw error
    return exchange(pool(), request, bytesMax, signal)
  }
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

async function withDeadline<T>(timeoutMs: number, outer: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  outer.throwIfAborted()
  const bounded = new AbortController()
  const forward = (): void => bounded.abort(outer.reason)
  outer.addEventListener('abort', forward)
  // A timer longer than this would fire at once. https://nodejs.org/api/timers.html#settimeoutcallback-delay-args
  const delayMs = Math.min(timeoutMs, 2 ** 31 - 1)
  const timer = setTimeout(() => bounded.abort(new NetError('timeout', `no complete reply within ${timeoutMs} ms`)), delayMs)
  try {
    return await run(bounded.signal)
  } finally {
    clearTimeout(timer)
    outer.removeEventListener('abort', forward)
  }
}
