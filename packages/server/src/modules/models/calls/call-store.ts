import type { ModelCallFailure, ModelCallState, ModelFinish, ModelRole } from '@millrace/contract'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

type Executor = Kysely<Rows>

/** A call of a model, answered or failed. */
export interface ModelCall {
  readonly id: string
  /** Undefined for a request of a person. */
  readonly executionId: string | undefined
  readonly workflowId: string | undefined
  readonly position: string | undefined
  readonly role: ModelRole
  readonly model: string
  readonly modelId: string
  /** Undefined if nothing was sent, or returned. */
  readonly promptDigest: string | undefined
  readonly answerDigest: string | undefined
  readonly inputTokens: number
  readonly outputTokens: number
  /** This and the two below are undefined for calls before they were recorded; the last one also without an answer. */
  readonly costMicros: number | undefined
  readonly durationMs: number | undefined
  readonly finish: ModelFinish | undefined
  readonly failed: { readonly failure: ModelCallFailure; readonly error: string } | undefined
  readonly at: Date
  readonly expiresAt: Date
  /** Undefined where only the digests are kept. */
  readonly texts: CallTexts | undefined
}

/** JSON as it left and reached the installation. */
export interface CallTexts {
  readonly prompt: string
  readonly answer: string | undefined
}

/** A call as a list has it. */
export type ListedCall = Omit<ModelCall, 'texts'> & { readonly areTextsKept: boolean }

interface CallRow {
  readonly id: string
  readonly execution_id: string | null
  readonly workflow_id: string | null
  readonly position: string | null
  readonly role: ModelRole
  readonly model: string
  readonly model_id: string
  readonly prompt_digest: string | null
  readonly answer_digest: string | null
  readonly input_tokens: string
  readonly output_tokens: string
  readonly cost_micros: string | null
  readonly duration_ms: string | null
  readonly finish: ModelFinish | null
  readonly failure: ModelCallFailure | null
  readonly error: string | null
  readonly at: Date
  readonly expires_at: Date
  readonly kept: boolean
}

const columns = sql`id, execution_id, workflow_id, position, role, model, model_id, prompt_digest, answer_digest, input_tokens::text,
  output_tokens::text, cost_micros::text, duration_ms::text, finish, failure, error, at, expires_at, prompt is not null as kept`

export async function insertCall(tx: Executor, accountId: string, call: ModelCall): Promise<void> {
  const { id, executionId, workflowId, position, role, model, modelId, promptDigest, answerDigest, texts, at, expiresAt } = call
  const { inputTokens, outputTokens, costMicros, durationMs, finish, failed } = call
  await sql`
    insert into model_calls (id, account_id, execution_id, workflow_id, position, role, model, model_id, prompt_digest, answer_digest, prompt,
      answer, input_tokens, output_tokens, cost_micros, duration_ms, finish, failure, error, at, expires_at)
    values (${id}, ${accountId}, ${executionId ?? null}, ${workflowId ?? null}, ${position ?? null}, ${role}, ${model}, ${modelId},
      ${promptDigest ?? null}, ${answerDigest ?? null},
      ${texts?.prompt ?? null}, ${texts?.answer ?? null}, ${inputTokens}, ${outputTokens}, ${costMicros ?? null},
      ${durationMs ?? null}, ${finish ?? null}, ${failed?.failure ?? null}, ${failed?.error ?? null}, ${at}, ${expiresAt})`.execute(tx)
}

/** Which calls are meant. */
export interface CallsWanted {
  readonly executionId: string | undefined
  /** Of a task; those of the tasks inside of it are meant too. */
  readonly position: string | undefined
  readonly workflowId: string | undefined
  readonly model: string | undefined
  readonly state: ModelCallState | undefined
  readonly from: Date | undefined
  readonly to: Date | undefined
}

/** The condition for them, after others. */
export function wantedOnly({ executionId, position, workflowId, model, state, from, to }: CallsWanted) {
  return sql`
    ${executionId === undefined ? sql`` : sql`and execution_id = ${executionId}`}
    ${position === undefined ? sql`` : sql`and starts_with(position, ${position}) and substr(position, length(${position}) + 1, 1) in ('', '/', '[')`}
    ${workflowId === undefined ? sql`` : sql`and workflow_id = ${workflowId}`}
    ${model === undefined ? sql`` : sql`and model = ${model}`}
    ${state === undefined ? sql`` : state === 'failed' ? sql`and failure is not null` : sql`and failure is null`}
    ${from === undefined ? sql`` : sql`and at >= ${from}`}
    ${to === undefined ? sql`` : sql`and at < ${to}`}`
}

export async function listCalls(
  tx: Executor,
  accountId: string,
  { before, limit, ...wanted }: CallsWanted & { readonly before: string | undefined; readonly limit: number },
): Promise<readonly ListedCall[]> {
  const { rows } = await sql<CallRow>`
    select ${columns} from model_calls where account_id = ${accountId}
      ${wantedOnly(wanted)}
      ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`.execute(tx)
  return rows.map(callOf)
}

export async function findCall(
  tx: Executor,
  accountId: string,
  id: string,
): Promise<(ListedCall & { readonly texts: CallTexts | undefined }) | undefined> {
  const { rows } = await sql<CallRow & { readonly prompt: string | null; readonly answer: string | null }>`
    select ${columns}, prompt, answer from model_calls where account_id = ${accountId} and id = ${id}`.execute(tx)
  const [row] = rows
  if (row === undefined) return undefined
  const { prompt, answer } = row
  return { ...callOf(row), texts: prompt === null ? undefined : { prompt, answer: answer ?? undefined } }
}

/** Deletes calls of all accounts whose records have expired. @returns how many. */
export async function deleteExpiredCalls(db: Executor, at: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from model_calls where id = any(array(select id from model_calls where expires_at < ${at} limit ${limit}))`.execute(db)
  return Number(numAffectedRows)
}

export async function deleteCallsOf(executor: Executor, accountId: string): Promise<void> {
  await sql`delete from model_calls where account_id = ${accountId}`.execute(executor)
}

function callOf(row: CallRow): ListedCall {
  return {
    id: row.id,
    executionId: row.execution_id ?? undefined,
    workflowId: row.workflow_id ?? undefined,
    position: row.position ?? undefined,
    role: row.role,
    model: row.model,
    modelId: row.model_id,
    promptDigest: row.prompt_digest ?? undefined,
    answerDigest: row.answer_digest ?? undefined,
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    costMicros: row.cost_micros === null ? undefined : Number(row.cost_micros),
    durationMs: row.duration_ms === null ? undefined : Number(row.duration_ms),
    finish: row.finish ?? undefined,
    failed: row.failure === null ? undefined : { failure: row.failure, error: row.error ?? '' },
    at: row.at,
    expiresAt: row.expires_at,
    areTextsKept: row.kept,
  }
}
