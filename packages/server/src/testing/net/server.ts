import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTcpServer, type Server as TcpServer, type Socket } from 'node:net'

export interface TestServer {
  readonly port: number
  readonly origin: string
  /** TCP connections accepted so far. */
  readonly connections: () => number
  close(): Promise<void>
}

/** Starts a real HTTP server on a free port of 127.0.0.1. */
export async function startServer(listener: RequestListener): Promise<TestServer> {
  const server: Server = createServer(listener)
  const started = await listen(server)
  return { ...started, close: () => closed(server, () => server.closeAllConnections()) }
}

/** Starts a server that speaks in raw bytes, for replies that no HTTP server would send. */
export async function startTcpServer(listener: (socket: Socket) => void): Promise<TestServer> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    listener(socket)
  })
  const started = await listen(server)
  return {
    ...started,
    close: () =>
      closed(server, () => {
        for (const socket of sockets) socket.destroy()
      }),
  }
}

export async function listen(server: TcpServer, host = '127.0.0.1'): Promise<Omit<TestServer, 'close'>> {
  let accepted = 0
  server.on('connection', () => accepted++)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return { port: address.port, origin: `http://127.0.0.1:${address.port}`, connections: () => accepted }
}

export function closed(server: TcpServer, drop: () => void): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    drop()
  })
}
