import { Fault, type Scope } from '@millrace/contract'
import { isTerminal, type Json, type JsonObject } from '@millrace/engine'
import type { ExecutionReader, ExecutionRevision } from '@millrace/engine/storage'
import type { ConnectorSource } from '#modules/connectors/index.ts'
import { type DiscloseOutput, type Executions, isOfServer, type StartDeps } from '#modules/executions/index.ts'
import { microsOf, type Models } from '#modules/models/index.ts'
import type { Workflows } from '#modules/workflows/index.ts'
import { asJson } from '#platform/as-json.ts'
import type { Database, Tx } from '#platform/db/database.ts'
import { toTypeId } from '#platform/ids.ts'
import { type AgentApproval, compileAgent } from './compile-agent.ts'
import { assertPrices } from './costs.ts'
import { forgetUnused, insertDefinition, useDefinition } from './definition-store.ts'
import type { AgentOutcome, AgentRun, AgentRunRow, AgentStats, AgentTool, RunInput, ShownAgentRun } from './model.ts'
import { readFunctions } from './read-functions.ts'
import { type ApprovalPolicy, type GivenTool, resolveTools, toolInputs } from './resolve-tools.ts'
import {
  changedRuns,
  deleteUnstarted,
  endRuns,
  findRun,
  findRunByKey,
  findRuns,
  insertRun,
  listRuns,
  setExecution,
  unstartedRuns,
} from './run-store.ts'
import { readStats } from './stats-store.ts'

export interface AgentsDeps {
  readonly database: Pick<Database, 'account' | 'system'>
  readonly workflows: Pick<Workflows, 'prepareCreate' | 'create' | 'remove' | 'documentNames' | 'requirements'>
  readonly executions: Pick<Executions, 'start' | 'get' | 'streams'>
  readonly models: Pick<Models, 'assertRole' | 'of'>
  readonly source: Pick<ConnectorSource, 'manifests'>
  readonly revisions: ExecutionReader['revisions']
  /** Applies the privacy policy for inputs: to the request of a run before it is stored. */
  readonly admitInput: StartDeps['admitInput']
  /** Applies the privacy policy for outputs: to the answers that callers get. */
  readonly disclose: DiscloseOutput
  readonly now: () => number
  readonly newId: () => string
}

export interface RunRequest {
  readonly accountId: string
  /** The caller as `kind:id`. */
  readonly actor: string
  /** Of the caller. */
  readonly scopes: ReadonlySet<Scope>
  readonly requestKey: string | undefined
  readonly goal: string
  readonly data: Json | undefined
  readonly quality: 'fast' | 'strong'
  readonly tools: readonly GivenTool[]
  readonly limits: { readonly steps: number; readonly tokens: number; readonly cost: number | undefined; readonly durationMs: number }
  readonly policy: ApprovalPolicy
  readonly approval: AgentApproval
}

export type Agents = ReturnType<typeof createAgents>

/** Definitions that are kept for the next runs with the same tools. */
const definitionsMax = 200
const settledMax = 500
const unstartedAfterMs = 30_000
const unstartedMax = 100

