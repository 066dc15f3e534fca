import type { Pool, PoolClient } from 'pg'
import { withClient } from '#postgres/with-client.ts'

/** A process that stands still in its turn is cut off, so that another can match. */
const STALL_MS = 20_000

/**
 * Matches events in turn with all other processes: one at a time does it, so events go out in the order in which they came, and an event is taken once without anybody
 * having to wait for somebody else's row. The turn belongs to the connection and not to a transaction, so that nothing is locked while filters are asked; who loses the
 * connection loses the turn, and cannot write any more what it has worked out.
 */
export function inTurn<T>(pool: Pool, act: (client: PoolClient) => Promise<T>): Promise<T> {
  return withClient(pool, async (client, discard) => {
    const before = await begin(client)
    try {
      return await act(client)
    } finally {
      // A turn that cannot be ended ends with its connection.
      await end(client, before).catch((error: unknown) => discard(error instanceof Error ? error : new Error(String(error))))
    }
  })
}

/** Waits for the turn. @returns how long the session may be idle otherwise. */
async function begin(client: PoolClient): Promise<string> {
  const { rows } = await client.query<{ before: string }>({
    name: 'matcher-turn',
    text: `with session as materialized (select current_setting('idle_session_timeout') as before),
        turn as materialized (select set_config('idle_session_timeout', $1, false), pg_advisory_lock(hashtext('millrace.matcher')) from session)
      select before from session, turn`,
    values: [String(STALL_MS)],
  })
  return rows[0]?.before ?? '0'
}

async function end(client: PoolClient, before: string): Promise<void> {
  await client.query({
    name: 'matcher-turn-over',
    text: `select pg_advisory_unlock(hashtext('millrace.matcher')), set_config('idle_session_timeout', $1, false)`,
    values: [before],
  })
}
