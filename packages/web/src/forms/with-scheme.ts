/** A host name with a dot, an address of IPv4 or `localhost`, before a port, a path or the end. */
const host = /^(?:localhost|[\w-]+(?:\.[\w-]+)+)(?=[:/?#]|$)/i
const ofThisNetwork = /^(?:localhost|(?:\d+\.){3}\d+)(?=[:/?#]|$)/i

/** An address that was typed without its scheme gets `https://`, or `http://` on this machine and for an address of IPv4. Other texts stay as they are. */
export function withScheme(text: string): string {
  const address = text.trim()
  if (!host.test(address)) return text
  const whole = `${ofThisNetwork.test(address) ? 'http' : 'https'}://${address}`
  return URL.canParse(whole) ? whole : text
}
