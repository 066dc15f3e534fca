import { type Kysely, sql } from 'kysely'
import type { ScheduleSettings } from '#modules/triggers/model.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { ReadyFiring } from './firing-store.ts'

type Executor = Kysely<Rows>

/** A due time, or what an event or a watch starts, that a quota has refused. */
export interface Refused {
  readonly firing: Pick<ReadyFiring, 'id' | 'accountId' | 'triggerId' | 'cause' | 'dueAt'>
  /** Undefined for events and items of watches. */
  readonly schedule: Pick<ScheduleSettings, 'missed' | 'missedMax'> | undefined
  readonly reason: string
}

/** What did not start when it was due. */
export interface SkippedTime {
  /** Of the firing. */
  readonly cause: string
  readonly dueAt: Date
  readonly at: Date
  readonly reason: string
  /** `waiting`: it starts when the quota allows it. */
  readonly state: 'waiting' | 'started' | 'skipped'
  readonly executionId: string | undefined
}

/** What becomes of due times that a quota has refused. */
export interface RecordedSkips {
  /** Firings that are kept to be made up for; the others are over. */
  readonly keptIds: ReadonlySet<string>
  /** Accounts whose first refused start within a day is among them. */
  readonly newAccounts: readonly string[]
}

/**
 * Records starts that a quota has refused, and decides which of them are made up for: of a schedule by its policy for missed times none, the earliest
 * one, or the earliest ones up to its limit; of events and items the earliest ones. Events and items beyond those are not recorded, since there may be
 * any number of them. The rows of the triggers are locked.
 */
export async function recordSkips(tx: Executor, now: Date, refused: readonly Refused[]): Promise<RecordedSkips> {
  if (refused.length === 0) return { keptIds: new Set(), newAccounts: [] }
  const accounts = [...new Set(refused.map(({ firing }) => firing.accountId))]
  const { rows: recent } = await sql<{ readonly account_id: string }>`
    select a.id as account_id from unnest(${accounts}::uuid[]) as a (id)
    where exists (select from trigger_skips s where s.account_id = a.id and s.at > ${now}::timestamptz - interval '1 day')`.execute(tx)
  const triggers = [...new Set(refused.map(({ firing }) => firing.triggerId))]
  const { rows: waiting } = await sql<{ readonly trigger_id: string; readonly cause: string }>`
    select s.trigger_id, s.cause from trigger_skips s join trigger_firings f on f.trigger_id = s.trigger_id and f.cause = s.cause
    where s.trigger_id = any(${triggers}::uuid[])`.execute(tx)
  const keptIds = keptOf(
    refused,
    waiting.map(({ trigger_id: triggerId, cause }) => ({ triggerId, cause })),
  )
  const recorded = refused.filter(({ firing, schedule }) => schedule !== undefined || keptIds.has(firing.id))
  const column = <V>(of: (one: Refused) => V) => recorded.map(of)
  await sql`
    insert into trigger_skips (account_id, trigger_id, cause, due_at, at, reason)
    select r.account_id, r.trigger_id, r.cause, r.due_at, ${now}, r.reason from unnest(${column(({ firing }) => firing.accountId)}::uuid[],
      ${column(({ firing }) => firing.triggerId)}::uuid[], ${column(({ firing }) => firing.cause)}::text[],
      ${column(({ firing }) => firing.dueAt.toISOString())}::timestamptz[], ${column(({ reason }) => reason)}::text[])
      as r (account_id, trigger_id, cause, due_at, reason)
    on conflict (trigger_id, cause) do update set reason = excluded.reason`.execute(tx)
  const known = new Set(recent.map(({ account_id: id }) => id))
  return { keptIds, newAccounts: accounts.filter((id) => !known.has(id)) }
}

/** The firings that are made up for, the earliest first, beside those that wait already. */
function keptOf(
  refused: readonly Refused[],
  waiting: readonly { readonly triggerId: string; readonly cause: string }[],
): ReadonlySet<string> {
  const kept = new Set<string>()
  for (const [triggerId, ofTrigger] of Map.groupBy(refused, ({ firing }) => firing.triggerId)) {
    const causes = new Set(ofTrigger.map(({ firing }) => firing.cause))
    let others = waiting.filter((one) => one.triggerId === triggerId && !causes.has(one.cause)).length
    for (const { firing, schedule } of ofTrigger.toSorted((a, b) => a.firing.dueAt.getTime() - b.firing.dueAt.getTime())) {
      if (others >= keptMaxOf(schedule)) break
      kept.add(firing.id)
      others++
    }
  }
  return kept
}

/** Events and items that wait for the quota, of one trigger. */
export const waitingMax = 1_000

function keptMaxOf(schedule: Refused['schedule']): number {
  if (schedule === undefined) return waitingMax
  const { missed, missedMax } = schedule
  switch (missed) {
    case 'skip':
      return 0
    case 'once':
      return 1
    case 'all':
      return missedMax
  }
}

/** Records what starts that a quota had refused have become. */
export async function recordMadeUp(
  tx: Executor,
  started: readonly { readonly triggerId: string; readonly cause: string; readonly executionId: string }[],
): Promise<void> {
  if (started.length === 0) return
  await sql`
    update trigger_skips s set execution_id = r.execution_id
    from unnest(${started.map(({ triggerId }) => triggerId)}::uuid[], ${started.map(({ cause }) => cause)}::text[],
      ${started.map(({ executionId }) => executionId)}::uuid[]) as r (trigger_id, cause, execution_id)
    where s.trigger_id = r.trigger_id and s.cause = r.cause`.execute(tx)
}

/** Starts of a trigger that a quota has refused, the latest first. */
export async function listSkips(
  tx: Executor,
  accountId: string,
  triggerId: string,
  { before, limit }: { readonly before: { readonly dueAt: Date; readonly cause: string } | undefined; readonly limit: number },
): Promise<readonly SkippedTime[]> {
  const { rows } = await sql<{
    readonly cause: string
    readonly due_at: Date
    readonly at: Date
    readonly reason: string
    readonly execution_id: string | null
    readonly waits: boolean
  }>`
    select cause, due_at, at, reason, execution_id,
      exists (select from trigger_firings f where f.trigger_id = s.trigger_id and f.cause = s.cause) as waits
    from trigger_skips s where account_id = ${accountId} and trigger_id = ${triggerId}
      ${before === undefined ? sql`` : sql`and (due_at, cause) < (${before.dueAt}::timestamptz, ${before.cause})`}
    order by due_at desc, cause desc limit ${limit}`.execute(tx)
  return rows.map((row) => ({
    cause: row.cause,
    dueAt: row.due_at,
    at: row.at,
    reason: row.reason,
    state: row.execution_id === null ? (row.waits ? 'waiting' : 'skipped') : 'started',
    executionId: row.execution_id ?? undefined,
  }))
}

/** Deletes those that were refused before a time, at most `limit`. */
export async function deleteOldSkips(db: Executor, before: Date, limit: number): Promise<void> {
  await sql`
    delete from trigger_skips where (trigger_id, cause) in (
      select trigger_id, cause from trigger_skips where at < ${before} order by at limit ${limit} for update skip locked
    )`.execute(db)
}
