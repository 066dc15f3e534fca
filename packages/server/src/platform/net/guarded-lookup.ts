import { lookup as systemLookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import type { AddressPolicy } from './address-policy.ts'
import { NetError, netError } from './net-error.ts'

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

/**
 * Makes the lookup of a socket, which gives it the allowed addresses and no others.
 *
 * The socket connects to what this returns and resolves nothing again, so a name that answers differently a moment later (DNS
 * rebinding) gains nothing.
 */
export function createGuardedLookup(policy: AddressPolicy, resolver: Resolver): LookupFunction {
  const resolve = async (hostname: string): Promise<readonly [ResolvedAddress, ...ResolvedAddress[]]> => {
    const [first, ...others] = (await resolver(hostname)).filter(({ address }) => policy.allows(address))
    if (first === undefined) throw deniedHost(hostname)
    return [first, ...others]
  }
  const resolveThen = callbackify(resolve)
  return (hostname, options, callback) =>
    resolveThen(hostname, (error, addresses) => {
      if (error !== null) callback(netError(error), '')
      else if (options.all === true) callback(null, [...addresses])
      else callback(null, addresses[0].address, addresses[0].family)
    })
}

export function deniedHost(hostname: string): NetError {
  return new NetError('denied', `${hostname} is not at an address that workflows may reach; the operator can allow its network`)
}
