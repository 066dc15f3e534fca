import { isIP } from 'node:net'

/** The host of a server, or why a connector may not name it. */
export function hostOf(url: string): { readonly host?: string; readonly problem?: string } {
  if (!URL.canParse(url)) return { problem: 'Must be an absolute URL without variables, such as https://api.example.com.' }
  const { protocol, hostname, username, password, search, hash } = new URL(url)
  if (protocol !== 'https:') return { problem: 'Must be https: credentials are sent to this server.' }
  if (username !== '' || password !== '') return { problem: 'Must not contain a user name or password.' }
  if (search !== '' || hash !== '') return { problem: 'Must not contain a query or fragment.' }
  if (/[{}]|%7[bd]/i.test(url)) return { problem: 'Must not contain variables: an operator approves named hosts.' }
  const bare = hostname.replace(/^\[|\]$/g, '')
  if (isIP(bare) !== 0) return { problem: 'Must name a host, not an address.' }
  if (!hostname.includes('.') || /(?:^|\.)(?:localhost|local|internal|lan|home|corp|intranet|arpa|onion)$/i.test(hostname))
    return { problem: `${hostname} is not a public host.` }
  return { host: hostname }
}
