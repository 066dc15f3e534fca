import { createHash } from 'node:crypto'
import type { LookupFunction } from 'node:net'
import { rootCertificates } from 'node:tls'
import type { Dispatcher, Pool } from 'undici'
import type { AddressPolicy } from './address-policy.ts'
import { deniedHost } from './denied-host.ts'
import { loadUndici } from './load-undici.ts'
import { NetError } from './net-error.ts'

export interface PoolOptions {
  readonly policy: AddressPolicy
  readonly lookup: LookupFunction
  readonly connectionsPerOrigin: number
  readonly originsMax: number
  readonly connectTimeoutMs: number
  /** Certificates in PEM to trust; undefined for those that Node.js trusts. */
  readonly ca: readonly string[] | undefined
}

/** How a client proves itself by TLS, and whom it trusts; all in PEM. */
export interface ClientIdentity {
  readonly cert: string
  readonly key: string
  /** Trusted besides those that Node.js trusts; undefined for these alone. */
  readonly ca: string | undefined
}

export interface Pools {
  /**
   * The connection pool of the origin of a URL; throws when its host is a literal address that is not allowed. Each client has a pool of its own, so that
   * no request uses a connection that another client has opened.
   */
  for(url: URL, client?: ClientIdentity): Dispatcher
  /** Closes every connection at once; later requests fail. */
  close(): Promise<void>
}

/** Keeps at most `originsMax` pools. The least recently used is closed first, after its requests have ended. */
export function createPools(options: PoolOptions): Pools {
  const pools = new Map<string, Pool>()
  const closing = new Set<Promise<void>>()
  let ended = false

  const retire = (pool: Pool): void => {
    const closed = pool.close().finally(() => closing.delete(closed))
    closing.add(closed)
  }
  const create = (url: URL, client: ClientIdentity | undefined): Pool => {
    // A socket does not call its lookup for a literal address, so it is checked here.
    const denied = deniedHost(options.policy, url.hostname)
    if (denied !== undefined) throw denied
    const { Pool: OpenPool } = loadUndici()
    return new OpenPool(url.origin, {
      connections: options.connectionsPerOrigin,
      pipelining: 1,
      // The caller bounds the time of the whole request.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: {
        lookup: options.lookup,
        timeout: options.connectTimeoutMs,
        autoSelectFamily: true,
        ...tlsOf(options.ca, client),
      },
    })
  }
  return {
    for: (url, client) => {
      if (ended) throw new NetError('reset', 'the connections of this process have been closed')
      const name = client === undefined ? url.origin : `${url.origin} ${digestOf(client)}`
      const present = pools.get(name)
      const pool = present ?? create(url, client)
      // Moved to the end, so that the first key is always the least recently used.
      if (present !== undefined) pools.delete(name)
      pools.set(name, pool)
      if (pools.size > options.originsMax) {
        const [oldest] = pools
        if (oldest !== undefined) {
          pools.delete(oldest[0])
          retire(oldest[1])
        }
      }
      return pool
    },
    close: async () => {
      ended = true
      const open = [...pools.values()]
      pools.clear()
      await Promise.all([...open.map((pool) => pool.destroy()), ...closing])
    },
  }
}

function tlsOf(trusted: readonly string[] | undefined, client: ClientIdentity | undefined) {
  const ca = [...(trusted ?? (client?.ca === undefined ? [] : rootCertificates)), ...(client?.ca === undefined ? [] : [client.ca])]
  return { ...(ca.length === 0 ? {} : { ca }), ...(client === undefined ? {} : { cert: client.cert, key: client.key }) }
}

function digestOf({ cert, key, ca = '' }: ClientIdentity): string {
  return createHash('sha256')
    .update(JSON.stringify([cert, key, ca]))
    .digest('base64url')
}
