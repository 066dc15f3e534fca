import type { JsonObject } from '@millrace/engine'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { causeOf } from '#modules/triggers/ends/end-types.ts'
import { failuresMax, type Trigger } from '#modules/triggers/model.ts'
import { forgetFirings, triggerColumns, triggerOf, type TriggerRow } from '#modules/triggers/trigger-store.ts'
import type { Rows } from '#platform/db/rows.ts'

type Executor = Kysely<Rows>

/** A firing that is not acknowledged by the engine. */
export interface ReadyFiring {
  readonly id: string
  readonly accountId: string
  readonly triggerId: string
  readonly cause: string
  readonly dueAt: Date
  /** Whether it was claimed before it was due and has not been tried since. */
  readonly isFirstTry: boolean
  readonly event: JsonObject | undefined
  /** The events of a complete set. */
  readonly events: readonly JsonObject[] | undefined
  /** The execution whose end is the cause; of a set, the last one. */
  readonly executionId: string | undefined
  /** How many executions caused the event, one after the other. */
  readonly depth: number
  /** Starts of it that failed. */
  readonly attempts: number
  /** Those of them that took too long. */
  readonly slowStarts: number
}

export interface NextTimes {
  /** When the next schedule that is not claimed is due, or was; undefined if none will be. */
  readonly dueAt: Date | undefined
  /** When the next firing is ready, or was; undefined without firings. */
  readonly readyAt: Date | undefined
}

/** What is due and ready next; others may have locked it. */
export async function findNextTimes(db: Executor): Promise<NextTimes> {
  const { rows } = await sql<{ due: Date | null; ready: Date | null }>`
    select (select min(next_at) from triggers) as due, (select min(ready_at) from trigger_firings) as ready`.execute(db)
  const { due = null, ready = null } = rows[0] ?? {}
  return { dueAt: due ?? undefined, readyAt: ready ?? undefined }
}

/** Until when schedules are claimed. */
export interface ClaimTimes {
  readonly now: Date
  /** Later than now: schedules are claimed ahead, except for those that depend on the end of an execution. */
  readonly until: Date
}

/**
 * Schedules that are due or soon will be, locked until the transaction ends. Other processes skip them. When there are more than the limit, the accounts of those that are
 * due have equal shares, so that many schedules of one do not delay those of the others; there may be fewer than the limit then, although more are due.
 * That costs a descent of triggers_due_of_account for each account with a schedule.
 */
export async function lockDueTriggers(tx: Executor, { now, until }: ClaimTimes, limit: number): Promise<readonly Trigger[]> {
  const isDue = (table: RawBuilder<unknown>) =>
    sql`${table}.next_at <= ${until} and (${table}.next_at <= ${now} or ${table}.settings -> 'schedule' -> 'spec' ->> 'kind' <> 'after')`
  const { rows } = await sql<TriggerRow>`
    with recursive ahead as materialized (
      select t.id from triggers t where ${isDue(sql`t`)} order by t.next_at limit ${limit + 1}
    ), crowded as materialized (
      select count(*) > ${limit} as is_crowded from ahead
    ), accounts as (
      (select account_id from triggers where next_at is not null and (select is_crowded from crowded) order by account_id limit 1)
      union all
      select (select n.account_id from triggers n where n.next_at is not null and n.account_id > a.account_id order by n.account_id limit 1)
      from accounts a where a.account_id is not null
    ), due_accounts as materialized (
      select account_id from accounts a
      where exists (select from triggers d where d.account_id = a.account_id and ${isDue(sql`d`)})
    ), shares as materialized (
      select ceil(${limit}::float8 / greatest(1, count(*)))::int4 as size from due_accounts
    ), chosen as materialized (
      (select o.id from due_accounts a cross join lateral (
        select id from triggers d where d.account_id = a.account_id and ${isDue(sql`d`)} order by d.next_at limit (select size from shares)
      ) o limit ${limit})
      union all
      select id from ahead where not (select is_crowded from crowded)
    )
    select ${triggerColumns} from triggers t where t.id = any(array(select id from chosen)) and ${isDue(sql`t`)}
    order by t.next_at for no key update skip locked`.execute(tx)
  return rows.map(triggerOf)
}

