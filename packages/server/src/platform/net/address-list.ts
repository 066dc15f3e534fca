import { BlockList, isIP } from 'node:net'

/** Whether an address is in one of the given addresses and ranges, such as `192.0.2.1` and `192.0.2.0/24`. */
export function addressList(entries: readonly string[]): (ip: string) => boolean {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const family = familyOf(address)
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  // An IPv4 caller of a socket for both families has a mapped address, which BlockList matches with IPv4 rules.
  return (ip) => list.check(ip, familyOf(ip))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
