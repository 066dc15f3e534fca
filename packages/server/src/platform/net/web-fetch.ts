import { createAddressPolicy } from './address-policy.ts'
import { createGuardedLookup, systemResolver, type UnreachableName } from './guarded-lookup.ts'
import { loadUndici } from './load-undici.ts'
import { NetError } from './net-error.ts'
import { createPools } from './pools.ts'

/** `fetch` of the web platform with streamed bodies. */
export interface WebFetch {
  readonly fetch: typeof globalThis.fetch
  close(): Promise<void>
}

export interface WebFetchOptions {
  /** CIDR ranges and addresses that are reachable though they are not public. Everything unless given: the operator chose the addresses. */
  readonly allow?: readonly string[]
  readonly onUnreachable?: (name: UnreachableName) => void
  /** Limit of a body; none unless given. */
  readonly responseBytesMax?: number
}

const everywhere = ['0.0.0.0/0', '::/0']

/** Makes a `fetch` with streamed bodies, on connections of its own. It follows no redirect: a credential stays with the configured origin. */
export function createWebFetch({ allow = everywhere, onUnreachable = () => undefined, responseBytesMax }: WebFetchOptions = {}): WebFetch {
  const policy = createAddressPolicy(allow)
  const pools = createPools({
    policy,
    lookup: createGuardedLookup(policy, systemResolver, onUnreachable),
    connectionsPerOrigin: 64,
    originsMax: 64,
    connectTimeoutMs: 10_000,
    ca: undefined,
  })
  return {
    async fetch(input, init) {
      const url = new URL(input instanceof Request ? input.url : String(input))
      const { method = 'GET', headers, body, signal } = init ?? {}
      const response = await loadUndici().fetch(url, {
        method,
        headers: Object.fromEntries(new Headers(headers)),
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The callers send texts and bytes.
        body: (body ?? null) as string | Uint8Array | null,
        signal: signal ?? null,
        redirect: 'error',
        dispatcher: pools.for(url),
      })
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Both declarations describe the same stream of the platform.
      const stream = response.body as unknown as ReadableStream<Uint8Array> | null
      const empty = [204, 205, 304].includes(response.status)
      const content = empty || stream === null ? null : limited(stream, responseBytesMax)
      return new Response(content, { status: response.status, headers: Object.fromEntries(response.headers) })
    },
    close: () => pools.close(),
  }
}

/** The same stream, which fails when it is longer than its limit. */
function limited(stream: ReadableStream<Uint8Array>, bytesMax: number | undefined): ReadableStream<Uint8Array> {
  if (bytesMax === undefined) return stream
  let bytes = 0
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length
      if (bytes > bytesMax) controller.error(new NetError('too-large', `the reply is larger than ${bytesMax} bytes`))
      else controller.enqueue(chunk)
    },
  })
  return stream.pipeThrough(limit)
}
