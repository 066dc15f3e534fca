import type { PoolClient } from 'pg'

type Client = Pick<PoolClient, 'query'>

/** Names a wait: its execution and its position there. */
export interface WaitAddress {
  readonly executionId: string
  readonly position: string
}

/**
 * Ends waits. An event that they received and did not consume is released: another listener can receive it, unless another execution still has it.
 *
 * Two statements: the first waits for the locks of transactions that deliver to these waits at the moment. Only a statement that starts after
 * it sees the messages that they delivered.
 */
export async function endWaits(client: Client, places: readonly WaitAddress[]): Promise<void> {
  if (places.length === 0) return
  const values = [places.map(({ executionId }) => executionId), places.map(({ position }) => position)]
  const ended = `ended as (select distinct * from unnest($1::uuid[], $2::text[]) as e(execution_id, position))`
  await client.query({
    name: 'waits-ended',
    text: `with ${ended}, ended_listeners as (
        select l.id from listeners l where exists (select from ended e where e.execution_id = l.execution_id and e.position = l.position) order by l.id for update
      ), ended_waits as (delete from waits w using ended e where w.execution_id = e.execution_id and w.position = e.position)
      delete from listeners where id in (select id from ended_listeners)`,
    values,
  })
  await client.query({
    name: 'messages-unconsumed',
    text: `with ${ended}, unconsumed as (
        delete from messages m using ended e where m.execution_id = e.execution_id and m.position = e.position returning m.event_id
      ), released as (
        select event_id, count(*) as times from unconsumed where event_id is not null group by event_id
      ), locked as (
        select e.id from events e where e.id in (select event_id from released) order by e.id for update
      )
      update events e set takers = e.takers - g.times, taken = e.takers > g.times,
        matched_at = case when e.takers > g.times then e.matched_at end
      from released g where e.id = g.event_id and e.id in (select id from locked)`,
    values,
  })
}

/** All waits of an execution. */
export async function waitsOf(client: Client, executionId: string): Promise<readonly WaitAddress[]> {
  const { rows } = await client.query<{ position: string }>(
    `select position from listeners where execution_id = $1 union select position from waits where execution_id = $1
     union select position from messages where execution_id = $1`,
    [executionId],
  )
  return rows.map(({ position }) => ({ executionId, position }))
}
