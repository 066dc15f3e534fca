import { connect, createServer } from 'node:net'

/** A PostgreSQL of the tests as a connection names it. */
export interface DatabaseGateway extends AsyncDisposable {
  readonly settings: {
    readonly kind: 'database'
    readonly engine: 'postgresql'
    readonly host: string
    readonly port: number
    readonly database: string
    readonly username: string
    readonly tls: 'none'
  }
  readonly secrets: { readonly password: string }
}

/** Opens a port of this machine that leads to the database of a URL, which may be at a socket in the file system. */
export async function openDatabaseGateway(databaseUrl: string): Promise<DatabaseGateway> {
  const url = new URL(databaseUrl)
  const directory = url.searchParams.get('host')
  const target = directory === null ? { host: url.hostname, port: Number(url.port) } : { path: `${directory}/.s.PGSQL.5432` }
  const server = createServer((incoming) => {
    const outgoing = connect(target)
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const)
      socket.on('error', () => other.destroy()).on('close', () => other.destroy())
    incoming.pipe(outgoing).pipe(incoming)
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it does not listen on a port')
  return {
    settings: {
      kind: 'database',
      engine: 'postgresql',
      host: '127.0.0.1',
      port: address.port,
      database: url.pathname.slice(1),
      username: decodeURIComponent(url.username),
      tls: 'none',
    },
    secrets: { password: decodeURIComponent(url.password) },
    async [Symbol.asyncDispose]() {
      // Its connections end with their clients.
      server.close()
    },
  }
}