/** Starts and reads agent runs. */
export function createAgents(deps: AgentsDeps) {
  const { database, executions } = deps

  /** The workflow of the tools; made for the first run with them. */
  async function workflowOf(accountId: string, tools: readonly AgentTool[], approval: AgentApproval, actor: string): Promise<string> {
    const { definition, digest } = compileAgent(tools, approval)
    const known = await database.account(accountId, (tx) => useDefinition(tx, accountId, digest, new Date(deps.now())))
    if (known !== undefined) return known
    const prepared = await prepare(accountId, definition)
    return database.account(accountId, async (tx) => {
      const at = new Date(deps.now())
      const present = await useDefinition(tx, accountId, digest, at)
      if (present !== undefined) return present
      const given = { definition, name: 'Agent', description: undefined, tags: undefined, publish: true, managedBy: 'agent' as const }
      const { id } = await deps.workflows.create(tx, accountId, given, prepared, { actor, permit: 'agent-run' })
      await insertDefinition(tx, accountId, { digest, workflowId: id, at })
      for (const old of await forgetUnused(tx, accountId, definitionsMax))
        await deps.workflows.remove(tx, accountId, old, { actor, ifMatch: undefined, managedBy: 'agent' })
      return id
    })
  }

  async function prepare(accountId: string, definition: JsonObject) {
    try {
      return await deps.workflows.prepareCreate(accountId, { definition, publish: true })
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'workflow_invalid') throw error
      const found: unknown = error.details.extensions?.['diagnostics']
      const messages = Array.isArray(found) ? found.map((each) => String(Object(each).message)) : [error.message]
      throw new Fault('agent_invalid', { errors: messages.slice(0, 20).map((detail) => ({ pointer: '/tools', detail })), cause: error })
    }
  }

  /** Starts the execution of a run; a repetition finds the same one. */
  async function start(accountId: string, run: AgentRunRow): Promise<string> {
    const { id: executionId } = await executions.start(undefined, {
      accountId,
      workflowId: run.workflowId,
      version: undefined,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written below from JSON.
      input: JSON.parse(run.request) as Json,
      isAdmitted: true,
      origin: { kind: 'agent', id: run.createdBy },
      idempotencyKey: { value: `agent:${run.id}`, operation: 'agent.run' },
    })
    await database.account(accountId, (tx) => setExecution(tx, accountId, run.id, executionId))
    return executionId
  }

  /** Adds the states of executions, and ends the runs whose execution ended without an answer. */
  async function withStates(accountId: string, rows: readonly AgentRunRow[]): Promise<readonly AgentRun[]> {
    const keys = rows.flatMap(({ executionId }) => (executionId === undefined ? [] : [{ accountId, id: executionId }]))
    const revisions = keys.length === 0 ? new Map<string, ExecutionRevision>() : await deps.revisions(keys)
    const at = new Date(deps.now())
    const runs = rows.map((row): AgentRun & { readonly ended?: 'faulted' | 'cancelled' } => {
      const found = row.executionId === undefined ? undefined : revisions.get(row.executionId)
      const state = found?.state ?? stateWithout(row)
      const ended = row.outcome === undefined && isTerminal(state) ? endedAs(state) : undefined
      return { row, state, ...(ended === undefined ? {} : { ended }) }
    })
    const ends = runs.flatMap(({ row, ended }) => (ended === undefined ? [] : [{ id: row.id, outcome: ended }]))
    if (ends.length === 0) return runs
    // A turn may have recorded its outcome since the rows were read.
    const settled = await database.account(accountId, async (tx) => {
      await endRuns(tx, accountId, ends, at)
      return findRuns(
        tx,
        accountId,
        ends.map(({ id }) => id),
      )
    })
    return runs.map(({ row, state }) => ({ row: settled.get(row.id) ?? row, state }))
  }

  /** The runs as callers see them: with the answers that the privacy policy leaves. */
  async function shown(accountId: string, rows: readonly AgentRunRow[]): Promise<readonly ShownAgentRun[]> {
    const runs = await withStates(accountId, rows)
    return Promise.all(
      runs.map(async (run) => {
        const { id, workflowId, answer } = run.row
        if (answer === undefined) return run
        const subject = subjectOf(id)
        const disclosed = await deps.disclose({ accountId, workflowId, actor: subject, target: subject }, () => answer)
        if (disclosed.blocked) return { ...run, row: { ...run.row, answer: undefined }, withheld: disclosed.reason }
        if (!disclosed.isChanged) return run
        return { ...run, row: { ...run.row, answer: typeof disclosed.value === 'string' ? disclosed.value : undefined } }
      }),
    )
  }

  async function read(accountId: string, id: string): Promise<ShownAgentRun> {
    const row = await database.account(accountId, (tx) => findRun(tx, accountId, id))
    const [run] = row === undefined ? [] : await shown(accountId, [row])
    if (run === undefined) throw new Fault('not_found', { detail: 'There is no such agent run.' })
    return run
  }

  return {
    read,

    /** Faults: `agent_invalid`, `model_not_configured`, `personal_data_blocked`. */
    async run(request: RunRequest): Promise<ShownAgentRun> {
      const { accountId, actor, requestKey, goal, quality, limits } = request
      await deps.models.assertRole(accountId, quality)
      if (limits.cost !== undefined) await assertPrices(deps.models, accountId, quality)
      const called = request.tools.flatMap((tool) => (tool.kind === 'connector' ? [tool.function] : []))
      const functions = await readFunctions(deps.source, accountId, called)
      const known = { workflows: deps.workflows, functions, scopes: request.scopes }
      const tools = await database.account(accountId, (tx) => resolveTools(known, tx, accountId, request.tools, request.policy))
      const workflowId = await workflowOf(accountId, tools, request.approval, actor)
      const id = deps.newId()
      const createdAt = new Date(deps.now())
      const subject = subjectOf(id)
      const given = { goal, ...(request.data === undefined ? {} : { data: request.data }), tools: toolInputs(tools) }
      const admitted = await deps.admitInput({ accountId, workflowId, actor, target: subject, input: asJson(given) })
      const input: RunInput = {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A policy replaces texts and nothing else.
        ...(admitted as unknown as typeof given),
        runId: id,
        quality,
        steps: limits.steps,
        tokens: limits.tokens,
        ...(limits.cost === undefined ? {} : { costMicros: microsOf(limits.cost) }),
        deadlineMs: deps.now() + limits.durationMs,
      }
      const row = { id, request: JSON.stringify(input), goal: input.goal, quality, workflowId, createdBy: actor, createdAt, requestKey }
      const stored = await database.account(accountId, async (tx: Tx) => {
        await insertRun(tx, accountId, row)
        return requestKey === undefined ? findRun(tx, accountId, id) : findRunByKey(tx, accountId, requestKey)
      })
      if (stored === undefined) throw new Error(`the agent run ${id} was inserted and is not in the database`)
      await start(accountId, stored).catch(async (error: unknown) => {
        // Otherwise it would be started later, although its caller was refused.
        if (isRefusal(error)) await database.account(accountId, (tx) => deleteUnstarted(tx, accountId, stored.id))
        throw error
      })
      return read(accountId, stored.id)
    },

    async list(
      accountId: string,
      page: { readonly before: string | undefined; readonly limit: number; readonly outcome: AgentOutcome | undefined },
    ): Promise<readonly ShownAgentRun[]> {
      return shown(accountId, await database.account(accountId, (tx) => listRuns(tx, accountId, page)))
    },

    /** Runs that have not ended, and those that changed since a time. */
    async changed(accountId: string, since: Date, limit: number): Promise<readonly ShownAgentRun[]> {
      return shown(accountId, await database.account(accountId, (tx) => changedRuns(tx, accountId, since, limit)))
    },

    /** The tasks of a run; none if its execution is not kept any more. */
    async steps(accountId: string, { row: { executionId } }: AgentRun, limit: number, signal: AbortSignal) {
      if (executionId === undefined) return []
      try {
        const { timeline } = await executions.get({ accountId, id: executionId }, { limit, cursor: undefined, task: undefined }, signal)
        return timeline.entries.map(({ entry }) => entry)
      } catch (error) {
        if (error instanceof Fault && error.code === 'not_found') return []
        throw error
      }
    },

    async stats(accountId: string, period: { readonly from: Date; readonly to: Date }): Promise<AgentStats> {
      const open = await database.account(accountId, (tx) => changedRuns(tx, accountId, new Date(deps.now()), settledMax))
      await withStates(accountId, open)
      return database.account(accountId, (tx) => readStats(tx, accountId, period))
    },

    /** Starts the runs whose process ended between their row and their execution. */
    async startPending(): Promise<number> {
      const before = new Date(deps.now() - unstartedAfterMs)
      const pending = await unstartedRuns(database.system, before, unstartedMax)
      const errors: unknown[] = []
      for (const { accountId, run } of pending)
        await start(accountId, run).catch(async (error: unknown) => {
          if (!isRefusal(error)) return void errors.push(error)
          const ended = [{ id: run.id, outcome: 'faulted' as const }]
          await database.account(accountId, (tx) => endRuns(tx, accountId, ended, new Date(deps.now())))
        })
      if (errors.length > 0) throw new AggregateError(errors, `${errors.length} agent runs could not be started`)
      return pending.length
    },
  }
}

function subjectOf(runId: string): string {
  return `agent-run:${toTypeId('arun', runId)}`
}

/** Whether a start was refused for good, so that repeating it is of no use. */
function isRefusal(error: unknown): error is Fault {
  return error instanceof Fault && !isOfServer(error.code)
}

const endedAs = (state: string) => (state === 'cancelled' ? ('cancelled' as const) : ('faulted' as const))

/** Of a run whose execution is not started yet, or is not kept any more: one without an outcome has none to come. */
function stateWithout({ outcome, executionId }: AgentRunRow): ExecutionRevision['state'] {
  if (outcome === undefined) return executionId === undefined ? 'pending' : 'faulted'
  return outcome === 'faulted' || outcome === 'cancelled' ? outcome : 'completed'
}
