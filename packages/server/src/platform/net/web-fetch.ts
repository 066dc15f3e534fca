import { createAddressPolicy } from './address-policy.ts'
import { createGuardedLookup, systemResolver } from './guarded-lookup.ts'
import { loadUndici } from './load-undici.ts'
import { createPools } from './pools.ts'

/** `fetch` of the web platform for addresses that the operator configured. */
export interface WebFetch {
  readonly fetch: typeof globalThis.fetch
  close(): Promise<void>
}

/** The operator chose the addresses, so those of private networks are reachable. */
const everywhere = ['0.0.0.0/0', '::/0']

/** Makes a `fetch` with streamed bodies, on connections of its own. It follows no redirect: a credential stays with the configured origin. */
export function createWebFetch(): WebFetch {
  const policy = createAddressPolicy(everywhere)
  const pools = createPools({
    policy,
    lookup: createGuardedLookup(policy, systemResolver, () => undefined),
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
      return new Response(empty ? null : stream, { status: response.status, headers: Object.fromEntries(response.headers) })
    },
    close: () => pools.close(),
  }
}
