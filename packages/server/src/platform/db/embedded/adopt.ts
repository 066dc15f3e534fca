import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseClient } from '#platform/db/database-client.ts'
import { type Endpoint, endpointOf, urlOf } from './endpoint.ts'
import type { Home } from './home.ts'
import { waitForEnd } from './postmaster.ts'
import { isAlive, readPostmasterFile, standsIn } from './postmaster-file.ts'

/** A PostgreSQL that takes connections. */
export interface Running {
  readonly pid: number
  readonly endpoint: Endpoint
}

/** Finds a PostgreSQL that still runs on the directory, and waits until it takes connections or has ended. */
export async function adopt(home: Home, password: string, timeoutMs: number): Promise<Running | undefined> {
  const deadline = performance.now() + timeoutMs
  while (performance.now() < deadline) {
    const file = await readPostmasterFile(home.dataDirectory)
    if (file === undefined || !isAlive(file.pid)) return undefined
    // After a crash the number may have been given to another process.
    if ((await standsIn(file.pid, home.dataDirectory)) === false) return undefined
    const endpoint = endpointOf(file)
    if (file.status === 'ready' && (await accepts(endpoint, password))) return { pid: file.pid, endpoint }
    if (file.status === 'stopping') await waitForEnd(file.pid, timeoutMs)
    else await delay(20)
  }
  throw new Error(
    `A PostgreSQL runs on ${home.dataDirectory} but takes no connections. Stop it ("kill -INT $(head -1 ${home.dataDirectory}/postmaster.pid)") and start again.`,
  )
}

async function accepts(endpoint: Endpoint, password: string): Promise<boolean> {
  const client = new DatabaseClient({ connectionString: urlOf(endpoint, 'postgres', password, 'postgres'), connectionTimeoutMillis: 2_000 })
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
