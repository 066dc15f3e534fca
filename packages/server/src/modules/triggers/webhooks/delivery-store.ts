import type { JsonObject } from '@millrace/engine'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

type Executor = Kysely<Rows>

export type DeliveryOutcome = 'started' | 'duplicate' | 'refused' | 'failed' | 'received' | 'ignored'

/** A request to the URL of a webhook, as a list shows it. */
export interface DeliverySummary {
  readonly id: string
  readonly triggerId: string
  readonly at: Date
  readonly method: string
  readonly address: string
  readonly outcome: DeliveryOutcome
  /** Whether it was sent to the test URL. */
  readonly test: boolean
  readonly status: number
  readonly reason: string | undefined
  readonly deliveryId: string | undefined
  readonly contentDigest: string | undefined
  readonly contentType: string | undefined
  readonly bytes: number
  readonly executionId: string | undefined
  readonly replayable: boolean
}

/** A request to be recorded. */
export interface NewDelivery extends Omit<DeliverySummary, 'replayable'> {
  readonly accountId: string
  /** False for a failure that says nothing about the trigger. */
  readonly counts?: boolean
  /** What the mapping got; undefined of a request that was refused. */
  readonly content: JsonObject | undefined
}

interface DeliveryRow {
  readonly id: string
  readonly trigger_id: string
  readonly at: Date
  readonly method: string
  readonly address: string
  readonly outcome: DeliveryOutcome
  readonly test: boolean
  readonly status: number
  readonly reason: string | null
  readonly delivery_id: string | null
  readonly content_digest: string | null
  readonly content_type: string | null
  readonly bytes: number
  readonly execution_id: string | null
  readonly replayable: boolean
}

/** Records requests; those to triggers that were deleted meanwhile are left out. */
export async function insertDeliveries(db: Executor, deliveries: readonly NewDelivery[]): Promise<void> {
  const all = <T>(of: (delivery: NewDelivery) => T) => deliveries.map(of)
  await sql`
    insert into webhook_deliveries (id, account_id, trigger_id, at, method, address, outcome, status, reason, delivery_id, content_digest, content_type,
      bytes, content, execution_id, test)
    select d.id, t.account_id, t.id, d.at, d.method, d.address, d.outcome, d.status, d.reason, d.delivery_id, d.content_digest, d.content_type,
      d.bytes, d.content::json, d.execution_id, d.test
    from unnest(${all(({ id }) => id)}::uuid[], ${all(({ accountId }) => accountId)}::uuid[], ${all(({ triggerId }) => triggerId)}::uuid[],
      ${all(({ at }) => at.toISOString())}::timestamptz[], ${all(({ method }) => method)}::text[], ${all(({ address }) => address)}::text[],
      ${all(({ outcome }) => outcome)}::text[], ${all(({ status }) => status)}::int[], ${all(({ reason }) => reason ?? null)}::text[],
      ${all(({ deliveryId }) => deliveryId ?? null)}::text[], ${all(({ contentDigest }) => contentDigest ?? null)}::text[],
      ${all(({ contentType }) => contentType ?? null)}::text[], ${all(({ bytes }) => bytes)}::int[],
      ${all(({ content }) => (content === undefined ? null : JSON.stringify(content)))}::text[],
      ${all(({ executionId }) => executionId ?? null)}::uuid[], ${all(({ test }) => test)}::bool[])
      as d (id, account_id, trigger_id, at, method, address, outcome, status, reason, delivery_id, content_digest, content_type, bytes, content,
        execution_id, test)
    join triggers t on t.account_id = d.account_id and t.id = d.trigger_id`.execute(db)
}

/**
 * Those of the deliveries, which this transaction has recorded as failed, that repeat another one: one with the same id, or without an id the same content,
 * that failed in the day before. Ids order only those of this transaction: an earlier one may have recorded a later id. By webhook_deliveries_failed.
 */
export async function findRepeatedFailures(db: Executor, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ readonly id: string }>`
    select d.id from webhook_deliveries d where d.id = any(${ids}::uuid[]) and exists (
      select from webhook_deliveries e
      where e.account_id = d.account_id and e.trigger_id = d.trigger_id and e.outcome = 'failed' and not e.test
        and (e.id < d.id or e.id <> all(${ids}::uuid[]))
        and coalesce(e.delivery_id, e.content_digest) = coalesce(d.delivery_id, d.content_digest) and e.at > d.at - interval '1 day'
    )`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

