import { isIP } from 'node:net'

/** Whether a host name or address stands for this machine by itself, without a look-up. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(?<address>.*)\]$/, '$<address>').toLowerCase()
  if (name === 'localhost' || name === '::1') return true
  const address = name.replace(/^::ffff:/, '')
  return isIP(address) === 4 && address.startsWith('127.')
}
