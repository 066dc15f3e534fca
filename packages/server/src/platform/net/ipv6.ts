import { isIPv6 } from 'node:net'

/** The eight 16-bit groups of an IPv6 address; undefined for anything else, a zone index included. */
export function ipv6Groups(address: string): readonly number[] | undefined {
  if (!isIPv6(address) || address.includes('%')) return undefined
  // The URL parser writes every notation, an embedded dotted IPv4 too, as compressed hexadecimal groups.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const before = groupsOf(head)
  if (tail === undefined) return before
  const after = groupsOf(tail)
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0)
  return [...before, ...zeros, ...after]
}

/** The IPv4 address in the last 32 bits. */
export function lastIpv4(groups: readonly number[]): string {
  const [high = 0, low = 0] = groups.slice(6)
  return `${high >> 8}.${high & 0xff}.${low >> 8}.${low & 0xff}`
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
}
