import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The network between a process and PostgreSQL, which can fail. */
export interface Proxy {
  readonly port: number
  /** Breaks every connection, and refuses new ones until it is opened again. */
  cut(): void
  /** Loses whatever is sent, without a word, until it is opened again; what was sent meanwhile arrives late. */
  silence(): void
  open(): void
  close(): Promise<void>
}

interface Pair {
  readonly near: Socket
  readonly far: Socket
}

/** A way to the socket `target` through a port of this machine. */
export async function openProxy(target: string): Promise<Proxy> {
  const pairs = new Set<Pair>()
  const held = new Set<Socket>()
  let state: 'open' | 'cut' | 'silent' = 'open'

  function join(near: Socket): void {
    const pair = { near, far: connect(target) }
    pairs.add(pair)
    forward(pair.near, pair.far)
    forward(pair.far, pair.near)
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

  const server = createServer({ pauseOnConnect: true }, (near) => {
    near.on('error', () => near.destroy())
    near.on('close', () => {
      held.delete(near)
      for (const pair of pairs) if (pair.near === near) pairs.delete(pair)
    })
    if (state === 'cut') near.destroy()
    else if (state === 'silent') held.add(near)
    else {
      join(near)
      near.resume()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  function breakAll(): void {
    for (const { near, far } of pairs) {
      near.destroy()
      far.destroy()
    }
    for (const near of held) near.destroy()
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
      for (const { near, far } of pairs) {
        near.pause()
        far.pause()
      }
    },
    open() {
      state = 'open'
      for (const near of held) join(near)
      held.clear()
      for (const { near, far } of pairs) {
        near.resume()
        far.resume()
      }
    },
    async close() {
      breakAll()
      server.close()
      await once(server, 'close')
    },
  }
}
