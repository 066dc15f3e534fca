import { type EntryRow, type JournalEntry, toEntry } from '@millrace/engine'
import { createBatcher } from '#platform/batching/batcher.ts'
import type { Prepared } from '#platform/db/prepared.ts'
import type { ExecutionKey } from './find-started.ts'

/** A part of a journal. */
export interface JournalPart {
  readonly accountId: string
  readonly id: string
  /** Number of the first entry. */
  readonly from: number
  /** Number behind the last. */
  readonly below: number
}

const columns = 'seq, position, phase, kind, ok, value, decisions, started_at, ended_at'

/** What an execution has durably done. */
export function createWholeJournalReader(pool: Prepared): (key: ExecutionKey) => Promise<readonly JournalEntry[]> {
  return async ({ accountId, id }) => {
    const { rows } = await pool.query<EntryRow>({
      name: 'journal-whole',
      text: `select ${columns} from journal where execution_id = $1 and account_id = $2 order by seq`,
      values: [id, accountId],
    })
    return rows.map(toEntry)
  }
}

/** Entries of one part that are read at a time: they may be large. */
const pageMax = 50

/** Reads parts of journals from their beginnings, no more than a page of each, many in one statement. */
export function createJournalReader(pool: Prepared): (part: JournalPart) => Promise<readonly JournalEntry[]> {
  return createBatcher({ load: (parts) => load(pool, parts), lanes: 2, keysMax: 20 })
}

async function load(pool: Prepared, parts: readonly JournalPart[]): Promise<readonly (readonly JournalEntry[])[]> {
  const { rows } = await pool.query<EntryRow & { readonly ordinal: number }>({
    name: 'journal-parts',
    // A range of the primary key for each part.
    text: `select k.ordinal::int4, j.*
      from unnest($1::uuid[], $2::uuid[], $3::int4[], $4::int4[]) with ordinality as k(account_id, id, first, below, ordinal)
      cross join lateral (
        select ${columns} from journal
        where execution_id = k.id and account_id = k.account_id and seq >= k.first and seq < k.below order by seq limit ${pageMax}
      ) j order by k.ordinal, j.seq`,
    values: [
      parts.map((part) => part.accountId),
      parts.map((part) => part.id),
      parts.map((part) => part.from),
      parts.map((part) => part.below),
    ],
  })
  const byPart = Map.groupBy(rows, (row) => row.ordinal)
  return parts.map((_part, index) => (byPart.get(index + 1) ?? []).map(toEntry))
}
