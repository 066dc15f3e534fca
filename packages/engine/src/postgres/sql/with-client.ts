import type { Pool, PoolClient } from 'pg'

/**
 * Runs `act` on a connection of the pool. A broken connection is closed instead of being returned to the pool.
 * @param act may call `discard` to have the connection closed.
 */
export async function withClient<T>(pool: Pool, act: (client: PoolClient, discard: (error: Error) => void) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  // A connection that breaks between two statements emits an error event, which would end the process without a listener.
  const discard = (error: Error) => {
    broken = error
  }
  client.on('error', discard)
  try {
    return await act(client, discard)
  } finally {
    client.off('error', discard)
    client.release(broken)
  }
}

/** Runs `act` in a transaction: all of it is committed, or nothing. */
export function inTransaction<T>(pool: Pool, act: (client: PoolClient) => Promise<T>): Promise<T> {
  return withClient(pool, (client) => transact(client, () => act(client)))
}

export async function transact<T>(client: PoolClient, act: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    const result = await act()
    await client.query('commit')
    return result
  } catch (error) {
    // If the connection is lost, the server has rolled the transaction back already.
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}
