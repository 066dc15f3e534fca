import type { PoolClient } from 'pg'
import { isObject, type JsonObject, parseJson } from '#core/json.ts'
import type { EventFilter } from '#compile/event-filter.ts'
import { isEqual } from '#compile/event-filter.ts'
import type { EventFilterCache } from './filter-cache.ts'
import { keyOf } from './listener-rows.ts'

type Client = Pick<PoolClient, 'query'>

export interface EventRow {
  readonly id: string
  readonly account_id: string
  readonly type: string
  readonly envelope: string
  readonly matched: boolean
}

interface FilterRow {
  readonly id: string
  readonly filter: string
}

interface Listener {
  readonly id: string
  readonly execution_id: string
  readonly position: string
  readonly role: 'event' | 'until'
  readonly index: number
  readonly takes: 'one' | 'each' | 'many'
  readonly expected: string
  readonly open_names: readonly string[]
  readonly scope: string | null
}

export interface MatchDeps {
  readonly filters: EventFilterCache
}

const listenerColumns = 'id, execution_id, position, role, index, takes, expected, open_names, scope'

/** Events that nobody has held against the listeners yet, locked, oldest first. */
export async function lockUnmatched(client: Client, limit: number): Promise<readonly EventRow[]> {
  const { rows } = await client.query<EventRow>({
    name: 'events-unmatched',
    text: `select id, account_id, type, envelope, false as matched from events
      where id in (select id from events where matched_at is null order by id limit $1) and matched_at is null
      order by id for update skip locked`,
    values: [limit],
  })
  return rows
}

/**
 * Gives a locked event to everybody who waits for it, in one transaction with the messages.
 * @returns the executions that got it.
 */
export async function matchEvent(client: Client, { filters }: MatchDeps, row: EventRow): Promise<readonly string[]> {
  const event = parseJson(row.envelope)
  if (!isObject(event)) throw new Error(`event ${row.id} is no object`)
  const { rows: candidates } = await client.query<FilterRow>({
    name: 'event-filters-of',
    text: `select id, filter from event_filters where account_id = $1 and (type = $2 or type is null)`,
    values: [row.account_id, row.type],
  })
  const reached: string[] = []
  for (const candidate of candidates) {
    const filter = filterOf(filters, candidate)
    for (const listener of await listenersFor(client, row.account_id, candidate.id, filter, event)) {
      if (await offer(client, row, event, filter, listener)) reached.push(listener.execution_id)
    }
  }
  await client.query({
    name: 'event-matched',
    text: `update events set matched_at = now(), taken = $2 where id = $1`,
    values: [row.id, reached.length > 0],
  })
  return reached
}

function filterOf(filters: EventFilterCache, { id, filter }: FilterRow): EventFilter {
  const parsed = parseJson(filter)
  return filters.get(id, isObject(parsed) ? parsed : {})
}

/** Whoever listens with this filter and might get the event: by the index where the filter needs nothing of the execution. */
async function listenersFor(client: Client, accountId: string, filterId: string, filter: EventFilter, event: JsonObject) {
  const values = filter.readsScope ? undefined : filter.values(event, {})
  if (!filter.readsScope && values === undefined) return []
  const { rows } =
    values === undefined
      ? await client.query<Listener>({
          name: 'listeners-all',
          text: `select ${listenerColumns} from listeners where account_id = $1 and filter_id = $2 order by id`,
          values: [accountId, filterId],
        })
      : await client.query<Listener>({
          name: 'listeners-by-key',
          text: `select ${listenerColumns} from listeners where account_id = $1 and filter_id = $2 and (key = $3 or key is null) order by id`,
          values: [accountId, filterId, keyOf(values)],
        })
  return rows
}

/** Gives the event to one listener, if it still wants it. */
async function offer(client: Client, row: EventRow, event: JsonObject, filter: EventFilter, listener: Listener): Promise<boolean> {
  const scope = listener.scope === null ? {} : parseJson(listener.scope)
  const values = filter.values(event, isObject(scope) ? scope : {})
  if (values === undefined) return false
  const current = listener.open_names.length === 0 ? listener : await lockGroup(client, listener)
  if (current === undefined || !fits(values, current)) return false
  if (!(await take(client, current))) return false
  if (current.open_names.length > 0) await settleCorrelations(client, current, values)
  await client.query({
    name: 'message-of-event',
    text: `insert into messages (account_id, execution_id, position, value, event_id) values ($1, $2, $3, $4, $5)`,
    values: [
      row.account_id,
      current.execution_id,
      current.position,
      JSON.stringify({ role: current.role, index: current.index, event }),
      row.id,
    ],
  })
  return true
}

/** While names are open the first event decides them, so everything that waits with this listener is locked and read again. */
async function lockGroup(client: Client, { id, execution_id, position }: Listener): Promise<Listener | undefined> {
  const { rows } = await client.query<Listener>({
    name: 'listeners-group',
    text: `select ${listenerColumns} from listeners where execution_id = $1 and position = $2 order by id for update`,
    values: [execution_id, position],
  })
  return rows.find((listener) => listener.id === id)
}

