import type { PoolClient } from 'pg'
import { failureOf, waitKeyOf, messageOf, type Binding } from '#events/match-state.ts'
import type { StoredListener } from '#events/stored.ts'
import type { AccountPlan } from './plan-account.ts'
import { deleteKept, insertKept, writeIndexing } from './write-kept.ts'

type Client = Pick<PoolClient, 'query'>

/**
 * Locks everything that waits with the listeners of some plans. Listeners are locked before events, events before executions, each in the order of their ids: so do those
 * who end waits.
 * @returns the plans of which all listeners are still there; the others have to be made anew.
 */
export async function lockListeners(client: Client, plans: readonly AccountPlan[]): Promise<readonly AccountPlan[]> {
  const planned = plans.map((plan) => ({ plan, listeners: listenersOf(plan) }))
  const groups = [...new Map(planned.flatMap(({ listeners }) => listeners.map((one) => [waitKeyOf(one), one] as const))).values()]
  if (groups.length === 0) return plans
  const { rows } = await client.query<{ id: string }>({
    name: 'listeners-locked',
    text: `select id from listeners where id in (
        select l.id from unnest($1::uuid[], $2::text[]) as g(execution_id, position)
        join listeners l on l.execution_id = g.execution_id and l.position = g.position)
      order by id for update`,
    values: [groups.map(({ executionId }) => executionId), groups.map(({ position }) => position)],
  })
  const there = new Set(rows.map(({ id }) => id))
  return planned.filter(({ listeners }) => listeners.every(({ id }) => there.has(id))).map(({ plan }) => plan)
}

function listenersOf({ board, looked, lookedPartly }: AccountPlan): readonly StoredListener[] {
  return [
    ...board.matches.map(({ listener }) => listener),
    ...board.failures.map(({ listener }) => listener),
    ...looked,
    ...lookedPartly.map(({ listener }) => listener),
  ]
}

/** Everything that some plans come to. */
interface Changes {
  readonly handed: AccountPlan['board']['matches']
  readonly failed: AccountPlan['board']['failures']
  readonly ended: ReadonlySet<string>
  readonly settled: readonly (readonly [string, Binding])[]
  readonly looked: AccountPlan['looked']
  readonly lookedPartly: AccountPlan['lookedPartly']
  readonly events: AccountPlan['events']
  readonly partly: readonly NonNullable<AccountPlan['partly']>[]
}

/** Writes down what some plans come to. @returns the executions that have got something. */
export async function applyPlans(client: Client, plans: readonly AccountPlan[]): Promise<readonly string[]> {
  const changes = changesOf(plans)
  const { handed, failed } = changes
  await writeListeners(client, changes)
  await writeMessages(client, changes)
  await writeEvents(client, changes)
  await deleteKept(client, [...new Set(handed.map(({ event }) => event.id))])
  await insertKept(
    client,
    plans.flatMap(({ kept }) => kept),
  )
  await writeIndexing(
    client,
    plans.flatMap(({ indexing }) => indexing),
  )
  return [...new Set([...handed, ...failed].map(({ listener }) => listener.executionId))]
}

function changesOf(plans: readonly AccountPlan[]): Changes {
  return {
    handed: plans.flatMap(({ board }) => board.matches).toSorted((one, other) => compare(one.event.id, other.event.id)),
    failed: plans.flatMap(({ board }) => board.failures),
    ended: new Set(plans.flatMap(({ board }) => [...board.endedIds])),
    settled: plans.flatMap(({ board }) => [...board.bindings]),
    looked: plans.flatMap(({ looked }) => looked),
    lookedPartly: plans.flatMap(({ lookedPartly }) => lookedPartly),
    events: plans.flatMap(({ events }) => events),
    partly: plans.flatMap(({ partly }) => partly ?? []),
  }
}

