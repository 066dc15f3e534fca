import type { ExecutionState } from '#core/execution-state.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import { type EntryRow, toEntry } from '#postgres/claims/claim-executions.ts'
import {
  executionColumns,
  type ExecutionFacts,
  executionOf,
  type ExecutionRow,
  factColumns,
  factsOf,
  type FactsRow,
  type StoredExecution,
  summaryColumns,
} from './execution-row.ts'
import type { PreparedStatements } from './sql-database.ts'

export interface ExecutionKey {
  readonly accountId: string
  readonly id: string
}

/** A part of a journal. */
export interface JournalPart extends ExecutionKey {
  /** Number of the first entry. */
  readonly from: number
  /** Number behind the last. */
  readonly below: number
}

/** As much of an execution as shows whether it has changed. */
export interface ExecutionRevision {
  readonly state: ExecutionState
  readonly started: boolean
  /** Entries in its journal. */
  readonly length: number
}

/** Reads executions and their journals, many in one statement. */
export interface ExecutionReader {
  /** In the order of the keys; undefined for an execution that the account does not have. */
  executions(keys: readonly ExecutionKey[]): Promise<readonly (StoredExecution | undefined)[]>
  /**
   * The same without what only few callers need, which takes further look-ups for each execution. Fewer than there are keys
   * where inputs and outputs are large: none behind those that have `bytesMax` together.
   */
  facts(keys: readonly ExecutionKey[], bytesMax: number): Promise<readonly (ExecutionFacts | undefined)[]>
  journal(key: ExecutionKey): Promise<readonly JournalEntry[]>
  /** The beginning of each part, at most 50 entries: they may be large. */
  journalParts(parts: readonly JournalPart[]): Promise<readonly (readonly JournalEntry[])[]>
  /** By id; without those that the accounts do not have. */
  revisions(keys: readonly ExecutionKey[]): Promise<ReadonlyMap<string, ExecutionRevision>>
  /** The execution that a request with this idempotency key has started, and the digest of that request. */
  findByKey(accountId: string, key: string): Promise<{ readonly id: string; readonly digest: string } | undefined>
}

export interface ExecutionReaderDeps {
  /** With the rights of the tables' owner: a statement reads for many accounts. */
  readonly pool: PreparedStatements
  /** A query for the `number` of the version `e.version_id`; versions are not the engine's. */
  readonly versionQuery: string
}

const partMax = 50
const entryColumns = 'seq, position, phase, kind, ok, value, decisions, started_at, ended_at'

export function createExecutionReader({ pool, versionQuery }: ExecutionReaderDeps): ExecutionReader {
  return {
    async executions(keys) {
      const { rows } = await pool.query<ExecutionRow>({
        name: 'read-executions',
        text: `select ${summaryColumns}, ${executionColumns}
          from unnest($1::uuid[], $2::uuid[]) as k(account_id, id)
          join executions e on e.id = k.id and e.account_id = k.account_id
          cross join lateral (${versionQuery}) v`,
        values: columnsOf(keys),
      })
      const byId = new Map(rows.map((row) => [row.id, executionOf(row)]))
      return keys.map(({ id }) => byId.get(id))
    },

    async facts(keys, bytesMax) {
      const { rows } = await pool.query<FactsRow & { readonly next: number | null }>({
        name: 'read-execution-facts',
        text: `select * from (
            select ${factColumns}, e.place, lead(e.place) over places as next, sum(e.bytes) over places - e.bytes as bytes_before from (
              select x.*, k.place::int4, octet_length(x.input::text) + coalesce(octet_length(x.output::text), 0) as bytes
              from unnest($1::uuid[], $2::uuid[]) with ordinality as k(account_id, id, place)
              join executions x on x.id = k.id and x.account_id = k.account_id
            ) e window places as (order by e.place)
          ) f where f.bytes_before < $3 order by f.place`,
        values: [...columnsOf(keys), bytesMax],
      })
      const byId = new Map(rows.map((row) => [row.id, factsOf(row)]))
      // Behind the last row there is another one, or nothing else that exists.
      return keys.slice(0, (rows.at(-1)?.next ?? keys.length + 1) - 1).map(({ id }) => byId.get(id))
    },

    async journal({ accountId, id }) {
      const { rows } = await pool.query<EntryRow>({
        name: 'journal-whole',
        text: `select ${entryColumns} from journal where execution_id = $1 and account_id = $2 order by seq`,
        values: [id, accountId],
      })
      return rows.map(toEntry)
    },

    async journalParts(parts) {
      const { rows } = await pool.query<EntryRow & { readonly ordinal: number }>({
        name: 'journal-parts',
        // A range of the primary key for each part.
        text: `select k.ordinal::int4, j.*
          from unnest($1::uuid[], $2::uuid[], $3::int4[], $4::int4[]) with ordinality as k(account_id, id, first, below, ordinal)
          cross join lateral (
            select ${entryColumns} from journal
            where execution_id = k.id and account_id = k.account_id and seq >= k.first and seq < k.below order by seq limit ${partMax}
          ) j order by k.ordinal, j.seq`,
        values: [...columnsOf(parts), parts.map(({ from }) => from), parts.map(({ below }) => below)],
      })
      const byPart = Map.groupBy(rows, (row) => row.ordinal)
      return parts.map((_part, index) => (byPart.get(index + 1) ?? []).map(toEntry))
    },

    async revisions(keys) {
      const { rows } = await pool.query<ExecutionRevision & { readonly id: string }>({
        name: 'execution-revisions',
        // Two descents of primary keys for each: the row, and the end of the journal.
        text: `select e.id, e.state, e.started_at is not null as started,
            coalesce((select j.seq from journal j where j.execution_id = e.id order by j.seq desc limit 1), -1) + 1 as length
          from (select distinct * from unnest($1::uuid[], $2::uuid[]) as k(account_id, id)) k
          join executions e on e.id = k.id and e.account_id = k.account_id`,
        values: columnsOf(keys),
      })
      return new Map(rows.map(({ id, ...revision }) => [id, revision]))
    },

    async findByKey(accountId, key) {
      const { rows } = await pool.query<{ readonly id: string; readonly digest: string }>({
        name: 'execution-by-key',
        text: `select execution_id as id, digest from execution_keys where account_id = $1 and key = $2`,
        values: [accountId, key],
      })
      return rows[0]
    },
  }
}

function columnsOf(keys: readonly ExecutionKey[]): unknown[] {
  return [keys.map(({ accountId }) => accountId), keys.map(({ id }) => id)]
}
