import { Fault } from '@millrace/contract'
import { type EffectFunction, type Json, type JsonObject, membersOf } from '@millrace/engine'
import { type Models, modelError } from '#modules/models/index.ts'
import type { Database } from '#platform/db/database.ts'
import { chooseCalls, offeredTools } from './choose-calls.ts'
import type { AgentOutcome, RunInput, RunState } from './model.ts'
import { promptOf } from './prompt.ts'
import { recordTurn } from './run-store.ts'
import { toolUseOf } from './tool-use.ts'

export interface AgentTurnDeps {
  readonly models: Pick<Models, 'complete'>
  readonly database: Pick<Database, 'account'>
  readonly now: () => number
  /** A text as the privacy policy for results of tasks leaves it; undefined if it is refused. */
  readonly keptText: (
    of: { readonly accountId: string; readonly workflowId: string | undefined },
    text: string,
  ) => Promise<string | undefined>
}

const noUsage = { inputTokens: 0, outputTokens: 0, costMicros: 0 }

/** `call: agent-turn`: one turn of the model of an agent run. */
export function createAgentTurn(deps: AgentTurnDeps): EffectFunction {
  return async ({ accountId, workflowId, executionId, position, arguments: given, secrets, signal, idempotencyKey: sourceId }) => {
    const { run: input, state: collected } = membersOf(given)
    // The compiled definition of a run passes its input and state; the schema of the manifest checks both.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion
    const [run, state] = [input as unknown as RunInput, (collected ?? {}) as unknown as RunState]
    const turn = await turnOf(deps, { accountId, workflowId, executionId, position, run, state, secrets, signal, sourceId })
    const answer = turn.answer === null ? null : await deps.keptText({ accountId, workflowId }, turn.answer)
    await deps.database.account(accountId, (tx) =>
      recordTurn(tx, accountId, run.runId, {
        ...totals(state, turn),
        executionId,
        toolUse: toolUseOf(run, state),
        // The task of an answer that is refused fails, and with it the run.
        outcome: answer === undefined ? null : turn.outcome,
        answer: answer ?? null,
        at: new Date(deps.now()),
      }),
    )
    return turn
  }
}

interface TurnParts {
  readonly accountId: string
  readonly workflowId: string | undefined
  readonly executionId: string
  readonly position: string | undefined
  readonly run: RunInput
  readonly state: RunState
  readonly secrets: JsonObject
  readonly signal: AbortSignal
  readonly sourceId: string
}

type Turn = Awaited<ReturnType<typeof turnOf>>

async function turnOf({ models, now }: AgentTurnDeps, parts: TurnParts) {
  const { accountId, workflowId, executionId, position, run, state, secrets, signal, sourceId } = parts
  const limit = limitOf(run, state, now())
  if (limit !== undefined) return ending(limit, null)
  const last = (state.turns ?? 0) + 1 >= run.steps
  const offered = offeredTools(run, state)
  try {
    const completion = await models.complete({
      accountId,
      workflowId,
      executionId,
      position,
      role: run.quality,
      messages: promptOf(run, state, last, secrets),
      tools: last ? [] : offered,
      signal,
      sourceId,
    })
    const { text, toolCalls, usage, model, modelId, promptDigest } = completion
    const asked = { usage: { ...usage }, model, modelId, promptDigest }
    const message = { role: 'assistant' as const, text, toolCalls: last ? [] : toolCalls.map((call) => ({ ...call })) }
    if (last && text.trim() === '') return { ...ending('step_limit', null), message, ...asked }
    if (last || toolCalls.length === 0) return { ...ending('answered', text), message, ...asked }
    const { calls, refused } = chooseCalls(offered, completion, secretTexts(secrets))
    const made = { calls: calls.map((call) => ({ ...call })), refused: refused.map((each) => ({ ...each })) }
    return { message, ...made, outcome: null, answer: null, ...asked }
  } catch (error) {
    throw error instanceof Fault ? modelError(error) : error
  }
}

function limitOf(
  { tokens, costMicros: cost, deadlineMs, steps }: RunInput,
  { turns = 0, inputTokens = 0, outputTokens = 0, costMicros = 0 }: RunState,
  nowMs: number,
): AgentOutcome | undefined {
  if (turns >= steps) return 'step_limit'
  if (inputTokens + outputTokens >= tokens) return 'token_limit'
  if (cost !== undefined && costMicros >= cost) return 'cost_limit'
  return nowMs >= deadlineMs ? 'time_limit' : undefined
}

function ending(outcome: AgentOutcome, answer: string | null) {
  const message = { role: 'assistant' as const, text: answer ?? '', toolCalls: [] as { id: string; name: string; arguments: string }[] }
  const calls: { [member: string]: Json }[] = []
  const refused: { [member: string]: Json }[] = []
  const end: AgentOutcome | null = outcome
  return { message, calls, refused, outcome: end, answer, usage: noUsage }
}

function totals(state: RunState, { calls, usage }: Turn) {
  return {
    turns: (state.turns ?? 0) + 1,
    toolCalls: (state.toolCalls ?? 0) + calls.length,
    inputTokens: (state.inputTokens ?? 0) + usage.inputTokens,
    outputTokens: (state.outputTokens ?? 0) + usage.outputTokens,
    costMicros: (state.costMicros ?? 0) + usage.costMicros,
  }
}

const secretMin = 6

function secretTexts(secrets: JsonObject): readonly string[] {
  return Object.values(secrets).filter((value): value is string => typeof value === 'string' && value.length >= secretMin)
}
