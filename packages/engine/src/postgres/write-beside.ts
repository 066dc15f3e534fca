import type { PoolClient } from 'pg'
import type { Write } from '#durable/ports.ts'
import { insertEvents, type InsertEventsDeps } from './events/insert-events.ts'
import { type WaitsDeps, writeWaits } from './events/write-waits.ts'

type Client = Pick<PoolClient, 'query'>

export type BesideDeps = WaitsDeps & InsertEventsDeps

/**
 * Ends waits. What was sent to them and is in the journal now is done with; events among the rest have not been consumed and are given to
 * whoever waits for them next.
 */
export async function writeEndsOfWaits(client: Client, writes: readonly Write[]): Promise<void> {
  const taken = writes.flatMap(({ waits }) => waits?.taken ?? [])
  if (taken.length > 0)
    await client.query({ name: 'messages-taken', text: `delete from messages where id = any($1::bigint[])`, values: [taken] })
  const closed = writes.flatMap(({ executionId, waits }) => (waits?.closed ?? []).map((position) => ({ executionId, position })))
  if (closed.length === 0) return
  await client.query({
    name: 'waits-closed',
    text: `with closed as (select * from unnest($1::uuid[], $2::text[]) as c(execution_id, position)),
      silent as (delete from listeners l using closed c where l.execution_id = c.execution_id and l.position = c.position),
      gone as (delete from waits w using closed c where w.execution_id = c.execution_id and w.position = c.position),
      untaken as (delete from messages m using closed c where m.execution_id = c.execution_id and m.position = c.position returning m.event_id)
      update events set taken = false, matched_at = null where id in (select event_id from untaken)`,
    values: [closed.map(({ executionId }) => executionId), closed.map(({ position }) => position)],
  })
}

/** What goes into other tables with a write: waits that were opened, events, answers. */
export async function writeBeside(client: Client, writes: readonly Write[], deps: BesideDeps): Promise<void> {
  await writeWaits(client, writes, deps)
  const events = writes.flatMap(({ accountId, events: all }) => all.map((event) => ({ accountId, event })))
  if (events.length > 0) await insertEvents(client, events, deps)
  const answers = writes.flatMap(({ executionId, answer }) =>
    answer === undefined ? [] : { executionId, body: JSON.stringify(answer.body) },
  )
  if (answers.length === 0) return
  await client.query({
    name: 'answers',
    text: `update executions e set answer = coalesce(e.answer, a.body::json) from unnest($1::uuid[], $2::text[]) as a(id, body) where e.id = a.id`,
    values: [answers.map(({ executionId }) => executionId), answers.map(({ body }) => body)],
  })
}
