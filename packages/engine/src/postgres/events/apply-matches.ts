import type { PoolClient } from 'pg'
import { type Binding, failureOf, messageOf, waitKeyOf } from '#events/match-state.ts'
import type { StoredListener } from '#events/stored.ts'
import { byId } from './id-order.ts'
import type { FilterIndexing } from './index-filters.ts'
import { deleteKeptEvents, insertKeptEvents, writeIndexProgress } from './kept-events-store.ts'
import type { Matches } from './match.ts'

type Client = Pick<PoolClient, 'query'>

/** All changes that one slice makes for one account. */
export interface AccountChanges {
  readonly indexing: FilterIndexing
  readonly matches: Matches
}

/**
 * Locks all listeners of the waits that some changes concern. Listeners are locked before events, and events before executions, each in the order of their ids;
 * the statements that end waits keep to the same order.
 * @returns the changes whose listeners all still exist. The others are out of date; the next slice reads and matches again.
 */
export async function lockListeners(client: Client, changes: readonly AccountChanges[]): Promise<readonly AccountChanges[]> {
  const concerned = changes.map((change) => ({ change, listeners: listenersOf(change.matches) }))
  const waits = [
    ...new Map(concerned.flatMap(({ listeners }) => listeners.map((listener) => [waitKeyOf(listener), listener] as const))).values(),
  ]
  if (waits.length === 0) return changes
  const { rows } = await client.query<{ id: string }>({
    name: 'listeners-locked',
    text: `select id from listeners where id in (
        select l.id from unnest($1::uuid[], $2::text[]) as w(execution_id, position)
        join listeners l on l.execution_id = w.execution_id and l.position = w.position)
      order by id for update`,
    values: [waits.map(({ executionId }) => executionId), waits.map(({ position }) => position)],
  })
  const existing = new Set(rows.map(({ id }) => id))
  return concerned.filter(({ listeners }) => listeners.every(({ id }) => existing.has(id))).map(({ change }) => change)
}

function listenersOf({ matches, failures, caughtUp, catchingUp }: Matches): readonly StoredListener[] {
  return [
    ...matches.map(({ listener }) => listener),
    ...failures.map(({ listener }) => listener),
    ...caughtUp,
    ...catchingUp.map(({ listener }) => listener),
  ]
}

/** Writes changes in the transaction of the client. @returns the executions that have received a message. */
export async function applyMatches(client: Client, changes: readonly AccountChanges[]): Promise<readonly string[]> {
  const merged = mergeMatches(changes.map(({ matches }) => matches))
  await writeListeners(client, merged)
  await insertMessages(client, merged)
  await writeEvents(client, merged)
  await deleteKeptEvents(client, [...new Set(merged.matches.map(({ event }) => event.id))])
  await insertKeptEvents(
    client,
    changes.flatMap(({ indexing, matches }) => [...indexing.rows, ...matches.keptRows]),
  )
  await writeIndexProgress(
    client,
    changes.flatMap(({ indexing }) => indexing.progress),
  )
  return [...new Set([...merged.matches, ...merged.failures].map(({ listener }) => listener.executionId))]
}

type MergedMatches = ReturnType<typeof mergeMatches>

function mergeMatches(all: readonly Matches[]) {
  return {
    matches: all.flatMap(({ matches }) => matches).toSorted((a, b) => byId(a.event, b.event)),
    failures: all.flatMap(({ failures }) => failures),
    endedIds: new Set(all.flatMap(({ endedIds }) => [...endedIds])),
    bindings: new Map(all.flatMap(({ bindings }) => [...bindings])),
    caughtUp: all.flatMap(({ caughtUp }) => caughtUp),
    catchingUp: all.flatMap(({ catchingUp }) => catchingUp),
    matchedEvents: all.flatMap(({ matchedEvents }) => matchedEvents),
    unfinishedEvents: all.flatMap(({ unfinishedEvent }) => unfinishedEvent ?? []),
  }
}

