import type { QueryConfig } from 'pg'
import type { ExecutionHead } from '#durable/ports/execution.ts'
import { idBounds } from '#postgres/sql/id-bounds.ts'
import type { End, Entry, Insert, PreparedWrite, Update } from './prepare-write.ts'

/** A column of rows that are handed over as one array each, and unnested side by side. */
interface Column<Row> {
  readonly name: string
  readonly type: string
  /** How the value that arrives becomes the column's. */
  readonly as?: (parameter: string) => string
  readonly value: (row: Row) => unknown
}

const fromMs = (name: string) => `to_timestamp(${name} / 1000.0)`
const asJson = (name: string) => `${name}::json`

const endColumns: readonly Column<End>[] = [
  { name: 'output', type: 'text', as: asJson, value: ({ output }) => output },
  { name: 'error', type: 'text', as: asJson, value: ({ error }) => error },
  { name: 'decisions', type: 'text', value: ({ decisions }) => decisions },
  { name: 'ended_at', type: 'float8', as: fromMs, value: ({ endedAtMs }) => endedAtMs },
  { name: 'wake_at', type: 'float8', as: fromMs, value: ({ wakeAtMs }) => wakeAtMs },
]

const insertColumns: readonly Column<Insert>[] = [
  { name: 'id', type: 'uuid', value: ({ head }) => head.id },
  { name: 'account_id', type: 'uuid', value: ({ head }) => head.accountId },
  { name: 'workflow_id', type: 'uuid', value: ({ head }) => head.workflowId },
  { name: 'version_id', type: 'uuid', value: ({ head }) => head.versionId },
  { name: 'state', type: 'text', value: stateOfInsert },
  { name: 'trigger', type: 'text', value: ({ head }) => head.trigger },
  { name: 'actor', type: 'text', value: ({ head }) => head.actor },
  { name: 'parent_id', type: 'uuid', value: ({ head }) => head.parentId ?? null },
  { name: 'depth', type: 'int2', value: ({ head }) => head.depth },
  { name: 'input', type: 'text', as: asJson, value: ({ input }) => input },
  { name: 'created_at', type: 'float8', as: fromMs, value: ({ head }) => head.createdAtMs },
  { name: 'started_at', type: 'float8', as: fromMs, value: ({ startedAtMs }) => startedAtMs ?? null },
  {
    name: 'claimed_by',
    type: 'bool',
    as: (name) => `case when ${name} then $1::uuid end`,
    value: (row) => stateOfInsert(row) === 'running',
  },
  ...endColumns.map((column) => ({ ...column, value: ({ end }: Insert) => column.value(end) })),
]

const keyColumns: readonly Column<ExecutionHead>[] = [
  { name: 'execution_id', type: 'uuid', value: ({ id }) => id },
  { name: 'account_id', type: 'uuid', value: ({ accountId }) => accountId },
  { name: 'key', type: 'text', value: ({ idempotency }) => idempotency?.key },
  { name: 'digest', type: 'text', value: ({ idempotency }) => idempotency?.digest },
]

const entryColumns: readonly Column<Entry>[] = [
  { name: 'execution_id', type: 'uuid', value: ({ executionId }) => executionId },
  { name: 'account_id', type: 'uuid', value: ({ accountId }) => accountId },
  { name: 'seq', type: 'int4', value: ({ entry }) => entry.seq },
  { name: 'position', type: 'text', value: ({ entry }) => entry.position },
  { name: 'phase', type: 'text', value: ({ entry }) => entry.phase },
  { name: 'kind', type: 'text', value: ({ entry }) => entry.kind },
  { name: 'ok', type: 'bool', value: ({ entry }) => entry.ok },
  { name: 'value', type: 'text', as: asJson, value: ({ value }) => value },
  { name: 'decisions', type: 'text', value: ({ entry }) => entry.decisions },
  { name: 'started_at', type: 'float8', as: fromMs, value: ({ entry }) => entry.startedAtMs },
  { name: 'ended_at', type: 'float8', as: fromMs, value: ({ entry }) => entry.endedAtMs },
]

const updateColumns: readonly Column<Update>[] = [
  { name: 'id', type: 'uuid', value: ({ executionId }) => executionId },
  { name: 'state', type: 'text', value: ({ progress }) => progress.state },
  ...endColumns.map((column) => ({ ...column, value: ({ end }: Update) => column.value(end) })),
]

// The fence: no row of this process, no write. FOR KEY SHARE lets heartbeats pass and holds up whoever wants to delete the row.
const aliveSql = `alive as (select id from processes where id = $1 for key share)`

/** What a flush tells: whether the process may write, which keyed executions went in, and how those that were parked stand now. */
export interface FlushRow {
  readonly alive: boolean
  readonly keyed: readonly string[]
  readonly parked: readonly { readonly id: string; readonly state: string }[]
}

/** What a statement does beside looking whether the process is alive; a flush says only what it has, which is planned and run in the least time. */
interface Part {
  readonly name: string
  /** @param at number of the first parameter of this part. */
  readonly sql: (at: number) => string
  readonly values: readonly unknown[]
}

const texts = new Map<string, string>()