/** What becomes of a schedule that was due. */
export interface DuePlan {
  readonly trigger: Pick<Trigger, 'id' | 'accountId'>
  readonly dueAt: readonly number[]
  readonly nextAt: number | undefined
}

/** Further due times of a trigger are dropped while so many of its firings wait. */
const pendingMax = 100

/** Records the due times as firings, which are ready when they are due, and the next due times, in two statements however many there are. */
export async function recordDue(tx: Executor, now: Date, newId: () => string, plans: readonly DuePlan[]): Promise<void> {
  const firings = plans.flatMap(({ trigger, dueAt }) => dueAt.map((at) => ({ trigger, at })))
  await sql`
    insert into trigger_firings (id, account_id, trigger_id, cause, due_at, ready_at)
    select f.id, f.account_id, f.trigger_id, f.cause, f.due_at, greatest(f.due_at, ${now})
    from unnest(${firings.map(() => newId())}::uuid[], ${firings.map(({ trigger }) => trigger.accountId)}::uuid[],
      ${firings.map(({ trigger }) => trigger.id)}::uuid[], ${firings.map(({ at }) => `due:${at}`)}::text[],
      ${firings.map(({ at }) => new Date(at).toISOString())}::timestamptz[]) as f (id, account_id, trigger_id, cause, due_at)
    where (select count(*) from trigger_firings p where p.trigger_id = f.trigger_id) < ${pendingMax}
    on conflict (trigger_id, cause) do nothing`.execute(tx)
  await sql`
    update triggers t set next_at = p.next_at
    from unnest(${plans.map(({ trigger }) => trigger.id)}::uuid[],
      ${plans.map(({ nextAt }) => (nextAt === undefined ? null : new Date(nextAt).toISOString()))}::timestamptz[]) as p (id, next_at)
    where t.id = p.id`.execute(tx)
}

interface FiringRow {
  readonly id: string
  readonly account_id: string
  readonly trigger_id: string
  readonly cause: string
  readonly due_at: Date
  readonly ready_at: Date
  readonly event: string | null
  readonly events: string | null
  readonly execution_id: string | null
  readonly depth: number
  readonly attempts: number
  readonly slow_starts: number
}

/**
 * Firings that are ready, locked until the transaction ends. Other processes skip them and take the next ones. The accounts have equal shares of a batch,
 * so that many firings of one do not delay those of the others: each account is one descent of trigger_firings_of_account, and so are its oldest firings.
 */
export async function lockReadyFirings(tx: Executor, now: Date, limit: number): Promise<readonly ReadyFiring[]> {
  const { rows } = await sql<FiringRow>`
    with recursive accounts as (
      (select account_id from trigger_firings order by account_id limit 1)
      union all
      select (select f.account_id from trigger_firings f where f.account_id > a.account_id order by f.account_id limit 1)
      from accounts a where a.account_id is not null
    ), ready_accounts as materialized (
      select account_id from accounts a
      where exists (select from trigger_firings r where r.account_id = a.account_id and r.ready_at <= ${now})
    ), shares as materialized (
      select ceil(${limit}::float8 / greatest(1, count(*)))::int4 as size from ready_accounts
    ), chosen as materialized (
      select f.id from ready_accounts a cross join lateral (
        select o.id, o.ready_at, row_number() over (order by o.ready_at) as turn from (
          select id, ready_at from trigger_firings t where t.account_id = a.account_id and t.ready_at <= ${now}
          order by t.ready_at limit (select size from shares) for update skip locked
        ) o
      ) f
      order by f.turn, f.ready_at limit ${limit}
    )
    select f.id, f.account_id, f.trigger_id, f.cause, f.due_at, f.ready_at, f.event::text as event, f.events::text as events, f.execution_id, f.depth, f.attempts, f.slow_starts
    from trigger_firings f where f.id = any(array(select id from chosen))`.execute(tx)
  return rows
    .map((row) => ({
      id: row.id,
      accountId: row.account_id,
      triggerId: row.trigger_id,
      cause: row.cause,
      dueAt: row.due_at,
      isFirstTry: row.ready_at.getTime() === row.due_at.getTime(),
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A CloudEvent, which is an object.
      event: row.event === null ? undefined : (JSON.parse(row.event) as JsonObject),
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- CloudEvents, written by `insertSetFiring`.
      events: row.events === null ? undefined : (JSON.parse(row.events) as readonly JsonObject[]),
      executionId: row.execution_id ?? undefined,
      depth: row.depth,
      attempts: row.attempts,
      slowStarts: row.slow_starts,
    }))
    .toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime() || (a.id < b.id ? -1 : 1))
}

