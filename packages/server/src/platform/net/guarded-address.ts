import { isIP } from 'node:net'
import { promisify } from 'node:util'
import { createAddressPolicy } from './address-policy.ts'
import { deniedHost } from './denied-host.ts'
import { createGuardedLookup, type Resolver, systemResolver, type UnreachableName } from './guarded-lookup.ts'

export interface GuardedAddressOptions {
  /** CIDR ranges and addresses that are reachable though they are not public. */
  readonly allow: readonly string[]
  readonly resolver?: Resolver
  readonly onUnreachable?: (name: UnreachableName) => void
}

/**
 * Resolves a host name to an address that workflows may reach, for protocols other than HTTP. Throws NetError. Connect to the address and not to the
 * name, which could lead elsewhere a moment later.
 */
export type GuardedAddress = (hostname: string) => Promise<string>

export function createGuardedAddress({
  allow,
  resolver = systemResolver,
  onUnreachable = () => {},
}: GuardedAddressOptions): GuardedAddress {
  const policy = createAddressPolicy(allow)
  const lookup = createGuardedLookup(policy, resolver, onUnreachable)
  const resolve = promisify((hostname: string, done: (error: Error | null, address: string) => void) =>
    lookup(hostname, { all: false }, (error, address) => done(error, typeof address === 'string' ? address : '')),
  )
  return async (hostname) => {
    if (isIP(hostname) === 0) return resolve(hostname)
    const denied = deniedHost(policy, hostname)
    if (denied !== undefined) throw denied
    return hostname
  }
}
