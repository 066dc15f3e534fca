import { type RawBuilder, sql } from 'kysely'
import type { ExecutionState } from '#core/execution-state.ts'
import { type ExecutionSummary, summaryColumns, summaryOf, type SummaryRow, type TriggerKind } from './execution-row.ts'
import { hasLabel, type LabelFilter, labelledIds, type LabelValue, rarestLabel } from './label-search.ts'
import type { SqlExecutor } from './sql-database.ts'
import { leastIdAt } from './time-of-id.ts'

export interface SearchExecutionsOptions {
  readonly limit: number
  /** Only executions before this one. */
  readonly before: string | undefined
  /** Empty: any. */
  readonly states: readonly ExecutionState[]
  readonly workflowId: string | undefined
  /** Only executions of these workflows; of any unless given. */
  readonly within?: ReadonlySet<string> | undefined
  readonly triggers: readonly TriggerKind[]
  readonly errorType: string | undefined
  /** Only what the end of this execution has started. */
  readonly causedBy: string | undefined
  readonly from: Date | undefined
  readonly to: Date | undefined
  readonly text: SearchText | undefined
  /** An execution must have all of these labels. */
  readonly labels: readonly LabelFilter[]
  /** Only those with the value under one of the names, found by index. */
  readonly labelled?: LabelValue | undefined
  /** Without those. */
  readonly unlabelled?: LabelValue | undefined
  /** Only what a person should look at: faulted executions, but no tests, and none of which a retry completed. */
  readonly needsAttention: boolean
  readonly versionQuery: string
}

/** What a text may be: an id, a part of the name of some workflows, or a part of an error. */
export interface SearchText {
  readonly part: string
  readonly executionId: string | undefined
  readonly workflowIds: readonly string[]
}

export interface FoundExecutions {
  readonly found: readonly ExecutionSummary[]
  /** The last execution that was examined, if there may be more behind it and the page is not full. */
  readonly examinedTo: string | undefined
}

/** Executions that one page examines where a filter has no index. */
const examinedMax = 5_000
/** Clocks that differ, or that were set back, make ids and times disagree by at most this. */
const disagreementMs = 60_000

/**
 * Executions of an account that satisfy all given filters, newest first. Labels are found by their index, and without labels states, the workflow and
 * times are; for each other filter a page examines a bounded number of rows, and may have fewer than `limit` although more follow.
 */
export async function searchExecutions(
  executor: SqlExecutor,
  accountId: string,
  options: SearchExecutionsOptions,
): Promise<FoundExecutions> {
  const driver = await driverOf(executor, accountId, options)
  const conditions = residualOf(options, driver)
  if (conditions.length === 0) return searchAmong(executor, accountId, options, driver, conditions, options.limit)
  if (driver === undefined) return searchAmong(executor, accountId, options, driver, conditions, examinedMax)
  // Most executions with a label match the other filters too, so a few of them fill the page as a rule.
  const first = await searchAmong(executor, accountId, options, driver, conditions, options.limit * 4)
  if (first.examinedTo === undefined) return first
  const rest = { ...options, before: first.examinedTo, limit: options.limit - first.found.length }
  const second = await searchAmong(executor, accountId, rest, driver, conditions, examinedMax)
  return { found: [...first.found, ...second.found], examinedTo: second.examinedTo }
}