/** The start of a workflow with the events of a complete set. */
export async function insertSetFiring(
  tx: Executor,
  { accountId, triggerId }: Pick<ReadyFiring, 'accountId' | 'triggerId'>,
  set: {
    readonly id: string
    readonly firingId: string
    readonly events: readonly JsonObject[]
    readonly depth: number
    readonly at: Date
  },
): Promise<void> {
  await sql`
    insert into trigger_firings (id, account_id, trigger_id, cause, due_at, ready_at, events, execution_id, depth)
    values (${set.firingId}, ${accountId}, ${triggerId}, ${`set:${set.id}`}, ${set.at}, ${set.at}, ${JSON.stringify(set.events)},
      ${causeOf(set.events) ?? null}, ${set.depth})`.execute(tx)
}

/** The triggers of firings, locked so that a toggle waits for the starts; those that another transaction has locked are left out. */
export async function lockTriggersOf(tx: Executor, ids: readonly string[]): Promise<ReadonlyMap<string, Trigger>> {
  const { rows } = await sql<TriggerRow>`
    select ${triggerColumns} from triggers t where t.id = any(${ids}::uuid[]) for no key update skip locked`.execute(tx)
  return new Map(rows.map((row) => [row.id, triggerOf(row)]))
}

/** Locks triggers in the order of `recordResults`, and waits for those that another transaction has locked. */
export async function awaitTriggers(tx: Executor, ids: readonly string[]): Promise<void> {
  await sql`select from triggers where id = any(${ids}::uuid[]) order by id for no key update`.execute(tx)
}

/** When a trigger's next firing that the engine has not acknowledged is ready; undefined without one. */
export async function nextReadyAt(tx: Executor, triggerId: string): Promise<Date | undefined> {
  const { rows } = await sql<{ readonly at: Date | null }>`
    select min(ready_at) as at from trigger_firings where trigger_id = ${triggerId}`.execute(tx)
  return rows[0]?.at ?? undefined
}

export async function deleteFirings(tx: Executor, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await sql`delete from trigger_firings where id = any(${ids}::uuid[])`.execute(tx)
}

