/** Hosts of the computer of the user, to which programs let users return (RFC 8252). */
const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether users may return to an address: over https, or on their own computer. */
export function isRedirectUri(text: string): boolean {
  const url = text.length > 2000 ? null : URL.parse(text)
  if (url === null || url.hash !== '' || text.includes('#') || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopback.has(url.hostname))
}

/** Whether an address is the registered one. The port of an address of the own computer may differ, since programs choose a free one. */
export function matchesRedirect(registered: string, given: string): boolean {
  if (registered === given) return true
  const [known, wanted] = [URL.parse(registered), URL.parse(given)]
  if (known === null || wanted === null || !isRedirectUri(given)) return false
  if (known.protocol !== 'http:' || !loopback.has(known.hostname)) return false
  wanted.port = known.port
  return known.href === wanted.href
}
