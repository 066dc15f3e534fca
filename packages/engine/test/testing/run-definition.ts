import { type Definition, validateDefinition } from '@millrace/dsl'
import { parse } from 'yaml'
import { compileWorkflow } from '#compile/compile-workflow.ts'
import type { ErrorData } from '#core/error.ts'
import type { Json, JsonObject } from '#core/json.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import type { Observer } from '#core/observer.ts'
import type { Installation } from '#compile/context.ts'
import { type LocalRun, runLocally } from '#durable/local/local-run.ts'
import type { EffectFunction } from '#durable/ports/effects.ts'
import type { Journal, Write } from '#durable/ports/journal.ts'
import type { RunEnd } from '#durable/run/run-end.ts'

export interface RunOptions {
  readonly input?: Json
  /** Implements `call: http`; its arguments are evaluated. */
  readonly http?: EffectFunction
  readonly secrets?: JsonObject
  /** Child workflows, as YAML. */
  readonly others?: readonly string[]
  readonly observer?: Observer
  /** Functions in addition to `call: http`. */
  readonly functions?: Readonly<Record<string, EffectFunction>>
  readonly installation?: Installation
  /** Events that are published right after the start. */
  readonly events?: readonly JsonObject[]
  /** Called with the run after its start. */
  readonly started?: (run: LocalRun) => void
  readonly now?: () => number
}

export interface RunResult {
  readonly state: string
  readonly output: Json | undefined
  readonly error: ErrorData | undefined
  /** All writes, in order. */
  readonly writes: readonly Write[]
  /** Names of the tasks that completed, in order. */
  readonly completed: readonly string[]
}

/** Compiles a definition, which must be valid; `document` is optional. */
export function definitionOf(yaml: string, installation: Installation = { functions: [] }): CompiledWorkflow {
  const functions = installation.functions.map(({ name, version, input }) => ({ name, version, input }))
  const { definition, diagnostics } = validateDefinition(documented(yaml), { functions })
  const errors = diagnostics.filter(({ severity }) => severity === 'error').map(({ pointer, message }) => `${pointer}: ${message}`)
  if (definition === undefined || errors.length > 0) throw new Error(`the test's definition is not valid: ${errors.join('; ')}`)
  return compileWorkflow(definition, installation)
}

/** The same without validation, for tests of compiled tasks with input that validation rejects or warns of. */
export function uncheckedDefinitionOf(yaml: string): CompiledWorkflow {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The test wrote it.
  return compileWorkflow(parse(documented(yaml)) as Definition)
}

function documented(yaml: string): string {
  const given: unknown = parse(yaml)
  const document = { dsl: '1.0.3', namespace: 'test', name: 'test', version: '1.0.0' }
  return JSON.stringify(typeof given === 'object' ? { document, ...given } : given)
}

/** Runs a definition to its end in memory. */
export async function runDefinition(yaml: string, options: RunOptions = {}): Promise<RunResult> {
  const workflow = definitionOf(yaml, options.installation)
  const others = (options.others ?? []).map((other) => definitionOf(other, options.installation))
  const writes: Write[] = []
  const completed: string[] = []
  const journal: Journal = {
    async write(write) {
      writes.push(write)
      return { refused: false }
    },
  }
  let ids = 0
  const run = runLocally(workflow, options.input ?? {}, {
    functions: new Map(Object.entries({ ...options.functions, ...(options.http === undefined ? {} : { http: options.http }) })),
    definitions: {
      async load(_accountId, versionId) {
        const found = others.find(({ document }) => document.name === versionId)
        if (found === undefined) throw new Error(`no workflow ${versionId}`)
        return found
      },
      async resolve(_accountId, { name }) {
        return others.some(({ document }) => document.name === name) ? { workflowId: name, versionId: name } : undefined
      },
    },
    reporter: {
      warn(message, details) {
        throw new Error(message, { cause: details })
      },
    },
    secrets: options.secrets ?? {},
    now: options.now ?? Date.now,
    newId: () => `id-${++ids}`,
    version: '0.0.0',
    journal,
    observer: {
      skipped: (position, node, atMs, which) => options.observer?.skipped(position, node, atMs, which),
      started: (position, node, atMs, input, which) => options.observer?.started(position, node, atMs, input, which),
      completed(position, node, atMs, output) {
        completed.push(node.name)
        options.observer?.completed(position, node, atMs, output)
      },
      faulted: (position, node, atMs, error, which) => options.observer?.faulted(position, node, atMs, error, which),
    },
  })
  for (const event of options.events ?? []) run.publish(event)
  options.started?.(run)
  return { ...endOf(await run.end), writes, completed }
}

function endOf(end: RunEnd): Pick<RunResult, 'state' | 'output' | 'error'> {
  if (end.kind !== 'ended') throw new Error(`the run did not end but was ${end.kind}`)
  return { state: end.state, output: end.output, error: end.error }
}
