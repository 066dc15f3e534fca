import { AssistantAction, Fault, type JsonValue, type Scope } from '@millrace/contract'
import type { Json } from '@millrace/engine'
import * as z from 'zod'
import type { Executions } from '#modules/executions/index.ts'
import type { ModelTool } from '#modules/models/index.ts'
import type { createTriggers } from '#modules/triggers/index.ts'
import type { Workflows } from '#modules/workflows/index.ts'
import type { Database } from '#platform/db/database.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import type { Prepared } from './model.ts'
import type { Decider, Proposals } from './proposal-service.ts'

export interface ToolsDeps {
  readonly database: Pick<Database, 'account'>
  readonly workflows: Pick<Workflows, 'list' | 'get'>
  readonly executions: Pick<Executions, 'search' | 'get'>
  readonly triggers: Pick<ReturnType<typeof createTriggers>, 'list'>
  readonly proposals: Pick<Proposals, 'prepare'>
}

/** The call of a tool by a model, on behalf of a user. */
export interface ToolContext {
  readonly decider: Decider
  readonly conversationId: string | undefined
  readonly signal: AbortSignal
  readonly onPrepared: (prepared: Prepared) => void
}

interface Tool<T extends z.ZodType = z.ZodType> {
  readonly description: string
  readonly scope: Scope
  readonly parameters: T
  readonly run: (parameters: z.output<T>, context: ToolContext) => Promise<JsonValue>
}

export type Tools = ReturnType<typeof createTools>

const rowsMax = 25
const charactersMax = 20_000

/** What the assistant can read and propose. Every tool needs the scope of the operation that a person would use. */
export function createTools(deps: ToolsDeps) {
  const tools: Readonly<Record<string, Tool>> = { ...readers(deps), ...proposers(deps) }

  return {
    /** The tools that a user may use. */
    of: (scopes: ReadonlySet<Scope>): readonly ModelTool[] =>
      Object.entries(tools)
        .filter(([, { scope }]) => scopes.has(scope))
        .map(([name, { description, parameters }]) => ({
          name,
          description,
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A JSON Schema is a JSON object.
          parameters: z.toJSONSchema(parameters, { io: 'input' }) as Record<string, Json>,
        })),

    /** Performs one call. What goes wrong is a result as well: the model reads it and may try something else. */
    async call(name: string, given: unknown, context: ToolContext): Promise<string> {
      const called = Object.hasOwn(tools, name) ? tools[name] : undefined
      if (called === undefined || !context.decider.scopes.has(called.scope)) return failure(`There is no tool ${name}.`)
      const parsed = called.parameters.safeParse(given)
      if (!parsed.success) return failure(`The arguments are not valid: ${z.prettifyError(parsed.error)}`)
      try {
        return JSON.stringify({ data: await called.run(parsed.data, context) }).slice(0, charactersMax)
      } catch (error) {
        if (error instanceof Fault) return failure(error.message)
        throw error
      }
    },
  }
}

const failure = (message: string) => JSON.stringify({ error: message })

function tool<T extends z.ZodType>(declared: Tool<T>): Tool {
  const { parameters, run } = declared
  return { ...declared, run: (given, context) => run(parameters.parse(given), context) }
}

const WorkflowId = z.string().describe('Id of a workflow: wf_…')
const ExecutionId = z.string().describe('Id of an execution: exec_…')

