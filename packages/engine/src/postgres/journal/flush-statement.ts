import type { QueryConfig } from 'pg'
import { parkedStatesSql, terminalStatesSql } from '#core/execution-state.ts'
import type { ExecutionHead } from '#durable/ports/execution.ts'
import { isTerminalProgress } from '#durable/ports/journal.ts'
import { idBounds } from '#postgres/sql/id-bounds.ts'
import {
  arraysOf,
  assignments,
  claimColumn,
  type Column,
  endColumns,
  entryColumns,
  executionColumns,
  insertSql,
  keyColumns,
  labelColumns,
  unnested,
  updateColumns,
} from './columns.ts'
import { labelsOf, type LabelRow } from './label-rows.ts'
import type { Entry, Insert, PreparedWrite, Update } from './prepare-write.ts'

// The fence: if the process has no row, the statement writes nothing. FOR KEY SHARE admits heartbeats and blocks the delete of the row.
const aliveSql = `alive as (select id from processes where id = $1 for key share)`

/** The result of a flush. */
export interface FlushRow {
  /** The process has its row. False: it is fenced, and nothing was written. */
  readonly alive: boolean
  /** Executions whose idempotency keys were free. Those whose keys were in use are not inserted. */
  readonly keyed: readonly string[]
  /** Updated executions that are now `waiting` or `pending`, also those that were to be parked and have been signalled. */
  readonly parked: readonly { readonly id: string; readonly state: string }[]
}

/** A common table expression of the statement. A statement has only the parts that its batch needs, so that it is planned and run fast. */
interface Part {
  /** Decides the text: the statement is prepared once for the names of its parts, so a part with another text needs another name. */
  readonly name: string
  /** @param at number of its first parameter. */
  readonly sql: (at: number) => string
  /** Aborts the statement if the process has no claim on what it writes. */
  readonly refusalSql?: (at: number) => string
  readonly values: readonly unknown[]
}

const texts = new Map<string, string>()

/** One statement for all writes. Batches with the same parts use the same named statement, which each connection plans once. */
export function flushQuery(processId: string, writes: readonly PreparedWrite[]): QueryConfig {
  const inserts = writes.flatMap(({ inserts: all }) => all)
  const keyed = inserts.flatMap(({ head }) => (head.idempotency === undefined ? [] : head))
  const entries = writes.flatMap(({ entries: all }) => all)
  const updates = writes.flatMap(({ updates: all }) => all)
  const labels = labelsOf(inserts.map(({ head }) => head))
  const parts = [
    ...(keyed.length === 0 ? [] : [keyedPart(keyed)]),
    ...(inserts.length === 0 ? [] : [acceptedPart(inserts, keyed)]),
    ...(labels.length === 0 ? [] : [labelledPart(labels, keyed)]),
    ...(entries.length === 0 ? [] : [journalledPart(entries, keyed)]),
    ...(updates.length === 0 ? [] : [updatedPart(updates)]),
    ...([...inserts, ...updates].some(isEnd)
      ? [endedPart([...(inserts.length === 0 ? [] : ['accepted']), ...(updates.length === 0 ? [] : ['updated'])])]
      : []),
  ]
  const name = ['flush', ...parts.map((part) => part.name)].join('-')
  const text = texts.get(name) ?? textOf(parts)
  texts.set(name, text)
  return { name, text, values: [processId, ...parts.flatMap(({ values }) => values)] }
}

function textOf(parts: readonly Part[]): string {
  let at = 2
  const refusals: string[] = []
  const ctes = parts.map(({ sql, refusalSql, values }) => {
    const text = sql(at)
    if (refusalSql !== undefined) refusals.push(refusalSql(at))
    at += values.length
    return text
  })
  const has = (name: string) => parts.some((part) => part.name === name)
  return `with ${[aliveSql, ...ctes].join(',\n')}
select exists (select from alive) as alive,
  ${has('keyed') ? 'array(select execution_id::text from keyed)' : `'{}'::text[]`} as keyed,
  ${[`${has('updated') ? parkedSql : `'[]'::jsonb`} as parked`, ...refusals].join(',\n  ')}`
}

const parkedSql = `(select coalesce(jsonb_agg(jsonb_build_object('id', id, 'state', state)), '[]') from updated where state in ('waiting', 'pending'))`

/** Keys are unique over all partitions, so they have a table of their own. An execution whose key exists already is not inserted. */
function keyedPart(heads: readonly ExecutionHead[]): Part {
  return {
    name: 'keyed',
    values: arraysOf(keyColumns, heads),
    sql: (at) => `keyed as (
  ${insertSql('execution_keys', keyColumns, at)}, alive
  on conflict (account_id, key) do nothing returning execution_id
)`,
  }
}

