import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { AgentOutcome, AgentRunRow, ToolUse } from './model.ts'

type Executor = Kysely<Rows>

interface RunRow {
  readonly id: string
  readonly request: string
  readonly goal: string
  readonly quality: 'fast' | 'strong'
  readonly workflow_id: string
  readonly execution_id: string | null
  readonly outcome: AgentOutcome | null
  readonly answer: string | null
  readonly turns: number
  readonly tool_calls: number
  readonly input_tokens: string
  readonly output_tokens: string
  readonly cost_micros: string
  readonly created_by: string
  readonly created_at: Date
  readonly updated_at: Date
  readonly ended_at: Date | null
}

const columns = sql`id, request::text as request, goal, quality, workflow_id, execution_id, outcome, answer, turns, tool_calls,
  input_tokens::text as input_tokens, output_tokens::text as output_tokens, cost_micros::text as cost_micros, created_by, created_at, updated_at, ended_at`

export type NewRun = Pick<AgentRunRow, 'id' | 'request' | 'goal' | 'quality' | 'workflowId' | 'createdBy' | 'createdAt'> & {
  readonly requestKey: string | undefined
  /** Known for a run that is a part of an execution. */
  readonly executionId?: string
}

/** Inserts a run, unless one with the same key of the caller exists. */
export async function insertRun(tx: Executor, accountId: string, run: NewRun): Promise<void> {
  await sql`
    insert into agent_runs (id, account_id, request, goal, quality, workflow_id, request_key, execution_id, created_by, created_at, updated_at)
    values (${run.id}, ${accountId}, ${run.request}, ${run.goal}, ${run.quality}, ${run.workflowId}, ${run.requestKey ?? null},
      ${run.executionId ?? null}, ${run.createdBy}, ${run.createdAt}, ${run.createdAt})
    on conflict (account_id, request_key) where request_key is not null do nothing`.execute(tx)
}

/** Deletes a run that no execution has begun for. */
export async function deleteUnstarted(tx: Executor, accountId: string, id: string): Promise<void> {
  await sql`delete from agent_runs where account_id = ${accountId} and id = ${id} and execution_id is null`.execute(tx)
}

export async function findRunByKey(tx: Executor, accountId: string, requestKey: string): Promise<AgentRunRow | undefined> {
  const { rows } =
    await sql<RunRow>`select ${columns} from agent_runs where account_id = ${accountId} and request_key = ${requestKey}`.execute(tx)
  return rows[0] === undefined ? undefined : runOf(rows[0])
}

export async function findRun(tx: Executor, accountId: string, id: string): Promise<AgentRunRow | undefined> {
  const { rows } = await sql<RunRow>`select ${columns} from agent_runs where account_id = ${accountId} and id = ${id}`.execute(tx)
  return rows[0] === undefined ? undefined : runOf(rows[0])
}

export async function findRuns(tx: Executor, accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, AgentRunRow>> {
  const { rows } = await sql<RunRow>`
    select ${columns} from agent_runs where account_id = ${accountId} and id = any(${[...ids]}::uuid[])`.execute(tx)
  return new Map(rows.map((row) => [row.id, runOf(row)]))
}

export async function listRuns(
  tx: Executor,
  accountId: string,
  { before, limit, outcome }: { readonly before: string | undefined; readonly limit: number; readonly outcome: AgentOutcome | undefined },
): Promise<readonly AgentRunRow[]> {
  const conditions = [
    sql`account_id = ${accountId}`,
    ...(before === undefined ? [] : [sql`id < ${before}`]),
    ...(outcome === undefined ? [] : [sql`outcome = ${outcome}`]),
  ]
  const { rows } = await sql<RunRow>`
    select ${columns} from agent_runs where ${sql.join(conditions, sql` and `)} order by id desc limit ${limit}`.execute(tx)
  return rows.map(runOf)
}

/** Runs that have not ended or changed after a time, the latest change first. */
export async function changedRuns(tx: Executor, accountId: string, since: Date, limit: number): Promise<readonly AgentRunRow[]> {
  const { rows } = await sql<RunRow>`
    select ${columns} from agent_runs where account_id = ${accountId} and (outcome is null or updated_at >= ${since})
    order by updated_at desc limit ${limit}`.execute(tx)
  return rows.map(runOf)
}

/** Names the execution of a run. */
export async function setExecution(tx: Executor, accountId: string, id: string, executionId: string): Promise<void> {
  await sql`
    update agent_runs set execution_id = ${executionId}
    where account_id = ${accountId} and id = ${id} and (execution_id is null or execution_id = ${executionId})`.execute(tx)
}

export interface RecordedTurn extends Pick<AgentRunRow, 'turns' | 'toolCalls' | 'inputTokens' | 'outputTokens' | 'costMicros'> {
  readonly executionId: string
  readonly toolUse: Readonly<Record<string, ToolUse>>
  readonly outcome: AgentOutcome | null
  readonly answer: string | null
  readonly at: Date
}

/** Records the totals after a turn; a repetition after a crash writes the same. Only the execution of the run may do so. */
export async function recordTurn(tx: Executor, accountId: string, id: string, turn: RecordedTurn): Promise<void> {
  const { executionId, outcome, answer, at } = turn
  await sql`
    update agent_runs set turns = ${turn.turns}, tool_calls = ${turn.toolCalls}, input_tokens = ${turn.inputTokens},
      output_tokens = ${turn.outputTokens}, cost_micros = ${turn.costMicros}, tool_use = ${JSON.stringify(turn.toolUse)}::jsonb, outcome = ${outcome}, answer = ${answer}, updated_at = ${at},
      ended_at = ${outcome === null ? null : at}
    where account_id = ${accountId} and id = ${id} and (execution_id is null or execution_id = ${executionId})`.execute(tx)
}

/** Ends runs whose execution ended without an answer. */
export async function endRuns(
  tx: Executor,
  accountId: string,
  ended: readonly { readonly id: string; readonly outcome: 'faulted' | 'cancelled' }[],
  at: Date,
): Promise<void> {
  for (const { id, outcome } of ended)
    await sql`
      update agent_runs set outcome = ${outcome}, updated_at = ${at}, ended_at = ${at}
      where account_id = ${accountId} and id = ${id} and outcome is null`.execute(tx)
}

/** Runs of all accounts whose execution was not started before a time. */
export async function unstartedRuns(
  system: Executor,
  before: Date,
  limit: number,
): Promise<readonly { readonly accountId: string; readonly run: AgentRunRow }[]> {
  const { rows } = await sql<RunRow & { readonly account_id: string }>`
    select account_id, ${columns} from agent_runs where execution_id is null and outcome is null and created_at < ${before}
    order by created_at limit ${limit}`.execute(system)
  return rows.map((row) => ({ accountId: row.account_id, run: runOf(row) }))
}

export async function purgeAgents(executor: Executor, accountId: string): Promise<void> {
  await sql`delete from agent_runs where account_id = ${accountId}`.execute(executor)
  await sql`delete from agent_definitions where account_id = ${accountId}`.execute(executor)
}

function runOf(row: RunRow): AgentRunRow {
  return {
    id: row.id,
    request: row.request,
    goal: row.goal,
    quality: row.quality,
    workflowId: row.workflow_id,
    executionId: row.execution_id ?? undefined,
    outcome: row.outcome ?? undefined,
    answer: row.answer ?? undefined,
    turns: row.turns,
    toolCalls: row.tool_calls,
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    costMicros: Number(row.cost_micros),
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    endedAt: row.ended_at ?? undefined,
  }
}
