import { Fault, type JsonValue } from '@millrace/contract'
import { durationMs } from '@millrace/dsl'
import { type EffectFunction, itemsOf, type Json, type JsonObject, membersOf, standardError, textOf } from '@millrace/engine'
import { type ConnectorSource, needsConnection, withoutConnection } from '#modules/connectors/index.ts'
import { microsOf, type Models, modelError } from '#modules/models/index.ts'
import type { Database, Tx } from '#platform/db/database.ts'
import { assertPrices } from './costs.ts'
import type { RunInput, ToolInput } from './model.ts'
import { type ConnectorFunctions, readFunctions } from './read-functions.ts'
import { parametersOf } from './resolve-tools.ts'
import { findRunByKey, insertRun } from './run-store.ts'

export interface AgentStartDeps {
  readonly models: Pick<Models, 'assertRole' | 'of'>
  readonly database: Pick<Database, 'account'>
  /** The input schema of the latest version of a workflow that can be run; undefined without such a workflow. */
  readonly inputSchemaOf: (
    tx: Tx,
    accountId: string,
    workflow: { readonly namespace: string; readonly name: string },
  ) => Promise<{ readonly schema: JsonValue | undefined } | undefined>
  readonly source: Pick<ConnectorSource, 'manifests'>
  readonly now: () => number
  readonly newId: () => string
}

/** `call: agent-start`: makes the run of a `call: agent`. A repetition after a crash finds the same run. */
export function createAgentStart(deps: AgentStartDeps): EffectFunction {
  return async ({ accountId, executionId, workflowId, arguments: given, idempotencyKey }) => {
    if (workflowId === undefined) throw standardError('configuration', 'An agent runs in a stored workflow only.')
    const args = membersOf(given)
    const quality = args['quality'] === 'fast' ? 'fast' : 'strong'
    try {
      await deps.models.assertRole(accountId, quality)
      if (typeof membersOf(args['limits'])['cost'] === 'number') await assertPrices(deps.models, accountId, quality)
    } catch (error) {
      throw error instanceof Fault ? modelError(error) : error
    }
    const createdAt = new Date(deps.now())
    const id = deps.newId()
    const requestKey = `call:${idempotencyKey}`
    const called = itemsOf(args['tools']).map((tool) => textOf(membersOf(tool)['function']))
    const functions = await readFunctions(
      deps.source,
      accountId,
      called.filter((name) => name !== undefined),
    )
    const stored = await deps.database.account(accountId, async (tx) => {
      const input = await runInput({ ...deps, functions }, tx, accountId, id, quality, args)
      const request = JSON.stringify(input)
      const createdBy = `workflow:${workflowId}`
      await insertRun(tx, accountId, { id, request, goal: input.goal, quality, workflowId, createdBy, createdAt, requestKey, executionId })
      return findRunByKey(tx, accountId, requestKey)
    })
    if (stored === undefined) throw new Error(`the agent run ${id} was inserted and is not in the database`)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written above from JSON.
    return JSON.parse(stored.request) as Json
  }
}

async function runInput(
  { inputSchemaOf, functions, now }: Pick<AgentStartDeps, 'inputSchemaOf' | 'now'> & { readonly functions: ConnectorFunctions },
  tx: Tx,
  accountId: string,
  runId: string,
  quality: 'fast' | 'strong',
  args: JsonObject,
): Promise<RunInput> {
  const { steps, tokens, cost, duration } = membersOf(args['limits'])
  const data = args['data'] ?? null
  const tools: ToolInput[] = []
  for (const item of itemsOf(args['tools'])) {
    const { workflow, function: called, connection, ...tool } = membersOf(item)
    const document = membersOf(workflow)
    const [namespace, name] = [textOf(document['namespace']), textOf(document['name'])]
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Compiled by `expandAgent`.
    const base = tool as unknown as ToolInput
    if (typeof called === 'string') tools.push({ ...base, parameters: parametersOfFunction(functions, called, connection) })
    else if (namespace === undefined || name === undefined) tools.push(base)
    else {
      const found = await inputSchemaOf(tx, accountId, { namespace, name })
      if (found === undefined)
        throw standardError('configuration', `The tool "${base.name}" needs a published and enabled workflow ${namespace}/${name}.`)
      tools.push({ ...base, parameters: parametersOf(found.schema) })
    }
  }
  return {
    runId,
    goal: textOf(args['goal']) ?? '',
    ...(data === null ? {} : { data }),
    quality,
    steps: typeof steps === 'number' ? steps : 10,
    tokens: typeof tokens === 'number' ? tokens : 200_000,
    ...(typeof cost === 'number' ? { costMicros: microsOf(cost) } : {}),
    deadlineMs: now() + (durationMs(textOf(duration) ?? 'PT1H') ?? 0),
    tools,
  }
}

function parametersOfFunction(functions: ConnectorFunctions, name: string, connection: Json | undefined): JsonObject {
  const found = functions.get(name)
  if (found === undefined) throw standardError('configuration', `No connector of the account has a function "${name}".`)
  if (connection === undefined && needsConnection(found.input))
    throw standardError('configuration', `The function "${name}" needs a connection.`)
  return withoutConnection(found.input)
}