/** What a wait got before its filter failed comes before that it failed. */
async function writeMessages(client: Client, { handed, failed }: Changes): Promise<void> {
  const messages = [
    ...handed.map((one) => ({ listener: one.listener, value: messageOf(one), eventId: one.event.id })),
    ...failed.map((one) => ({ listener: one.listener, value: failureOf(one), eventId: null })),
  ]
  if (messages.length === 0) return
  await client.query({
    name: 'messages-of-events',
    text: `insert into messages (account_id, execution_id, position, value, event_id)
      select m.account_id, m.execution_id, m.position, m.value::json, m.event_id
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[]) with ordinality
        as m(account_id, execution_id, position, value, event_id, place) order by m.place`,
    values: [
      messages.map(({ listener }) => listener.accountId),
      messages.map(({ listener }) => listener.executionId),
      messages.map(({ listener }) => listener.position),
      messages.map(({ value }) => JSON.stringify(value)),
      messages.map(({ eventId }) => eventId),
    ],
  })
}

/** Listeners that got their event go, with all that waited beside them where one event, or a failure, ends the wait; the others have been looked at. */
async function writeListeners(client: Client, changes: Changes): Promise<void> {
  const { handed, failed, ended, settled, looked, lookedPartly } = changes
  const ending = [...handed.filter(({ listener }) => listener.takes === 'one'), ...failed].map(({ listener }) => listener)
  const each = handed.filter(({ listener }) => listener.takes === 'each').map(({ listener }) => listener.id)
  if (ending.length + each.length > 0) {
    const groups = [...new Map(ending.map((listener) => [waitKeyOf(listener), listener])).values()]
    await client.query({
      name: 'listeners-taken',
      text: `with whole as (
          delete from listeners l using unnest($2::uuid[], $3::text[]) as g(execution_id, position)
          where l.execution_id = g.execution_id and l.position = g.position)
        delete from listeners where id = any($1::uuid[])`,
      values: [each, groups.map(({ executionId }) => executionId), groups.map(({ position }) => position)],
    })
  }
  const decided = new Set(settled.map(([id]) => id))
  const lookedIds = looked.filter(({ id }) => !ended.has(id)).map(({ id }) => id)
  if (lookedIds.length + settled.length > 0) {
    await client.query({
      name: 'listeners-looked',
      text: `with decided as (
          update listeners l set expected = s.expected::json, key = s.key,
            open_names = array(select json_array_elements_text(s.open_names::json)),
            matched_at = case when s.looked then now() else l.matched_at end
          from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::bool[]) as s(id, expected, open_names, key, looked) where l.id = s.id)
        update listeners set matched_at = now() where id = any($1::uuid[])`,
      values: [lookedIds.filter((id) => !decided.has(id)), ...settledColumns(settled, new Set(lookedIds))],
    })
  }
  const partly = lookedPartly.filter(({ listener }) => !ended.has(listener.id))
  if (partly.length > 0) {
    await client.query({
      name: 'listeners-looked-partly',
      text: `update listeners l set kept_to = p.kept_to from unnest($1::uuid[], $2::uuid[]) as p(id, kept_to) where l.id = p.id`,
      values: [partly.map(({ listener }) => listener.id), partly.map(({ to }) => to)],
    })
  }
}

function settledColumns(settled: Changes['settled'], looked: ReadonlySet<string>): readonly unknown[][] {
  return [
    settled.map(([id]) => id),
    settled.map(([, { expected }]) => JSON.stringify(expected)),
    settled.map(([, { openNames }]) => JSON.stringify(openNames)),
    settled.map(([, { key }]) => key ?? null),
    settled.map(([id]) => looked.has(id)),
  ]
}

async function writeEvents(client: Client, { handed, events, partly }: Changes): Promise<void> {
  // An execution that got an event by several of its filters gives it back once for each.
  const takers = new Map<string, number>([...events, ...partly.map(({ event }) => event)].map(({ id }) => [id, 0]))
  for (const { event } of handed) takers.set(event.id, (takers.get(event.id) ?? 0) + 1)
  if (takers.size === 0) return
  const cursors = new Map(partly.map(({ event, to }) => [event.id, to]))
  await client.query({
    name: 'events-matched',
    text: `with locked as (select id from events where id = any($1::uuid[]) order by id for update)
      update events e set matched_at = case when t.matched_to is null then now() else e.matched_at end, matched_to = t.matched_to,
        takers = e.takers + t.takers, taken = e.takers + t.takers > 0
      from unnest($1::uuid[], $2::int4[], $3::uuid[]) as t(id, takers, matched_to) where e.id = t.id and e.id in (select id from locked)`,
    values: [[...takers.keys()], [...takers.values()], [...takers.keys()].map((id) => cursors.get(id) ?? null)],
  })
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