const columns = sql`id, trigger_id, at, method, address, outcome, test, status, reason, delivery_id, content_digest, content_type, bytes, execution_id,
  content is not null as replayable`

export interface DeliveryFilter {
  readonly outcome: DeliveryOutcome | undefined
  readonly test: boolean | undefined
  readonly before: string | undefined
  readonly limit: number
}

export async function listDeliveries(
  tx: Executor,
  accountId: string,
  triggerId: string,
  { outcome, test, before, limit }: DeliveryFilter,
): Promise<readonly DeliverySummary[]> {
  const { rows } = await sql<DeliveryRow>`
    select ${columns} from webhook_deliveries
    where account_id = ${accountId} and trigger_id = ${triggerId} ${outcome === undefined ? sql`` : sql`and outcome = ${outcome}`}
      ${test === undefined ? sql`` : sql`and test = ${test}`} ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`.execute(tx)
  return rows.map(summaryOf)
}

function summaryOf(row: DeliveryRow): DeliverySummary {
  return {
    id: row.id,
    triggerId: row.trigger_id,
    at: row.at,
    method: row.method,
    address: row.address,
    outcome: row.outcome,
    test: row.test,
    status: row.status,
    reason: row.reason ?? undefined,
    deliveryId: row.delivery_id ?? undefined,
    contentDigest: row.content_digest ?? undefined,
    contentType: row.content_type ?? undefined,
    bytes: row.bytes,
    executionId: row.execution_id ?? undefined,
    replayable: row.replayable,
  }
}

/** The execution that a delivery with the same content has started since a time. */
export async function findSameContent(
  db: Executor,
  { id, accountId }: { readonly id: string; readonly accountId: string },
  digest: string,
  since: Date,
): Promise<string | undefined> {
  const { rows } = await sql<{ readonly execution_id: string | null }>`
    select execution_id from webhook_deliveries
    where account_id = ${accountId} and trigger_id = ${id} and content_digest = ${digest} and outcome = 'started' and at > ${since}
    order by id desc limit 1`.execute(db)
  return rows[0]?.execution_id ?? undefined
}

/** A delivery, with its content if it was sent to the test URL. */
export async function findDelivery(
  tx: Executor,
  accountId: string,
  id: string,
): Promise<(DeliverySummary & { readonly content: JsonObject | undefined }) | undefined> {
  const { rows } = await sql<DeliveryRow & { readonly content: string | null }>`
    select ${columns}, case when test then content::text end as content from webhook_deliveries
    where account_id = ${accountId} and id = ${id}`.execute(tx)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written by `insertDeliveries` from an object.
  return rows[0] && { ...summaryOf(rows[0]), content: rows[0].content === null ? undefined : (JSON.parse(rows[0].content) as JsonObject) }
}

/** The content of a delivery with its trigger; the content is undefined if it was refused. */
export async function findContent(
  tx: Executor,
  accountId: string,
  id: string,
): Promise<{ readonly triggerId: string; readonly test: boolean; readonly content: JsonObject | undefined } | undefined> {
  const { rows } = await sql<{ readonly trigger_id: string; readonly test: boolean; readonly content: string | null }>`
    select trigger_id, test, content::text as content from webhook_deliveries where account_id = ${accountId} and id = ${id}`.execute(tx)
  const row = rows[0]
  if (row === undefined) return undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written by `insertDeliveries` from an object.
  const content = row.content === null ? undefined : (JSON.parse(row.content) as JsonObject)
  return { triggerId: row.trigger_id, test: row.test, content }
}

const perTriggerMax = 1_000

/** Deletes old deliveries, at most `limit`. @returns how many */
export async function deleteOldDeliveries(db: Executor, before: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from webhook_deliveries where id in (
      select id from webhook_deliveries where at < ${before} order by at limit ${limit} for update skip locked)`.execute(db)
  return Number(numAffectedRows)
}

/** Deletes deliveries of busy webhooks beyond the last 1,000. */
export async function deleteExcessDeliveries(db: Executor): Promise<void> {
  await sql`
    delete from webhook_deliveries d using (
      select t.id as trigger_id, (
        select b.id from webhook_deliveries b where b.trigger_id = t.id order by b.id desc offset ${perTriggerMax} limit 1
      ) as last_id
      from triggers t where t.kind = 'webhook'
        -- What a filter ignores is kept without a start.
        and (greatest(t.last_fired_at, t.test_until) > now() - interval '1 day' or t.settings ->> 'filter' is not null)
    ) x where d.trigger_id = x.trigger_id and d.id <= x.last_id`.execute(db)
}