/** One statement for everything: it has a name, so it is planned once for each connection. */
export function flushQuery(processId: string, writes: readonly PreparedWrite[]): QueryConfig {
  const inserts = writes.flatMap(({ inserts: all }) => all)
  const keyed = inserts.flatMap(({ head }) => (head.idempotency === undefined ? [] : head))
  const entries = writes.flatMap(({ entries: all }) => all)
  const updates = writes.flatMap(({ updates: all }) => all)
  const parts = [
    ...(keyed.length === 0 ? [] : [keyedPart(keyed)]),
    ...(inserts.length === 0 ? [] : [acceptedPart(inserts, keyed.length > 0)]),
    ...(entries.length === 0 ? [] : [journalledPart(entries)]),
    ...(updates.length === 0 ? [] : [updatedPart(updates)]),
  ]
  const name = ['flush', ...parts.map((part) => part.name)].join('-')
  const text = texts.get(name) ?? textOf(parts)
  texts.set(name, text)
  return { name, text, values: [processId, ...parts.flatMap(({ values }) => values)] }
}

function textOf(parts: readonly Part[]): string {
  let at = 2
  const ctes = parts.map(({ sql, values }) => {
    const text = sql(at)
    at += values.length
    return text
  })
  const has = (name: string) => parts.some((part) => part.name === name)
  return `with ${[aliveSql, ...ctes].join(',\n')}
select exists (select from alive) as alive,
  ${has('keyed') ? 'array(select execution_id::text from keyed)' : `'{}'::text[]`} as keyed,
  ${has('updated') ? parkedSql : `'[]'::jsonb`} as parked`
}

const parkedSql = `(select coalesce(jsonb_agg(jsonb_build_object('id', id, 'state', state)), '[]') from updated where state in ('waiting', 'pending'))`

/** Keys are unique over all partitions, so they have a table of their own, and decide which executions go in. */
function keyedPart(heads: readonly ExecutionHead[]): Part {
  return insertPart('keyed', 'execution_keys', keyColumns, heads, () => 'on conflict (account_id, key) do nothing returning execution_id')
}

function acceptedPart(inserts: readonly Insert[], keyed: boolean): Part {
  // The ids of those with a key come first among the parameters of the part before.
  const refused = (at: number) => `where r.id <> all($${at - keyColumns.length}::uuid[]) or r.id in (select execution_id from keyed)`
  return insertPart('accepted', 'executions', insertColumns, inserts, keyed ? refused : undefined)
}

function journalledPart(entries: readonly Entry[]): Part {
  return insertPart('journalled', 'journal', entryColumns, entries)
}

function insertPart<Row>(
  name: string,
  table: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  rest: (at: number) => string = () => '',
): Part {
  return {
    name,
    values: arrays(columns, rows),
    sql: (at) => `${name} as (
  insert into ${table} (${names(columns)})
  select ${selected(columns)} from ${unnested(columns, at)}, alive
  ${rest(at)}
)`,
  }
}

/**
 * An execution that something happened to while it was on its way to sleep does not sleep; its process may have heard of it too late to act
 * on it, so what was asked of it counts as well as that it was told. Whoever has ended hears nothing any more.
 */
function updatedPart(updates: readonly Update[]): Part {
  return {
    name: 'updated',
    values: [...arrays(updateColumns, updates), ...idBounds(updates.map(({ executionId }) => executionId))],
    sql: (at) => `updated as (
  update executions e set
    state = case when r.state = 'waiting' and (e.signalled_at is not null or e.cancel_requested_at is not null
        or e.suspend_requested_at is not null) then 'pending'
      when r.state = 'suspended' and e.cancel_requested_at is not null then 'pending'
      when r.state = 'suspended' and e.suspend_requested_at is null then 'pending' else r.state end,
    ${endColumns.map(({ name, as }) => `${name} = ${as?.(`r.${name}`) ?? `r.${name}`}`).join(', ')},
    claimed_by = null,
    signalled_at = case when r.state in ('waiting', 'pending', 'suspended') then e.signalled_at end
  from ${unnested(updateColumns, at)}, alive
  where e.id = r.id and e.claimed_by = $1
    -- These leave partitions out (id-bounds.ts).
    and e.id between $${at + updateColumns.length}::uuid and $${at + updateColumns.length + 1}::uuid
  returning e.id, e.state
)`,
  }
}

function stateOfInsert({ startedAtMs, progress }: Insert): string {
  return progress?.state ?? (startedAtMs === undefined ? 'pending' : 'running')
}

function names<Row>(columns: readonly Column<Row>[]): string {
  return columns.map(({ name }) => name).join(', ')
}

function selected<Row>(columns: readonly Column<Row>[]): string {
  return columns.map(({ name, as }) => as?.(`r.${name}`) ?? `r.${name}`).join(', ')
}

function unnested<Row>(columns: readonly Column<Row>[], at: number): string {
  return `unnest(${columns.map(({ type }, index) => `$${at + index}::${type}[]`).join(', ')}) as r(${names(columns)})`
}

function arrays<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): unknown[][] {
  return columns.map(({ value }) => rows.map(value))
}
