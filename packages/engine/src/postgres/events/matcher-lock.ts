import type { Pool, PoolClient } from 'pg'
import { withClient } from '#postgres/sql/with-client.ts'

/** The server closes the session of a process that holds the lock and is idle for this long, so that another process can match. */
const IDLE_SESSION_MS = 20_000

/**
 * Runs `act` while this process holds the matcher's lock. One process matches at a time, so events are matched in the order of their arrival, and no listener receives
 * an event that another process is about to assign. The lock belongs to the session and not to a transaction, so no rows are locked while filters are evaluated. A process
 * that loses the session loses the lock, and cannot write its matches any more.
 */
export function withMatcherLock<T>(pool: Pool, act: (client: PoolClient) => Promise<T>): Promise<T> {
  return withClient(pool, async (client, discard) => {
    const idleTimeout = await acquire(client)
    try {
      return await act(client)
    } finally {
      // Closing the connection releases a lock that cannot be released otherwise.
      await release(client, idleTimeout).catch((error: unknown) => discard(error instanceof Error ? error : new Error(String(error))))
    }
  })
}

/** Waits for the lock. @returns the idle timeout that the session had before. */
async function acquire(client: PoolClient): Promise<string> {
  const { rows } = await client.query<{ idle_timeout: string }>({
    name: 'matcher-lock',
    text: `with session as materialized (select current_setting('idle_session_timeout') as idle_timeout),
        lock as materialized (select set_config('idle_session_timeout', $1, false), pg_advisory_lock(hashtext('millrace.matcher')) from session)
      select idle_timeout from session, lock`,
    values: [String(IDLE_SESSION_MS)],
  })
  return rows[0]?.idle_timeout ?? '0'
}

async function release(client: PoolClient, idleTimeout: string): Promise<void> {
  await client.query({
    name: 'matcher-unlock',
    text: `select pg_advisory_unlock(hashtext('millrace.matcher')), set_config('idle_session_timeout', $1, false)`,
    values: [idleTimeout],
  })
}