function fits(values: JsonObject, { expected }: Listener): boolean {
  const wanted = parseJson(expected)
  if (!isObject(wanted)) return true
  return Object.entries(wanted).every(([name, value]) => isEqual(value, values[name] ?? null))
}

/** Ends what one event ends; the row that is deleted is the lock. @returns false when another event was first. */
async function take(client: Client, { id, execution_id, position, takes }: Listener): Promise<boolean> {
  if (takes === 'many') {
    const { rowCount } = await client.query({
      name: 'listener-lives',
      text: `select from listeners where id = $1 for key share`,
      values: [id],
    })
    return rowCount === 1
  }
  const { rowCount } =
    takes === 'each'
      ? await client.query({ name: 'listener-taken', text: `delete from listeners where id = $1`, values: [id] })
      : await client.query({
          name: 'listeners-taken',
          text: `with mine as (delete from listeners where id = $1 returning id)
            , others as (delete from listeners where execution_id = $2 and position = $3 and id <> $1 and exists (select from mine))
            select from mine`,
          values: [id, execution_id, position],
        })
  return rowCount === 1
}

/** What the first event says of a correlation is what the others have to say. */
async function settleCorrelations(client: Client, { execution_id, position }: Listener, values: JsonObject): Promise<void> {
  const { rows } = await client.query<Pick<Listener, 'id' | 'expected' | 'open_names'>>({
    name: 'listeners-open',
    text: `select id, expected, open_names from listeners where execution_id = $1 and position = $2`,
    values: [execution_id, position],
  })
  for (const { id, expected, open_names: openNames } of rows) {
    const known = parseJson(expected)
    const settled = { ...(isObject(known) ? known : {}) }
    for (const name of openNames) if (Object.hasOwn(values, name)) Object.assign(settled, { [name]: values[name] })
    const open = openNames.filter((name) => !Object.hasOwn(settled, name))
    await client.query({
      name: 'listener-settled',
      text: `update listeners set expected = $2::json, open_names = $3, key = $4 where id = $1`,
      values: [id, JSON.stringify(settled), open, open.length === 0 ? keyOf(settled) : null],
    })
  }
}

interface UnmatchedListener extends Listener {
  readonly account_id: string
  readonly filter_id: string
  readonly filter_type: string | null
  readonly filter: string
}

/** Listeners that nobody has held against the kept events yet, oldest first; not locked, since two that look do no harm. */
export async function findUnmatchedListeners(client: Client, limit: number): Promise<readonly UnmatchedListener[]> {
  const { rows } = await client.query<UnmatchedListener>({
    name: 'listeners-unmatched',
    text: `select ${listenerColumns
      .split(', ')
      .map((name) => `l.${name}`)
      .join(', ')}, l.account_id, l.filter_id, f.type as filter_type, f.filter
      from listeners l join event_filters f on f.account_id = l.account_id and f.id = l.filter_id
      where l.matched_at is null order by l.id limit $1`,
    values: [limit],
  })
  return rows
}

/** Kept events that one look of a listener goes through; it looks again while it takes more. */
const KEPT_MAX = 200

/**
 * Gives a new listener what was kept before it came, oldest first. Events are locked before listeners, as everywhere; one that nobody has looked at yet is held against
 * all listeners, this one among them.
 * @returns executions that got something.
 */
export async function matchListener(client: Client, deps: MatchDeps, listener: UnmatchedListener): Promise<readonly string[]> {
  const filter = filterOf(deps.filters, { id: listener.filter_id, filter: listener.filter })
  const reached: string[] = []
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows } = await client.query<EventRow>({
      name: 'events-kept',
      text: `select id, account_id, type, envelope, matched_at is not null as matched from events
        where account_id = $1 and ($2::text is null or type = $2) and not taken and id > $3 and expires_at > now()
        order by id limit ${KEPT_MAX} for update`,
      values: [listener.account_id, listener.filter_type, after],
    })
    for (const row of rows) {
      after = row.id
      if (!row.matched) reached.push(...(await matchEvent(client, deps, row)))
      else if (await offerKept(client, row, filter, listener)) reached.push(listener.execution_id)
    }
    const wantsMore = listener.takes === 'many' || reached.length === 0
    if (rows.length < KEPT_MAX || !wantsMore) break
  }
  await client.query({ name: 'listener-matched', text: `update listeners set matched_at = now() where id = $1`, values: [listener.id] })
  return reached
}

async function offerKept(client: Client, row: EventRow, filter: EventFilter, listener: Listener): Promise<boolean> {
  const event = parseJson(row.envelope)
  // Another event may have settled what this listener correlates by since it was read.
  const { rows } = await client.query<Listener>({
    name: 'listener-now',
    text: `select ${listenerColumns} from listeners where id = $1`,
    values: [listener.id],
  })
  const [current] = rows
  if (current === undefined || !isObject(event) || !(await offer(client, row, event, filter, current))) return false
  await client.query({ name: 'event-taken', text: `update events set taken = true where id = $1`, values: [row.id] })
  return true
}
