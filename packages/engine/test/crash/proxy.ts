import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A faulty network between a process and PostgreSQL. */
export interface Proxy {
  readonly port: number
  /** Breaks every connection, and refuses new ones until it is opened again. */
  cut(): void
  /** Forwards no data, without an error, until it is opened again; the data sent meanwhile then arrives late. */
  silence(): void
  open(): void
  close(): Promise<void>
}

interface Pair {
  readonly client: Socket
  readonly upstream: Socket
}

/** Forwards a local port to the socket `target`. */
export async function openProxy(target: string): Promise<Proxy> {
  const pairs = new Set<Pair>()
  const waiting = new Set<Socket>()
  let state: 'open' | 'cut' | 'silent' = 'open'

  function join(client: Socket): void {
    const pair = { client, upstream: connect(target) }
    pairs.add(pair)
    forward(pair.client, pair.upstream)
    forward(pair.upstream, pair.client)
  }

  function forward(from: Socket, to: Socket): void {
    from.on('data', (chunk: Buffer) => {
      if (!to.write(chunk)) from.pause()
    })
    to.on('drain', () => {
      if (state === 'open') from.resume()
    })
    from.on('error', () => to.destroy())
    from.on('close', () => to.destroy())
    if (state === 'silent') from.pause()
  }

  const server = createServer({ pauseOnConnect: true }, (client) => {
    client.on('error', () => client.destroy())
    client.on('close', () => {
      waiting.delete(client)
      for (const pair of pairs) if (pair.client === client) pairs.delete(pair)
    })
    if (state === 'cut') client.destroy()
    else if (state === 'silent') waiting.add(client)
    else {
      join(client)
      client.resume()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  function breakAll(): void {
    for (const { client, upstream } of pairs) {
      client.destroy()
      upstream.destroy()
    }
    for (const client of waiting) client.destroy()
  }

  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A server that listens on TCP has such an address.
    port: (server.address() as AddressInfo).port,
    cut() {
      state = 'cut'
      breakAll()
    },
    silence() {
      state = 'silent'
      for (const { client, upstream } of pairs) {
        client.pause()
        upstream.pause()
      }
    },
    open() {
      state = 'open'
      for (const client of waiting) join(client)
      waiting.clear()
      for (const { client, upstream } of pairs) {
        client.resume()
        upstream.resume()
      }
    },
    async close() {
      breakAll()
      server.close()
      await once(server, 'close')
    },
  }
}