/** Deletes those of the firings whose trigger does not exist any more: an event may be emitted while its trigger is deleted. */
export async function deleteOrphans(tx: Executor, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    delete from trigger_firings f where f.id = any(${ids}::uuid[]) and not exists (select from triggers t where t.id = f.trigger_id)`.execute(
    tx,
  )
}

/** What has become of an attempt to start; none was made of a firing that waits for another one. */
export type Attempt = 'none' | 'failed' | 'slow'

/** A firing that is started at a later time. */
export interface Postponement {
  readonly id: string
  readonly at: Date
  readonly attempt: Attempt
}

/** Makes firings ready again at a later time. */
export async function postponeFirings(tx: Executor, firings: readonly Postponement[]): Promise<void> {
  if (firings.length === 0) return
  await sql`
    update trigger_firings f set ready_at = p.at, attempts = f.attempts + (p.attempt <> 'none')::int4,
      slow_starts = f.slow_starts + (p.attempt = 'slow')::int4
    from unnest(${firings.map(({ id }) => id)}::uuid[], ${firings.map(({ at }) => at.toISOString())}::timestamptz[],
      ${firings.map(({ attempt }) => attempt)}::text[]) as p (id, at, attempt)
    where f.id = p.id`.execute(tx)
}

/** The result of one start: an execution, or the reason why there is no one. */
export interface StartResult {
  readonly accountId: string
  readonly triggerId: string
  readonly executionId: string | undefined
  readonly error: string | undefined
  /** False for a failure that does not count towards the pause of the trigger. */
  readonly countsTowardsPause?: boolean
}

/** A trigger of which a start failed, or that was paused because too many did in a row. */
export interface FailedTrigger {
  readonly id: string
  readonly accountId: string
  readonly workflowId: string
  readonly name: string
  readonly reason: string
}

export interface RecordedResults {
  /** Triggers of which a start failed, the first in a row, by a failure that counts. */
  readonly failing: readonly FailedTrigger[]
  readonly paused: readonly FailedTrigger[]
}

/** Records the last result of each trigger, and pauses those of which ten starts in a row failed, by failures that count. */
export async function recordResults(executor: Executor, at: Date, results: readonly StartResult[]): Promise<RecordedResults> {
  const last = new Map<string, { readonly result: StartResult; readonly failures: number; readonly resets: boolean }>()
  for (const result of results) {
    const before = last.get(result.triggerId)
    if (result.error === undefined) last.set(result.triggerId, { result, failures: 0, resets: true })
    else
      last.set(result.triggerId, {
        result: { ...result, executionId: before?.result.executionId },
        failures: (before?.failures ?? 0) + (result.countsTowardsPause === false ? 0 : 1),
        resets: before?.resets ?? false,
      })
  }
  const rows = [...last.values()].toSorted((a, b) => (a.result.triggerId < b.result.triggerId ? -1 : 1))
  if (rows.length === 0) return { failing: [], paused: [] }
  const { rows: failed } = await sql<FailedRow>`
    with r as (
      select * from unnest(${rows.map(({ result }) => result.triggerId)}::uuid[], ${rows.map(({ result }) => result.accountId)}::uuid[],
        ${rows.map(({ result }) => result.executionId ?? null)}::uuid[], ${rows.map(({ result }) => result.error ?? null)}::text[],
        ${rows.map(({ failures }) => failures)}::int[], ${rows.map(({ resets }) => resets)}::bool[])
        as r (id, account_id, execution_id, error, failures, resets)
    ), locked as materialized (
      select t.id from triggers t join r on r.id = t.id and r.account_id = t.account_id order by t.id for no key update of t
    ), updated as (
      update triggers t set last_fired_at = ${at}, last_execution_id = coalesce(r.execution_id, t.last_execution_id), last_error = r.error,
        failures = r.failures + case when r.resets then 0 else t.failures end
      from r join locked l on l.id = r.id where t.id = r.id and t.account_id = r.account_id
      returning t.id, t.account_id, t.workflow_id, t.name, t.enabled, t.failures, r.failures as new_failures, t.last_error
    )
    select id, account_id, workflow_id, name, last_error, failures >= ${failuresMax} as is_paused from updated
    where enabled and (failures >= ${failuresMax} or (new_failures > 0 and failures = new_failures))`.execute(executor)
  const failing = failed.filter((row) => !row.is_paused).map((row) => ({ ...triggerIn(row), reason: row.last_error ?? 'unknown' }))
  return {
    failing,
    paused: await pause(
      executor,
      at,
      failed.filter((row) => row.is_paused),
    ),
  }
}

function triggerIn({ id, account_id: accountId, workflow_id: workflowId, name }: FailedRow) {
  return { id, accountId, workflowId, name }
}

interface FailedRow {
  readonly id: string
  readonly account_id: string
  readonly workflow_id: string
  readonly name: string
  readonly last_error: string | null
  readonly is_paused: boolean
}

async function pause(executor: Executor, at: Date, rows: readonly FailedRow[]): Promise<readonly FailedTrigger[]> {
  const paused = rows.map((row) => ({
    ...triggerIn(row),
    reason: `${failuresMax} starts in a row failed. The last reason: ${row.last_error ?? 'unknown'}`,
  }))
  await pauseTriggers(executor, at, paused)
  return paused
}

/** Disables triggers for a reason, and forgets what they have not started. */
export async function pauseTriggers(executor: Executor, at: Date, paused: readonly FailedTrigger[]): Promise<void> {
  for (const { id, accountId, reason } of paused) {
    await sql`
      update triggers set enabled = false, next_at = null, paused_reason = ${reason}, revision = revision + 1, updated_at = ${at},
        updated_by = 'system:triggers'
      where account_id = ${accountId} and id = ${id} and enabled`.execute(executor)
    await sql`update trigger_watches set look_at = null where account_id = ${accountId} and trigger_id = ${id}`.execute(executor)
    await forgetFirings(executor, accountId, id)
  }
}