/** A wait receives its events before the failure of its filter. */
async function insertMessages(client: Client, { matches, failures }: MergedMatches): Promise<void> {
  const messages = [
    ...matches.map((match) => ({ listener: match.listener, value: messageOf(match), eventId: match.event.id })),
    ...failures.map((failure) => ({ listener: failure.listener, value: failureOf(failure), eventId: null })),
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

async function writeListeners(client: Client, merged: MergedMatches): Promise<void> {
  await deleteListeners(client, merged)
  await writeBindings(client, merged)
  await writeCatchingUp(client, merged)
}

/** Deletes the listeners that took their single event, and all listeners of the waits that one event, or a failure, ends. */
async function deleteListeners(client: Client, { matches, failures }: MergedMatches): Promise<void> {
  const ending = [...matches.filter(({ listener }) => listener.takes === 'one'), ...failures].map(({ listener }) => listener)
  const satisfiedIds = matches.filter(({ listener }) => listener.takes === 'each').map(({ listener }) => listener.id)
  if (ending.length + satisfiedIds.length === 0) return
  const endedWaits = [...new Map(ending.map((listener) => [waitKeyOf(listener), listener])).values()]
  await client.query({
    name: 'listeners-delete',
    text: `with ended as (
        delete from listeners l using unnest($2::uuid[], $3::text[]) as w(execution_id, position)
        where l.execution_id = w.execution_id and l.position = w.position)
      delete from listeners where id = any($1::uuid[])`,
    values: [satisfiedIds, endedWaits.map(({ executionId }) => executionId), endedWaits.map(({ position }) => position)],
  })
}

/** Writes new bindings, and marks the listeners that have been matched with all kept events. */
async function writeBindings(client: Client, { endedIds, bindings, caughtUp }: MergedMatches): Promise<void> {
  const caughtUpIds = caughtUp.filter(({ id }) => !endedIds.has(id)).map(({ id }) => id)
  if (caughtUpIds.length + bindings.size === 0) return
  await client.query({
    name: 'listeners-bind',
    text: `with bound as (
        update listeners l set expected = b.expected::json, key = b.key,
          open_names = array(select json_array_elements_text(b.open_names::json)),
          matched_at = case when b.is_caught_up then now() else l.matched_at end
        from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::bool[]) as b(id, expected, open_names, key, is_caught_up) where l.id = b.id)
      update listeners set matched_at = now() where id = any($1::uuid[])`,
    values: [caughtUpIds.filter((id) => !bindings.has(id)), ...bindingColumns(bindings, new Set(caughtUpIds))],
  })
}

function bindingColumns(bindings: ReadonlyMap<string, Binding>, caughtUpIds: ReadonlySet<string>): readonly unknown[][] {
  const all = [...bindings.values()]
  return [
    [...bindings.keys()],
    all.map(({ expected }) => JSON.stringify(expected)),
    all.map(({ openNames }) => JSON.stringify(openNames)),
    all.map(({ key }) => key ?? null),
    [...bindings.keys()].map((id) => caughtUpIds.has(id)),
  ]
}

async function writeCatchingUp(client: Client, { endedIds, catchingUp }: MergedMatches): Promise<void> {
  const open = catchingUp.filter(({ listener }) => !endedIds.has(listener.id))
  if (open.length === 0) return
  await client.query({
    name: 'listeners-catching-up',
    text: `update listeners l set kept_to = p.kept_to from unnest($1::uuid[], $2::uuid[]) as p(id, kept_to) where l.id = p.id`,
    values: [open.map(({ listener }) => listener.id), open.map(({ keptTo }) => keptTo)],
  })
}

async function writeEvents(client: Client, { matches, matchedEvents, unfinishedEvents }: MergedMatches): Promise<void> {
  // An execution that received an event by several of its filters has a message for each, and releases each, so each match counts.
  const takers = new Map<string, number>([...matchedEvents, ...unfinishedEvents.map(({ event }) => event)].map(({ id }) => [id, 0]))
  for (const { event } of matches) takers.set(event.id, (takers.get(event.id) ?? 0) + 1)
  if (takers.size === 0) return
  const cursors = new Map(unfinishedEvents.map(({ event, matchedTo }) => [event.id, matchedTo]))
  await client.query({
    name: 'events-matched',
    text: `with locked as (select id from events where id = any($1::uuid[]) order by id for update)
      update events e set matched_at = case when t.matched_to is null then now() else e.matched_at end, matched_to = t.matched_to,
        takers = e.takers + t.takers, taken = e.takers + t.takers > 0
      from unnest($1::uuid[], $2::int4[], $3::uuid[]) as t(id, takers, matched_to) where e.id = t.id and e.id in (select id from locked)`,
    values: [[...takers.keys()], [...takers.values()], [...takers.keys()].map((id) => cursors.get(id) ?? null)],
  })
}
