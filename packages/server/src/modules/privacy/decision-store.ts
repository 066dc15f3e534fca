import type { privacyActions, privacySources } from '@millrace/contract'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

type Executor = Kysely<Rows>

/** What was examined, found and done, without the data. */
export interface Decision {
  readonly id: string
  readonly at: Date
  readonly source: (typeof privacySources)[number]
  readonly action: (typeof privacyActions)[number]
  /** As `kind:id`. */
  readonly actor: string
  readonly workflowId: string | undefined
  readonly target: string | undefined
  readonly purpose: string | undefined
  readonly reason: string | undefined
  readonly counts: Readonly<Record<string, number>>
  readonly characters: number
}

export interface DecisionFilter {
  readonly limit: number
  readonly before: string | undefined
  readonly source: Decision['source'] | undefined
  readonly action: Decision['action'] | undefined
  readonly workflowId: string | undefined
}

interface DecisionRow {
  readonly id: string
  readonly at: Date
  readonly source: Decision['source']
  readonly action: Decision['action']
  readonly actor: string
  readonly workflow_id: string | null
  readonly target: string | null
  readonly purpose: string | null
  readonly reason: string | null
  readonly counts: Readonly<Record<string, number>>
  readonly characters: number
}

const columns = sql`id, at, source, action, actor, workflow_id, target, purpose, reason, counts, characters`

export async function insertDecision(tx: Executor, accountId: string, decision: Decision): Promise<void> {
  const { id, at, source, action, actor, workflowId, target, purpose, reason, counts, characters } = decision
  await sql`
    insert into privacy_decisions (id, account_id, at, source, action, actor, workflow_id, target, purpose, reason, counts, characters)
    values (${id}, ${accountId}, ${at}, ${source}, ${action}, ${actor}, ${workflowId ?? null}, ${target ?? null}, ${purpose ?? null},
      ${reason ?? null}, ${JSON.stringify(counts)}, ${characters})`.execute(tx)
}

export async function listDecisions(tx: Executor, accountId: string, filter: DecisionFilter): Promise<readonly Decision[]> {
  const { limit, before, source, action, workflowId } = filter
  const conditions = [
    sql`account_id = ${accountId}`,
    ...(before === undefined ? [] : [sql`id < ${before}`]),
    ...(source === undefined ? [] : [sql`source = ${source}`]),
    ...(action === undefined ? [] : [sql`action = ${action}`]),
    ...(workflowId === undefined ? [] : [sql`workflow_id = ${workflowId}`]),
  ]
  const { rows } = await sql<DecisionRow>`
    select ${columns} from privacy_decisions
    where ${sql.join(conditions, sql` and `)} order by id desc limit ${limit}`.execute(tx)
  return rows.map(decisionOf)
}

const aboutMax = 1_000

/** The first decisions about one thing, as `kind:id`, oldest first. */
export async function decisionsAbout(tx: Executor, accountId: string, target: string): Promise<readonly Decision[]> {
  const { rows } = await sql<DecisionRow>`
    select ${columns} from privacy_decisions where account_id = ${accountId} and target = ${target} order by id limit ${aboutMax}`.execute(
    tx,
  )
  return rows.map(decisionOf)
}

/** Decisions and findings of one day, source, action and kind; a decision without findings has the kind `''`. */
export interface DecisionFigure {
  readonly date: string
  readonly source: string
  readonly action: string
  readonly decisions: number
  readonly counts: Readonly<Record<string, number>>
}

export async function sumDecisions(tx: Executor, accountId: string, from: Date, to: Date): Promise<readonly DecisionFigure[]> {
  const { rows } = await sql<DecisionFigure>`
    with found as (
      select (at at time zone 'UTC')::date::text as date, source, action, counts from privacy_decisions
      where account_id = ${accountId} and at >= ${from} and at < ${to}
    ), decisions as (
      select date, source, action, count(*)::int4 as decisions from found group by date, source, action
    ), kinds as (
      select date, source, action, k.key, sum(k.value::int8)::int8 as total from found, jsonb_each_text(counts) k group by date, source, action, k.key
    )
    select d.date, d.source, d.action, d.decisions, coalesce(jsonb_object_agg(k.key, k.total) filter (where k.key is not null), '{}') as counts
    from decisions d left join kinds k using (date, source, action)
    group by d.date, d.source, d.action, d.decisions order by d.date`.execute(tx)
  return rows
}

/** Findings by workflow and kind since a time. */
export async function sumByWorkflow(
  tx: Executor,
  accountId: string,
  since: Date,
): Promise<readonly { readonly workflowId: string; readonly action: string; readonly kind: string; readonly total: number }[]> {
  const { rows } = await sql<{ workflow_id: string; action: string; key: string; total: number }>`
    select workflow_id, action, k.key, sum(k.value::int8)::int4 as total from privacy_decisions, jsonb_each_text(counts) k
    where account_id = ${accountId} and source in ('execution', 'journal', 'output', 'prompts', 'logs') and workflow_id is not null and at >= ${since}
    group by workflow_id, action, k.key`.execute(tx)
  return rows.map(({ workflow_id: workflowId, action, key: kind, total }) => ({ workflowId, action, kind, total }))
}

/** Deletes decisions from before a time, at most `limit`. @returns how many */
export async function deleteOldDecisions(db: Executor, before: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from privacy_decisions where id = any(array(
      select id from privacy_decisions where at < ${before} order by at limit ${limit} for update skip locked))`.execute(db)
  return Number(numAffectedRows)
}

export async function deletePrivacyOf(tx: Executor, accountId: string): Promise<void> {
  await sql`delete from privacy_decisions where account_id = ${accountId}`.execute(tx)
  await sql`delete from privacy_policies where account_id = ${accountId}`.execute(tx)
}

function decisionOf({ workflow_id, target, purpose, reason, ...row }: DecisionRow): Decision {
  return {
    ...row,
    workflowId: workflow_id ?? undefined,
    target: target ?? undefined,
    purpose: purpose ?? undefined,
    reason: reason ?? undefined,
  }
}
