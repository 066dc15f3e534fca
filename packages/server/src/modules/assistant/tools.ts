import { AssistantAction, Fault, type JsonValue, type Scope } from '@millrace/contract'
import * as z from 'zod'
import { type Readers, schemaOf } from '#modules/account-reads/index.ts'
import type { ModelTool } from '#modules/models/index.ts'
import type { Prepared } from './model.ts'
import type { Decider, Proposals } from './proposal-service.ts'

export interface ToolsDeps {
  readonly readers: Readers
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

const charactersMax = 20_000

/** What the assistant can read and propose. Every tool needs the scope of the operation that a person would use. */
export function createTools(deps: ToolsDeps) {
  const tools: Readonly<Record<string, Tool>> = { ...reading(deps.readers), ...proposers(deps) }

  return {
    /** The tools that a user may use. */
    of: (scopes: ReadonlySet<Scope>): readonly ModelTool[] =>
      Object.entries(tools)
        .filter(([, { scope }]) => scopes.has(scope))
        .map(([name, { description, parameters }]) => ({
          name,
          description,
          parameters: schemaOf(parameters),
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

/** What a model reads of the account, with the rights of the user. */
function reading(readers: Readers): Readonly<Record<string, Tool>> {
  const tools = Object.entries(readers).map(([name, { description, scope, parameters, run }]) => [
    name,
    tool({ description, scope, parameters, run: (given, { decider: { accountId }, signal }) => run(given, { accountId, signal }) }),
  ])
  return Object.fromEntries(tools)
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
