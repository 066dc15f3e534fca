import { isIP, type LookupFunction } from 'node:net'
import type { Dispatcher, Pool } from 'undici'
import type { AddressPolicy } from './address-policy.ts'
import { deniedAddress } from './guarded-lookup.ts'
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

export interface Pools {
  /** The connection pool of the origin of a URL; throws when its host is a literal address that is not allowed. */
  for(url: URL): Dispatcher
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
  const create = (url: URL): Pool => {
    const literal = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
    // A socket does not call its lookup for a literal address, so it is checked here.
    if (isIP(literal) !== 0 && !options.policy.allows(literal)) throw deniedAddress(url.hostname)
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
        ...(options.ca === undefined ? {} : { ca: [...options.ca] }),
      },
    })
  }
  return {
    for: (url) => {
      if (ended) throw new NetError('reset', 'the connections of this process have been closed')
      const present = pools.get(url.origin)
      const pool = present ?? create(url)
      // Moved to the end, so that the first key is always the least recently used.
      if (present !== undefined) pools.delete(url.origin)
      pools.set(url.origin, pool)
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
