import { isIP } from 'node:net'
import type { AddressPolicy } from './address-policy.ts'
import { NetError } from './net-error.ts'

/**
 * Why a host that needs no resolver may not be reached: a literal address, in brackets or not, or a name of this machine (RFC 6761, section 6.3).
 * Undefined for other names, which are looked up for each request.
 */
export function deniedHost({ allows }: AddressPolicy, hostname: string): NetError | undefined {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  const literal = name.startsWith('[') ? name.slice(1, -1) : name
  const addresses = isIP(literal) !== 0 ? [literal] : name === 'localhost' || name.endsWith('.localhost') ? ['127.0.0.1', '::1'] : []
  return addresses.length === 0 || addresses.some(allows) ? undefined : deniedAddress(hostname)
}

function deniedAddress(hostname: string): NetError {
  return new NetError(
    'denied',
    `${hostname} is not at an address that workflows may reach; the operator can allow its network with MILLRACE_PRIVATE_NETWORK`,
  )
}
