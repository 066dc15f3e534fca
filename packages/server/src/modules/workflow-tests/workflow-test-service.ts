import { Fault, type JsonValue, samplesBytesMax } from '@millrace/contract'
import type { ExecutionService } from '#modules/executions/index.ts'
import type { Workflows } from '#modules/workflows/index.ts'
import type { Database } from '#platform/db/database.ts'
import type { Tx } from '#platform/http/index.ts'
import { findSamples, putSamples, type Samples } from './sample-store.ts'
import { testDefinition } from './test-definition.ts'

export interface WorkflowTestsDeps {
  readonly database: Pick<Database, 'account'>
  readonly workflows: Pick<Workflows, 'get' | 'prepareUpdate' | 'assertKnown' | 'insertTestVersion'>
  readonly execute: ExecutionService['execute']
  readonly now: () => number
}

/** A test as it was requested. */
export interface TestRequest {
  readonly definition: string | object | undefined
  readonly task: string | undefined
  readonly input: JsonValue | undefined
  readonly taskInput: JsonValue | undefined
  readonly context: JsonValue | undefined
  readonly items: Readonly<Record<string, JsonValue>>
  readonly pins: Readonly<Record<string, { readonly output: JsonValue }>>
  readonly samples: boolean
}

export interface Tester {
  readonly accountId: string
  readonly actor: string
}

type WaitOptions = Parameters<ExecutionService['execute']>[1]

export type WorkflowTests = ReturnType<typeof createWorkflowTests>

/** Runs tests of definitions and of single tasks, and keeps their samples. */
export function createWorkflowTests({ database, workflows, execute, now }: WorkflowTestsDeps) {
  /** The definition to test, valid, as JSON. */
  async function sourceOf(accountId: string, id: string, given: string | object | undefined): Promise<Record<string, unknown>> {
    const { workflow } = await workflows.get(accountId, id, undefined, 'json')
    const definition = given ?? workflow.invalidDraft?.source
    if (definition === undefined) return JSON.parse(workflow.draft.json)
    const { given: prepared } = await workflows.prepareUpdate(accountId, id, changeOf(definition, false))
    return JSON.parse(prepared?.read.stored.json ?? workflow.draft.json)
  }

  return {
    /** Faults: those of publishing a definition and of starting an execution; `request_invalid` for an unknown task or pin. */
    async run({ accountId, actor }: Tester, workflowId: string, request: TestRequest, wait: WaitOptions) {
      const definition = await sourceOf(accountId, workflowId, request.definition)
      const samples = request.samples ? await database.account(accountId, (tx) => findSamples(tx, accountId, workflowId)) : { tasks: {} }
      const derived = testDefinition(definition, planOf(request, samples))
      const { given: prepared } = await workflows.prepareUpdate(accountId, workflowId, changeOf(derived, true), 'draft')
      if (prepared === undefined) throw new Error('a definition that was given was not prepared')
      const number = await database.account(accountId, (tx) => workflows.insertTestVersion(tx, accountId, workflowId, prepared, { actor }))
      const input = request.input === undefined ? (samples.input ?? {}) : request.input
      const origin = { kind: 'test', id: actor } as const
      const command = { accountId, workflowId, version: number, input, origin, idempotencyKey: undefined }
      return (await execute(command, wait)).execution
    },

    async samples(tx: Tx, accountId: string, workflowId: string): Promise<Samples> {
      await workflows.assertKnown(tx, accountId, workflowId)
      return findSamples(tx, accountId, workflowId)
    },

    async saveSamples(tx: Tx, accountId: string, workflowId: string, samples: Samples, actor: string): Promise<Samples> {
      await workflows.assertKnown(tx, accountId, workflowId)
      if (Buffer.byteLength(JSON.stringify(samples)) > samplesBytesMax)
        throw new Fault('request_invalid', { errors: [{ pointer: '', detail: `Must have at most ${samplesBytesMax} bytes as JSON.` }] })
      await putSamples(tx, accountId, workflowId, samples, { at: new Date(now()), by: actor })
      return samples
    },
  }
}

const unchanged = { name: undefined, description: undefined, tags: undefined, enabled: undefined }

function changeOf(definition: string | object, publish: boolean) {
  return { ...unchanged, definition, publish }
}

function planOf({ task, taskInput, context, items, pins }: TestRequest, { tasks }: Samples) {
  const sampled = Object.entries(tasks).flatMap(([reference, { output }]) => (output === undefined ? [] : [[reference, output] as const]))
  const pinned = Object.entries(pins).map(([reference, { output }]) => [reference, output] as const)
  const outputs = new Map<string, JsonValue>([...sampled, ...pinned])
  // Null is an input too.
  const known = task === undefined ? [] : [tasks[task]?.input, outputBefore(task, outputs)]
  const given = [taskInput, ...known].find((input) => input !== undefined)
  return { task, taskInput: given === undefined ? {} : given, context, items, outputs, pinned: Object.keys(pins) }
}

/** The output of the task before a task in its list. */
function outputBefore(task: string, outputs: ReadonlyMap<string, JsonValue>): JsonValue | undefined {
  const [, list, index] = /^(.*\/)(\d+)\/[^/]+$/.exec(task) ?? []
  if (list === undefined) return undefined
  const prefix = `${list}${Number(index) - 1}/`
  for (const [reference, output] of outputs)
    if (reference.startsWith(prefix) && !reference.slice(prefix.length).includes('/')) return output
  return undefined
}
