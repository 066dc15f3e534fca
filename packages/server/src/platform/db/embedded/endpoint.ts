import { createServer } from 'node:net'
import type { PostmasterFile } from './postmaster-file.ts'

/** Where PostgreSQL listens. */
export type Endpoint = { readonly kind: 'socket'; readonly directory: string } | { readonly kind: 'tcp'; readonly port: number }

// 107 bytes is what Linux allows for the path of a socket; `/.s.PGSQL.5432` stands at its end.
const socketDirectoryBytesMax = 107 - '/.s.PGSQL.5432'.length

/** A unix socket, which is faster and which only its directory's owner can reach; a free port of this machine where that cannot be. */
export async function chooseEndpoint(directory: string): Promise<Endpoint> {
  // A comma separates directories in PostgreSQL's setting, and the double quotes around one that has it would end at a double quote.
  const usable = process.platform !== 'win32' && Buffer.byteLength(directory) <= socketDirectoryBytesMax && !/[",]/.test(directory)
  return usable ? { kind: 'socket', directory } : { kind: 'tcp', port: await freePort() }
}

/** Where a PostgreSQL that already runs listens. */
export function endpointOf(file: PostmasterFile): Endpoint {
  return file.socketDirectory === '' ? { kind: 'tcp', port: file.port } : { kind: 'socket', directory: file.socketDirectory }
}

export function endpointSettings(endpoint: Endpoint): Readonly<Record<string, string>> {
  return endpoint.kind === 'socket'
    ? { listen_addresses: '', unix_socket_directories: endpoint.directory, port: '5432' }
    : { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(endpoint.port) }
}

/** A connection string that pg, libpq and everything built on them understand. */
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
  if (address === null || typeof address === 'string') throw new Error('the system gave no port')
  return address.port
}
