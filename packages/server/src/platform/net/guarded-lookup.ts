import { lookup as systemLookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import type { AddressPolicy } from './address-policy.ts'
import { NetError } from './net-error.ts'

export interface ResolvedAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** Returns all addresses of a host name. */
export type Resolver = (hostname: string) => Promise<readonly ResolvedAddress[]>

/** Resolves like the operating system, including its hosts file. */
export const systemResolver: Resolver = async (hostname) => {
  const found = await systemLookup(hostname, { all: true })
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

/** A host name without a usable address, with the reason, for the operator only. */
export interface UnreachableName {
  readonly hostname: string
  /** Its addresses, which workflows may not reach; empty when it has none. */
  readonly addresses: readonly string[]
  /** The error of the resolver. */
  readonly error?: Error
}

/**
 * Makes the lookup function of a socket, which returns only allowed addresses.
 *
 * The socket connects to these addresses and does not resolve the name again, so a name that changes its address a moment later (DNS rebinding)
 * gains nothing. A refused name and one that does not exist fail alike; otherwise workflows could discover the names of the operator's network.
 * `onUnreachable` gets the actual reason.
 */
export function createGuardedLookup(
  policy: AddressPolicy,
  resolver: Resolver,
  onUnreachable: (name: UnreachableName) => void,
): LookupFunction {
  const resolve = async (hostname: string): Promise<readonly [ResolvedAddress, ...ResolvedAddress[]]> => {
    const found = await resolver(hostname).catch((cause: unknown) => {
      const error = cause instanceof Error ? cause : new Error(String(cause))
      onUnreachable({ hostname, addresses: [], error })
      throw unreachableName(hostname)
    })
    const [first, ...others] = found.filter(({ address }) => policy.allows(address))
    if (first === undefined) {
      onUnreachable({ hostname, addresses: found.map(({ address }) => address) })
      throw unreachableName(hostname)
    }
    return [first, ...others]
  }
  const resolveThen = callbackify(resolve)
  return (hostname, options, callback) =>
    resolveThen(hostname, (error, addresses) => {
      if (error !== null) callback(error, '')
      else if (options.all === true) callback(null, [...addresses])
      else callback(null, addresses[0].address, addresses[0].family)
    })
}

function unreachableName(hostname: string): NetError {
  return new NetError('dns', `${hostname} cannot be resolved to an address that workflows may reach; the log of the operator says why`)
}