const acceptedColumns = [...executionColumns, claimColumn]

/** @param keyed those with an idempotency key, which are inserted only together with it. */
function acceptedPart(inserts: readonly Insert[], keyed: readonly ExecutionHead[]): Part {
  const withKey = keyed.map(({ id }) => id)
  const admitted = (at: number) => `where r.id <> all($${at + acceptedColumns.length}::uuid[]) or r.id in (select execution_id from keyed)`
  return {
    name: 'accepted',
    values: [...arraysOf(acceptedColumns, inserts), ...(keyed.length === 0 ? [] : [withKey])],
    sql: (at) => `accepted as (
  ${insertSql('executions', acceptedColumns, at)}, alive
  ${keyed.length === 0 ? '' : admitted(at)}
  returning id, account_id, state
)`,
  }
}

function isEnd({ progress }: Pick<Insert | Update, 'progress'>): boolean {
  return progress !== undefined && isTerminalProgress(progress)
}

/** One row for each account with ends, by which they are evaluated later. */
function endedPart(sources: readonly string[]): Part {
  const rows = sources.map((name) => `select id, account_id, state from ${name}`).join(' union all ')
  return {
    name: 'ended',
    values: [],
    sql: () => `ended as (
  insert into execution_ends (account_id, execution_ids)
  select account_id, array_agg(id) from (${rows}) e where state in ${terminalStatesSql} group by account_id
)`,
  }
}

function labelledPart(labels: readonly LabelRow[], keyed: readonly ExecutionHead[]): Part {
  return partOfExecutions({ name: 'labelled', table: 'execution_labels', columns: labelColumns }, labels, ({ head }) => head.id, keyed)
}

function journalledPart(entries: readonly Entry[], keyed: readonly ExecutionHead[]): Part {
  return partOfExecutions({ name: 'journalled', table: 'journal', columns: entryColumns }, entries, ({ executionId }) => executionId, keyed)
}

/** Rows that belong to executions. @param keyed executions with an idempotency key, whose rows are inserted only together with it. */
function partOfExecutions<Row>(
  { name, table, columns }: { readonly name: string; readonly table: string; readonly columns: readonly Column<Row>[] },
  rows: readonly Row[],
  executionIdOf: (row: Row) => string,
  keyed: readonly ExecutionHead[],
): Part {
  const withRows = new Set(keyed.length === 0 ? [] : rows.map(executionIdOf))
  const withKey = keyed.map(({ id }) => id).filter((id) => withRows.has(id))
  const isKeyed = withKey.length > 0
  const admitted = (at: number) =>
    `where r.execution_id <> all($${at + columns.length}::uuid[]) or r.execution_id in (select execution_id from keyed)`
  return {
    // Short, since PostgreSQL keeps 63 bytes of the name of a statement.
    name: isKeyed ? `${name}_k` : name,
    values: [...arraysOf(columns, rows), ...(isKeyed ? [withKey] : [])],
    sql: (at) => `${name} as (
  ${insertSql(table, columns, at)}, alive
  ${isKeyed ? admitted(at) : ''}
)`,
  }
}

/**
 * An execution with an unprocessed signal or request is not parked but goes to the queue: its process may have learned of it too late to act
 * on it, so a request counts like a signal. A terminal state clears the signal.
 */
function updatedPart(updates: readonly Update[]): Part {
  return {
    name: 'updated',
    // As a rule the count is enough: a process without a claim has no row either, and then nothing is written.
    refusalSql: (at) => `case when (select count(*) from updated) <> cardinality($${at}::uuid[]) and exists (select from alive) then
    millrace_refuse_unclaimed(array(select id from unnest($${at}::uuid[]) as wanted(id) except select id from updated)) end`,
    values: [...arraysOf(updateColumns, updates), ...idBounds(updates.map(({ executionId }) => executionId))],
    sql: (at) => `updated as (
  update executions e set
    state = case when r.state = 'waiting' and (e.signalled_at is not null or e.cancel_requested_at is not null
        or e.suspend_requested_at is not null) then 'pending'
      when r.state = 'suspended' and e.cancel_requested_at is not null then 'pending'
      when r.state = 'suspended' and e.suspend_requested_at is null then 'pending' else r.state end,
    ${assignments(endColumns)},
    claimed_by = null,
    signalled_at = case when r.state in ${parkedStatesSql} then e.signalled_at end
  from ${unnested(updateColumns, at)}, alive
  where e.id = r.id and e.claimed_by = $1
    -- The bounds exclude partitions (id-bounds.ts).
    and e.id between $${at + updateColumns.length}::uuid and $${at + updateColumns.length + 1}::uuid
  returning e.id, e.account_id, e.state
)`,
  }
}
