const HOST_MAX = 253
const LOCAL_MAX = 64

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
const octet = /^(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/
const group = /^[0-9a-f]{1,4}$/i
const quotedLocal = /^"(?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/
const atom = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+$/i

export function isHostname(text: string): boolean {
  return text.length <= HOST_MAX && text.split('.').every((part) => label.test(part))
}

export function isIpv4(text: string): boolean {
  if (text.length > 15) return false
  const octets = text.split('.')
  return octets.length === 4 && octets.every((part) => octet.test(part))
}

export function isIpv6(text: string): boolean {
  if (text.length > 45) return false
  const halves = text.split('::')
  if (halves.length > 2) return false
  const [left = 0, right = 0] = halves.map((half, index) => groupsIn(half, index === halves.length - 1))
  return halves.length === 2 ? left + right <= 7 : left === 8
}

/** How many groups of 16 bits a part of an address has; an IPv4 address at the end counts as two. Infinity for an invalid part. */
function groupsIn(half: string, isLast: boolean): number {
  if (half === '') return 0
  const parts = half.split(':')
  return parts.reduce((count, part, index) => {
    if (group.test(part)) return count + 1
    return isLast && index === parts.length - 1 && isIpv4(part) ? count + 2 : Number.POSITIVE_INFINITY
  }, 0)
}

export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  if (at < 1 || at > LOCAL_MAX || text.length - at - 1 > HOST_MAX + 2) return false
  const local = text.slice(0, at)
  if (!quotedLocal.test(local) && !local.split('.').every((part) => atom.test(part))) return false
  return isMailHost(text.slice(at + 1))
}

function isMailHost(host: string): boolean {
  if (!host.startsWith('[') || !host.endsWith(']')) return isHostname(host)
  const address = host.slice(1, -1)
  return /^ipv6:/i.test(address) ? isIpv6(address.slice(5)) : isIpv4(address)
}
