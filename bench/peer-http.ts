import { load } from './load.ts'
import type { Peer } from './peer.ts'

/** A running installation of n8n or Node-RED: a webhook with five steps that set fields. */
export function peerByHttp(address: string): Peer {
  const { hostname, port, pathname, search } = new URL(address)
  const headers = { 'content-type': 'application/json' }
  const target = { host: hostname, port: Number(port === '' ? 80 : port), path: `${pathname}${search}`, headers, body: '{"n":1}' }
  return {
    name: address,
    measure: (connections, durationMs) => load({ ...target, connections, durationMs }),
    close: async () => undefined,
  }
}
