import { lookup as systemLookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import type { AddressPolicy } from './address-policy.ts'
import { NetError } from './net-error.ts'

export interface ResolvedAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** Gives all addresses of a host name. */
export type Resolver = (hostname: string) => Promise<readonly ResolvedAddress[]>

/** Resolves as the operating system does, its hosts file included. */
export const systemResolver: Resolver = async (hostname) => {
  const found = await systemLookup(hostname, { all: true })
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

/** A host name that gave nobody an address, and why: for the operator alone. */
export interface UnreachableName {
  readonly hostname: string
  /** Addresses that it has and that workflows may not reach; none where it has none at all. */
  readonly addresses: readonly string[]
  /** What the resolver threw. */
  readonly error?: Error
}

/**
 * Makes the lookup of a socket, which gives it the allowed addresses and no others.
 *
 * The socket connects to what this returns and resolves nothing again, so a name that answers differently a moment later (DNS
 * rebinding) gains nothing. A name that is refused and one that does not exist fail alike, or anybody could find out which names the network of
 * the operator has; `onUnreachable` is told which it was.
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

/** For an address that is written into the URL: whoever wrote it knows it. */
export function deniedAddress(hostname: string): NetError {
  return new NetError('denied', `${hostname} is not at an address that workflows may reach; the operator can allow its network`)
}
