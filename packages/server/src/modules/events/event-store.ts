import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { leastId } from '#platform/ids.ts'
import type { EventHead, KeptEvent } from './model.ts'

export type Executor = Kysely<Rows>

export interface EventFilter {
  readonly type: string | undefined
  readonly source: string | undefined
  readonly since: Date | undefined
  readonly until: Date | undefined
}

interface HeadRow {
  readonly id: string
  readonly event_id: string
  readonly source: string
  readonly type: string
  readonly received_at: Date
  readonly expires_at: Date
  readonly matched: boolean
  readonly taken: boolean
}

const columns = sql`id, event_id, source, type, received_at, expires_at, matched_at is not null as matched, taken`

/** Clocks of several machines make ids and times disagree by no more than this. */
const disagreementMs = 60_000

/** Events that are kept, newest first. Times are bounds of ids first, which the indexes know. */
export async function listEvents(
  tx: Executor,
  accountId: string,
  { type, source, since, until }: EventFilter,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly EventHead[]> {
  const conditions: RawBuilder<unknown>[] = [sql`account_id = ${accountId}`]
  if (type !== undefined) conditions.push(sql`type = ${type}`)
  if (source !== undefined) conditions.push(sql`source = ${source}`)
  if (before !== undefined) conditions.push(sql`id < ${before}`)
  if (since !== undefined) conditions.push(sql`id >= ${leastId(since.getTime() - disagreementMs)} and received_at >= ${since}`)
  if (until !== undefined) conditions.push(sql`id < ${leastId(until.getTime() + disagreementMs)} and received_at < ${until}`)
  const { rows } = await sql<HeadRow>`
    select ${columns} from events where ${sql.join(conditions, sql` and `)} order by id desc limit ${limit}`.execute(tx)
  return rows.map(headOf)
}

export async function findEvent(tx: Executor, accountId: string, id: string): Promise<KeptEvent | undefined> {
  const { rows } = await sql<HeadRow & { readonly envelope: string }>`
    select ${columns}, envelope from events where account_id = ${accountId} and id = ${id}`.execute(tx)
  return rows[0] === undefined ? undefined : { ...headOf(rows[0]), envelope: rows[0].envelope }
}

function headOf(row: HeadRow): EventHead {
  return {
    id: row.id,
    eventId: row.event_id,
    source: row.source,
    type: row.type,
    receivedAt: row.received_at,
    expiresAt: row.expires_at,
    state: row.taken ? 'taken' : row.matched ? 'kept' : 'received',
  }
}
