import { BlockList, isIP } from 'node:net'
import { ipv6Groups, lastIpv4 } from './ipv6.ts'

export interface AddressPolicy {
  /** Whether workflows may connect to this IP address; false for a text that is not an IP address. */
  readonly allows: (address: string) => boolean
}

/**
 * Decides which addresses workflows may reach: public ones, and those in the operator's list.
 *
 * `allow` contains CIDR ranges or single addresses; any other entry throws. The metadata services of cloud providers return the credentials of the
 * machine, so a range does not allow them: only an entry for the exact address does.
 * Sources: the IANA special-purpose registries for IPv4 and IPv6, RFC 6890.
 */
export function createAddressPolicy(allow: readonly string[]): AddressPolicy {
  const entries = allow.map(parseCidr)
  const allowed = new BlockList()
  for (const { address, prefix, family } of entries) allowed.addSubnet(address, prefix, family)
  const exact = new BlockList()
  for (const { address, prefix, family } of entries) if (prefix === (family === 'ipv4' ? 32 : 128)) exact.addAddress(address, family)

  const allowsIpv4 = (address: string): boolean => {
    if (metadata.check(address, 'ipv4')) return exact.check(address, 'ipv4')
    return allowed.check(address, 'ipv4') || isPublicIpv4(address)
  }
  const allowsIpv6 = (address: string): boolean => {
    const groups = ipv6Groups(address)
    if (groups === undefined) return false
    // ::ffff:0:0/96 reaches the IPv4 network, so such an address is judged as its IPv4 address.
    if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) return allowsIpv4(lastIpv4(groups))
    if (metadata.check(address, 'ipv6')) return exact.check(address, 'ipv6')
    return allowed.check(address, 'ipv6') || isPublicIpv6(address, groups)
  }
  return {
    allows: (address) => {
      const family = isIP(address)
      if (family === 0) return false
      return family === 4 ? allowsIpv4(address) : allowsIpv6(address)
    },
  }
}

interface Cidr {
  readonly address: string
  readonly prefix: number
  readonly family: 'ipv4' | 'ipv6'
}

function parseCidr(text: string): Cidr {
  const [address = '', length, ...rest] = text.trim().split('/')
  const version = isIP(address)
  const bits = version === 4 ? 32 : 128
  const prefix = length === undefined ? bits : Number(length)
  const valid =
    version !== 0 && !address.includes('%') && rest.length === 0 && (length === undefined || /^\d{1,3}$/.test(length)) && prefix <= bits
  if (!valid) throw new Error(`${JSON.stringify(text)} is neither an IP address nor a CIDR range such as 10.0.0.0/8 or fd00::/8.`)
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' }
}

function isPublicIpv4(address: string): boolean {
  return !specialIpv4.check(address, 'ipv4')
}

function isPublicIpv6(address: string, groups: readonly number[]): boolean {
  // NAT64 reaches the IPv4 network through a gateway. The operator's ranges do not apply to it, since they describe the local network.
  if (nat64.check(address, 'ipv6')) return isPublicIpv4(lastIpv4(groups)) && !metadata.check(lastIpv4(groups), 'ipv4')
  return globalUnicast.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6')
}

function ranges(family: 'ipv4' | 'ipv6', cidrs: readonly string[]): BlockList {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const { address, prefix } = parseCidr(cidr)
    list.addSubnet(address, prefix, family)
  }
  return list
}

const specialIpv4 = ranges('ipv4', [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved and broadcast
])

/** All public addresses of IPv6; loopback, IPv4-compatible, unique local, link-local and multicast addresses are outside. */
const globalUnicast = ranges('ipv6', ['2000::/3'])

const specialIpv6 = ranges('ipv6', [
  '2001::/23', // protocol assignments, Teredo and ORCHID among them
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
])

const nat64 = ranges('ipv6', ['64:ff9b::/96'])

const metadata = new BlockList()
for (const address of [
  '169.254.169.254', // AWS, Google Cloud, Azure, DigitalOcean, Oracle and others
  '169.254.170.2', // AWS ECS
  '169.254.170.23', // AWS EKS
  '168.63.129.16', // Azure wire server, an otherwise public address
  '100.100.100.200', // Alibaba Cloud
  '192.0.0.192', // Oracle Cloud
]) {
  metadata.addAddress(address, 'ipv4')
}
for (const address of ['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254']) metadata.addAddress(address, 'ipv6')
