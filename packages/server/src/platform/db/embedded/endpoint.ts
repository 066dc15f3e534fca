import { createServer } from 'node:net'

/** Where PostgreSQL listens. */
export type Endpoint = { readonly kind: 'socket'; readonly directory: string } | { readonly kind: 'tcp'; readonly port: number }

// Linux allows 107 bytes for the path of a socket, which ends in `/.s.PGSQL.5432`.
const socketDirectoryBytesMax = 107 - '/.s.PGSQL.5432'.length

/** Prefers a unix socket, which is faster and which only the owner of its directory can reach; otherwise chooses a free local port. */
export async function chooseEndpoint(directory: string): Promise<Endpoint> {
  // PostgreSQL's setting separates directories by commas, and a quoted directory ends at a double quote.
  const isUsable = process.platform !== 'win32' && Buffer.byteLength(directory) <= socketDirectoryBytesMax && !/[",]/.test(directory)
  return isUsable ? { kind: 'socket', directory } : { kind: 'tcp', port: await freePort() }
}

export function endpointSettings(endpoint: Endpoint): Readonly<Record<string, string>> {
  return endpoint.kind === 'socket'
    ? { listen_addresses: '', unix_socket_directories: endpoint.directory, port: '5432' }
    : { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(endpoint.port) }
}

/** A connection string in the form that pg and libpq accept. */
export function urlOf(endpoint: Endpoint, user: string, password: string, database: string): string {
  const login = `${user}:${encodeURIComponent(password)}`
  return endpoint.kind === 'socket'
    ? `postgresql://${login}@localhost:5432/${database}?host=${encodeURIComponent(endpoint.directory)}`
    : `postgresql://${login}@127.0.0.1:${endpoint.port}/${database}`
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('the operating system assigned no port')
  return address.port
}