/** @param examined how many candidates are examined at most. */
async function searchAmong(
  executor: SqlExecutor,
  accountId: string,
  options: SearchExecutionsOptions,
  driver: LabelValue | undefined,
  others: readonly RawBuilder<unknown>[],
  examined: number,
): Promise<FoundExecutions> {
  const { limit, versionQuery } = options
  const candidates =
    driver === undefined ? candidatesOf(accountId, options, examined) : labelledCandidates(accountId, options, driver, examined)
  // A label may remain for a moment without its execution, which retention has deleted.
  const conditions = driver === undefined ? others : [sql`state is not null`, ...others]
  const { rows } = await sql<SummaryRow & { readonly matches: boolean; readonly examined: number; readonly last: string }>`
    with candidates as (${candidates}),
    matching as (
      select * from candidates ${conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`} order by id desc limit ${limit}
    ),
    reach as (select count(*)::int4 as examined, min(id::text) as last from candidates)
    select ${sql.raw(summaryColumns)}, e.id is not null as matches, reach.examined, reach.last
    from reach left join (matching e cross join lateral (${sql.raw(versionQuery)}) v) on true
    order by e.id desc`.execute(executor)
  const [first] = rows
  const found = rows.filter(({ matches }) => matches).map(summaryOf)
  const isCut = first !== undefined && first.examined === examined && found.length < limit
  return { found, examinedTo: isCut ? first.last : undefined }
}

/** The label by whose index the candidates are found. */
async function driverOf(
  executor: SqlExecutor,
  accountId: string,
  { labels: [first, ...rest], labelled }: SearchExecutionsOptions,
): Promise<LabelValue | undefined> {
  if (labelled !== undefined || first === undefined) return labelled
  const { name, value } = await rarestLabel(executor, accountId, [first, ...rest])
  return { names: [name], value }
}

/** The newest executions with a label. Those whose execution is gone count among the examined. */
function labelledCandidates(
  accountId: string,
  { before, from, to }: SearchExecutionsOptions,
  driver: LabelValue,
  limit: number,
): RawBuilder<unknown> {
  const bounds = [
    ...(before === undefined ? [] : [sql`execution_id < ${before}`]),
    ...(from === undefined ? [] : [sql`execution_id >= ${leastIdAt(from.getTime() - disagreementMs)}`]),
    ...(to === undefined ? [] : [sql`execution_id < ${leastIdAt(to.getTime() + disagreementMs)}`]),
  ]
  return sql`select l.execution_id as id, e.workflow_id, e.version_id, e.state, e.trigger, e.created_at, e.started_at, e.ended_at, e.error
    from (${labelledIds(accountId, driver, bounds, limit)}) l
    left join lateral (select * from executions where id = l.execution_id and account_id = ${accountId}) e on true`
}

/** One ordered scan for each state; without states, one of the workflow or of the account. */
function candidatesOf(accountId: string, options: SearchExecutionsOptions, limit: number): RawBuilder<unknown> {
  const { workflowId, before, from, to, causedBy } = options
  const states = statesOf(options)
  // Nulls last, an order that only the indexes of a workflow have (list-executions.ts).
  const newest =
    workflowId === undefined || states.length > 0 ? sql`order by id desc limit ${limit}` : sql`order by id desc nulls last limit ${limit}`
  const conditions = [
    sql`account_id = ${accountId}`,
    ...(workflowId === undefined ? [] : [sql`workflow_id = ${workflowId}`]),
    ...(before === undefined ? [] : [sql`id < ${before}`]),
    ...(causedBy === undefined ? [] : [sql`id > ${causedBy} and ${isCausedBy(causedBy)}`]),
    ...(from === undefined ? [] : [sql`id >= ${leastIdAt(from.getTime() - disagreementMs)}`, sql`coalesce(created_at >= ${from}, false)`]),
    ...(to === undefined ? [] : [sql`id < ${leastIdAt(to.getTime() + disagreementMs)}`, sql`coalesce(created_at < ${to}, false)`]),
  ]
  const scan = (more: readonly RawBuilder<unknown>[]) => sql`
    select id, workflow_id, version_id, state, trigger, created_at, started_at, ended_at, error from executions
    where ${sql.join([...conditions, ...more], sql` and `)} ${newest}`
  if (states.length === 0) return scan([])
  // The literal, so that the planner can use the index that leaves out one state.
  const scans = states.map((state) => sql`(${scan([sql`state = ${sql.lit(state)}`])})`)
  return sql`select * from (${sql.join(scans, sql` union all `)}) e order by id desc limit ${limit}`
}

/** An execution that needs attention has faulted. */
function statesOf({ states, needsAttention }: SearchExecutionsOptions): readonly ExecutionState[] {
  return needsAttention && states.length === 0 ? ['faulted'] : states
}

/** Whether a candidate was retried until one retry completed. Retries are few: the first look finds none for most executions. */
const isRecovered = sql`exists (
  with recursive retries as (
    select execution_id from execution_retries where retry_of = candidates.id
    union all
    select r.execution_id from retries join execution_retries r on r.retry_of = retries.execution_id
  )
  select from retries join executions e on e.id = retries.execution_id where e.state = 'completed')`

/** Conditions without an index, and with a label those that otherwise have one. */
function residualOf(options: SearchExecutionsOptions, driver: LabelValue | undefined): readonly RawBuilder<unknown>[] {
  const { triggers, errorType, text, needsAttention, labels, unlabelled, within } = options
  const inError = (part: string) =>
    sql`strpos(lower(coalesce(millrace_error_part(error, 'title', 1000), '') || ' ' || coalesce(millrace_error_part(error, 'detail', 4000), '')), lower(${part})) > 0`
  return [
    ...(driver === undefined ? [] : conditionsOfRow(options)),
    ...(within === undefined ? [] : [sql`workflow_id = any(${[...within]}::uuid[])`]),
    ...labels.filter((label) => !isFoundBy(driver, label)).map(({ name, value }) => hasLabel({ names: [name], value })),
    ...(unlabelled === undefined ? [] : [sql`not ${hasLabel(unlabelled)}`]),
    ...(triggers.length === 0 ? [] : [sql`trigger = any(${[...triggers]}::text[])`]),
    ...(needsAttention ? [sql`state = 'faulted' and trigger <> 'test' and not ${isRecovered}`] : []),
    ...(errorType === undefined ? [] : [sql`millrace_error_part(error, 'type', 1000) = ${errorType}`]),
    ...(text === undefined
      ? []
      : [sql`(id = ${text.executionId ?? null}::uuid or workflow_id = any(${[...text.workflowIds]}::uuid[]) or ${inError(text.part)})`]),
  ]
}

function isFoundBy(driver: LabelValue | undefined, { name, value }: LabelFilter): boolean {
  return driver?.value === value && driver.names.every((one) => one === name)
}

/** Whether the end of an execution has started another one. Children and retries of that have the same cause. */
function isCausedBy(id: string): RawBuilder<unknown> {
  return sql`caused_by = ${id} and trigger = 'event' and retry_of is null`
}

/** States, the workflow, the cause and exact times, which are found by indexes where no label is asked for. */
function conditionsOfRow(options: SearchExecutionsOptions): readonly RawBuilder<unknown>[] {
  const { workflowId, from, to, causedBy } = options
  const states = statesOf(options)
  return [
    ...(states.length === 0 ? [] : [sql`state = any(${[...states]}::text[])`]),
    ...(workflowId === undefined ? [] : [sql`workflow_id = ${workflowId}`]),
    ...(causedBy === undefined ? [] : [sql`exists (select from executions where id = candidates.id and ${isCausedBy(causedBy)})`]),
    ...(from === undefined ? [] : [sql`created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`created_at < ${to}`]),
  ]
}