function readers({ database, workflows, executions, triggers }: ToolsDeps): Readonly<Record<string, Tool>> {
  return {
    list_workflows: tool({
      description: 'Lists workflows of the account, newest first.',
      scope: 'workflows:read',
      parameters: z.strictObject({ text: z.string().max(200).optional().describe('Part of the name.') }),
      async run({ text }, { decider: { accountId } }) {
        const options = {
          limit: rowsMax,
          cursor: undefined,
          state: undefined,
          tag: undefined,
          trigger: undefined,
          text,
          sort: 'created' as const,
        }
        const { data } = await database.account(accountId, (tx) => workflows.list(tx, accountId, options))
        return data.map(({ id, name, description, enabled, latest }) => ({
          id: toTypeId('wf', id),
          name,
          description: description ?? null,
          enabled,
          version: latest?.number ?? null,
        }))
      },
    }),
    get_workflow: tool({
      description: 'Reads the definition of a workflow as YAML.',
      scope: 'workflows:read',
      parameters: z.strictObject({ workflowId: WorkflowId }),
      async run({ workflowId }, { decider: { accountId } }) {
        const { workflow, text } = await workflows.get(accountId, idOf('wf', workflowId), undefined, 'yaml')
        return { id: workflowId, name: workflow.name, definition: text }
      },
    }),
    list_executions: tool({
      description: 'Lists executions, newest first.',
      scope: 'executions:read',
      parameters: z.strictObject({
        workflowId: WorkflowId.optional(),
        state: z.enum(['pending', 'running', 'waiting', 'suspended', 'completed', 'faulted', 'cancelled']).optional(),
      }),
      async run({ workflowId, state }, { decider: { accountId } }) {
        const request = {
          limit: rowsMax,
          cursor: undefined,
          states: state === undefined ? [] : [state],
          triggers: [],
          workflowId: workflowId === undefined ? undefined : idOf('wf', workflowId),
          errorType: undefined,
          text: undefined,
          from: undefined,
          to: undefined,
        }
        const { data } = await database.account(accountId, (tx) => executions.search(tx, accountId, request))
        return data.map(({ execution, workflowName }) => ({
          id: toTypeId('exec', execution.id),
          workflow: workflowName ?? null,
          workflowId: toTypeId('wf', execution.workflowId),
          state: execution.state,
          createdAt: execution.createdAt.toISOString(),
        }))
      },
    }),
    get_execution: tool({
      description: 'Reads the state, error and output of an execution.',
      scope: 'executions:read',
      parameters: z.strictObject({ executionId: ExecutionId }),
      async run({ executionId }, { decider: { accountId }, signal }) {
        const key = { accountId, id: idOf('exec', executionId) }
        const { execution } = await executions.get(key, { task: undefined, limit: 1, cursor: undefined }, signal)
        const { state, error, output, createdAt, endedAt } = execution
        return {
          id: executionId,
          state,
          error: error === undefined ? null : { title: error.title ?? null, detail: error.detail ?? null, at: error.instance ?? null },
          output: output?.slice(0, 4_000) ?? null,
          createdAt: createdAt.toISOString(),
          endedAt: endedAt?.toISOString() ?? null,
        }
      },
    }),
    list_triggers: tool({
      description: 'Lists what starts workflows: schedules, webhooks, events.',
      scope: 'triggers:read',
      parameters: z.strictObject({}),
      async run(_none, { decider: { accountId } }) {
        const filter = { workflowId: undefined, kind: undefined, enabled: undefined, before: undefined, limit: rowsMax }
        const found = await database.account(accountId, (tx) => triggers.list(tx, accountId, filter))
        return found.map(({ id, workflowId, name, kind, enabled }) => ({
          id: toTypeId('trg', id),
          workflowId: toTypeId('wf', workflowId),
          name,
          kind,
          enabled,
        }))
      },
    }),
  }
}

function proposers({ proposals }: ToolsDeps): Readonly<Record<string, Tool>> {
  return {
    propose_action: tool({
      description:
        'Proposes one action to the user: run a workflow, cancel or retry an execution, create a schedule, or draft an e-mail. Nothing happens before the user confirms it.',
      scope: 'assistant:use',
      parameters: z.strictObject({ action: AssistantAction }),
      async run({ action }, { decider, conversationId, onPrepared }) {
        const prepared = await proposals.prepare(decider, action, conversationId)
        onPrepared(prepared)
        return { proposed: true, note: 'The user sees it and decides.' }
      },
    }),
  }
}
