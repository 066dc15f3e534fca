import type { Json } from '@millrace/engine'
import { type Kysely, sql } from 'kysely'
import type { Trigger } from '#modules/triggers/model.ts'
import { triggerColumns, triggerOf, type TriggerRow } from '#modules/triggers/trigger-store.ts'
import type { Rows } from '#platform/db/rows.ts'

type Executor = Kysely<Rows>

/** A watch that this process looks at. */
export interface ClaimedWatch {
  readonly trigger: Trigger
  readonly position: Json | undefined
  readonly failures: number
  /** Grows with every look; the result of an older one is dropped. */
  readonly claim: number
}

/** Watches that are due and that a turn considers. */
const consideredMax = 2_000

export interface ClaimOptions {
  readonly now: Date
  /** When others may look if this process has died. */
  readonly leaseUntil: Date
  readonly limit: number
  /** Of one account. */
  readonly perAccount: number
  /** Accounts with enough looks in progress. */
  readonly busyAccounts: readonly string[]
}

/** Whether watches are due, which others may have locked. */
export async function hasDueWatches(db: Executor, now: Date): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`select exists (select from trigger_watches where look_at <= ${now}) as has`.execute(db)
  return rows[0]?.has ?? false
}

/** Claims watches that are due. The accounts take turns; other processes skip what is claimed. */
export async function claimWatches(tx: Executor, options: ClaimOptions): Promise<readonly ClaimedWatch[]> {
  const { now, leaseUntil, limit, perAccount, busyAccounts } = options
  const { rows: claimed } = await sql<{
    readonly trigger_id: string
    readonly position: string | null
    readonly failures: number
    readonly claim: number
  }>`
    with due as materialized (
      select trigger_id, account_id, look_at from trigger_watches
      where look_at <= ${now} and account_id <> all(${busyAccounts}::uuid[]) order by look_at limit ${consideredMax}
    ), chosen as materialized (
      select trigger_id from (select d.*, row_number() over (partition by d.account_id order by d.look_at) as turn from due d) t
      where turn <= ${perAccount} order by turn, look_at limit ${limit}
    ), locked as materialized (
      select trigger_id from trigger_watches where trigger_id = any(array(select trigger_id from chosen)) and look_at <= ${now}
      for no key update skip locked
    )
    update trigger_watches w set look_at = ${leaseUntil}, claim = w.claim + 1 from locked where w.trigger_id = locked.trigger_id
    returning w.trigger_id, w.position::text as position, w.failures, w.claim`.execute(tx)
  if (claimed.length === 0) return []
  const ids = claimed.map(({ trigger_id: id }) => id)
  const { rows } = await sql<TriggerRow>`select ${triggerColumns} from triggers t where t.id = any(${ids}::uuid[])`.execute(tx)
  const triggers = new Map(rows.map((row) => [row.id, triggerOf(row)]))
  return claimed.flatMap(({ trigger_id: id, position, failures, claim }) => {
    const trigger = triggers.get(id)
    if (trigger === undefined) return []
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A column of type json.
    return [{ trigger, failures, claim, position: position === null ? undefined : (JSON.parse(position) as Json) }]
  })
}

/** Items of a trigger that have not started yet. */
export async function countPending(executor: Executor, accountId: string, triggerId: string): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from trigger_firings where account_id = ${accountId} and trigger_id = ${triggerId}`.execute(executor)
  return rows[0]?.count ?? 0
}

/** What becomes of a watch after a look. */
export interface LookResult {
  readonly claim: number
  readonly at: Date
  readonly lookAt: Date
  /** Undefined if it has not changed. */
  readonly position: Json | undefined
}

/** Records a look. False if another one has begun since, or the trigger was disabled: then nothing may start. */
export async function recordLook(tx: Executor, { id, accountId }: Pick<Trigger, 'id' | 'accountId'>, result: LookResult): Promise<boolean> {
  const position = result.position === undefined ? null : JSON.stringify(result.position)
  const { rows } = await sql`
    update trigger_watches set position = coalesce(${position}::json, position), look_at = ${result.lookAt}, looked_at = ${result.at}, failures = 0,
      problem = null
    where account_id = ${accountId} and trigger_id = ${id} and claim = ${result.claim} and look_at is not null returning 1 as one`.execute(
    tx,
  )
  return rows.length > 0
}

/** Moves the next look of a watch without a result. */
export async function postponeLook(
  executor: Executor,
  { id, accountId }: Pick<Trigger, 'id' | 'accountId'>,
  { claim, lookAt }: Pick<LookResult, 'claim' | 'lookAt'>,
): Promise<void> {
  await sql`
    update trigger_watches set look_at = ${lookAt}
    where account_id = ${accountId} and trigger_id = ${id} and claim = ${claim} and look_at is not null`.execute(executor)
}

/** Records a look that failed. @returns the failures in a row; undefined if the look was overtaken. */
export async function recordFailedLook(
  tx: Executor,
  { id, accountId }: Pick<Trigger, 'id' | 'accountId'>,
  { claim, lookAt, problem }: Pick<LookResult, 'claim' | 'lookAt'> & { readonly problem: string },
): Promise<number | undefined> {
  const { rows } = await sql<{ readonly failures: number }>`
    update trigger_watches set look_at = ${lookAt}, failures = failures + 1, problem = ${problem}
    where account_id = ${accountId} and trigger_id = ${id} and claim = ${claim} and look_at is not null returning failures`.execute(tx)
  return rows[0]?.failures
}

/** An item that starts the workflow of its trigger once. */
export interface ItemFiring {
  readonly id: string
  readonly cause: string
  readonly data: string
}

export async function insertItemFirings(
  tx: Executor,
  { id, accountId }: Pick<Trigger, 'id' | 'accountId'>,
  { now, firings }: { readonly now: Date; readonly firings: readonly ItemFiring[] },
): Promise<void> {
  if (firings.length === 0) return
  // Their order is that of the due times.
  await sql`
    insert into trigger_firings (id, account_id, trigger_id, cause, due_at, event, ready_at)
    select f.id, ${accountId}, ${id}, f.cause, ${now}::timestamptz + make_interval(secs => f.n / 1000.0), f.event::json, ${now}
    from unnest(${firings.map((firing) => firing.id)}::uuid[], ${firings.map(({ cause }) => cause)}::text[],
      ${firings.map(({ data }) => data)}::text[]) with ordinality as f (id, cause, event, n)
    on conflict (trigger_id, cause) do nothing`.execute(tx)
}
