import type { PoolClient } from 'pg'
import { groupOf, messageOf } from '#events/board.ts'
import type { Plan } from './plan.ts'
import { deleteKept, insertKept } from './write-kept.ts'
import type { StoredListener } from '#events/stored.ts'

type Client = Pick<PoolClient, 'query'>

/**
 * Locks everything that waits with the listeners of a plan. Listeners are locked before events, events before executions, each in the order of their ids: so do those
 * who end waits.
 * @returns listeners of the plan that are not there any more.
 */
export async function lockListeners(client: Client, { board, fresh }: Plan): Promise<readonly string[]> {
  const planned = [...new Map([...board.handed.map(({ listener }) => listener), ...fresh].map((one) => [one.id, one])).values()]
  if (planned.length === 0) return []
  const groups = [...new Map(planned.map((one) => [groupOf(one), one])).values()]
  const { rows } = await client.query<{ id: string }>({
    name: 'listeners-locked',
    text: `select id from listeners where id in (
        select l.id from unnest($1::uuid[], $2::text[]) as g(execution_id, position)
        join listeners l on l.execution_id = g.execution_id and l.position = g.position)
      order by id for update`,
    values: [groups.map(({ executionId }) => executionId), groups.map(({ position }) => position)],
  })
  const there = new Set(rows.map(({ id }) => id))
  return planned.filter(({ id }) => !there.has(id)).map(({ id }) => id)
}

/** Writes down what a plan comes to. @returns the executions that have got something. */
export async function applyPlan(client: Client, plan: Plan): Promise<readonly string[]> {
  const { board, fresh } = plan
  const given = board.handed.toSorted((one, other) => (one.event.id < other.event.id ? -1 : one.event.id > other.event.id ? 1 : 0))
  await writeListeners(client, plan)
  if (given.length > 0) {
    await client.query({
      name: 'messages-of-events',
      text: `insert into messages (account_id, execution_id, position, value, event_id)
        select m.account_id, m.execution_id, m.position, m.value::json, m.event_id
        from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[]) with ordinality
          as m(account_id, execution_id, position, value, event_id, place) order by m.place`,
      values: [
        given.map(({ listener }) => listener.accountId),
        given.map(({ listener }) => listener.executionId),
        given.map(({ listener }) => listener.position),
        given.map((handed) => JSON.stringify(messageOf(handed))),
        given.map(({ event }) => event.id),
      ],
    })
  }
  await writeEvents(client, plan)
  await deleteKept(client, [...new Set(given.map(({ event }) => event.id))])
  await insertKept(client, plan.kept)
  const changed = fresh.length + plan.events.length + given.length > 0
  return changed ? [...new Set(given.map(({ listener }) => listener.executionId))] : []
}

/** Listeners that got their event go, with all that waited beside them where one event ends the wait; the others have been looked at. */
async function writeListeners(client: Client, { board, fresh }: Plan): Promise<void> {
  const ending = new Map<string, StoredListener>()
  for (const { listener } of board.handed) if (listener.takes === 'one') ending.set(groupOf(listener), listener)
  const each = board.handed.filter(({ listener }) => listener.takes === 'each').map(({ listener }) => listener.id)
  if (ending.size + each.length > 0) {
    await client.query({
      name: 'listeners-taken',
      text: `with whole as (
          delete from listeners l using unnest($2::uuid[], $3::text[]) as g(execution_id, position)
          where l.execution_id = g.execution_id and l.position = g.position)
        delete from listeners where id = any($1::uuid[])`,
      values: [each, [...ending.values()].map(({ executionId }) => executionId), [...ending.values()].map(({ position }) => position)],
    })
  }
  const looked = fresh.filter(({ id }) => !board.ended.has(id) && !board.settled.has(id)).map(({ id }) => id)
  if (looked.length + board.settled.size === 0) return
  await client.query({
    name: 'listeners-looked',
    text: `with decided as (
        update listeners l set expected = s.expected::json, key = s.key,
          open_names = array(select json_array_elements_text(s.open_names::json)),
          matched_at = case when s.fresh then now() else l.matched_at end
        from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::bool[]) as s(id, expected, open_names, key, fresh) where l.id = s.id)
      update listeners set matched_at = now() where id = any($1::uuid[])`,
    values: [looked, ...settledColumns(board.settled, new Set(fresh.map(({ id }) => id)))],
  })
}

function settledColumns(settled: Plan['board']['settled'], fresh: ReadonlySet<string>): readonly unknown[][] {
  const all = [...settled]
  return [
    all.map(([id]) => id),
    all.map(([, { expected }]) => JSON.stringify(expected)),
    all.map(([, { openNames }]) => JSON.stringify(openNames)),
    all.map(([, { key }]) => key ?? null),
    all.map(([id]) => fresh.has(id)),
  ]
}

async function writeEvents(client: Client, { board, events }: Plan): Promise<void> {
  // An execution that got an event by several of its filters gives it back once for each.
  const takers = new Map<string, number>(events.map(({ id }) => [id, 0]))
  for (const { event } of board.handed) takers.set(event.id, (takers.get(event.id) ?? 0) + 1)
  if (takers.size === 0) return
  await client.query({
    name: 'events-matched',
    text: `with locked as (select id from events where id = any($1::uuid[]) order by id for update)
      update events e set matched_at = now(), takers = e.takers + t.takers, taken = e.takers + t.takers > 0
      from unnest($1::uuid[], $2::int4[]) as t(id, takers) where e.id = t.id and e.id in (select id from locked)`,
    values: [[...takers.keys()], [...takers.values()]],
  })
}
