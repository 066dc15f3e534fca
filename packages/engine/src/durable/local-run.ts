import type { Json, JsonObject } from '#core/json.ts'
import { createMachine } from '#core/machine.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import type { Observer } from '#core/observer.ts'
import { createPerformer } from './performer.ts'
import type { Definitions, EffectFunction, ExecutionHead, Journal, Reporter } from './ports.ts'
import { type RunEnd, startRun } from './run.ts'

export interface LocalRunDeps {
  readonly functions: ReadonlyMap<string, EffectFunction>
  readonly definitions: Definitions
  readonly reporter: Reporter
  readonly secrets: JsonObject
  readonly now: () => number
  readonly newId: () => string
  readonly version: string
  readonly observer?: Observer
  /** Where entries go; nowhere unless given. */
  readonly journal?: Journal
}

/** The end of a run in this process, and a way to stop it before. */
export interface LocalRun {
  readonly end: Promise<RunEnd>
  cancel(): void
}

/**
 * Runs a definition from its beginning to its end in this process and writes nothing down: for trying a definition out.
 * Workflows that it runs are run the same way.
 */
export function runLocally(workflow: CompiledWorkflow, input: Json, deps: LocalRunDeps): LocalRun {
  return begin(workflow, headOf(workflow, input, deps), deps, deps.observer)
}

function begin(workflow: CompiledWorkflow, head: ExecutionHead, deps: LocalRunDeps, observer: Observer | undefined): LocalRun {
  const { now, secrets, version } = deps
  const startedAtMs = now()
  const runtime = { name: 'millrace', version, metadata: {} }
  const execution = { id: head.id, definition: workflow.definition, input: head.input, startedAtMs, runtime, secrets, nowMs: startedAtMs }
  const performer = createPerformer({
    ...deps,
    secretsOf: () => secrets,
    hasRoom: () => true,
    childAccepted: (child) => void runChild(child, deps, (childId, outcome) => run.childEnded(childId, outcome)),
  })
  const journal = deps.journal ?? { write: async () => ({ refused: false }) }
  const machine = createMachine(workflow, execution, observer)
  const run = startRun(
    { journal, performer, now, boundary: () => undefined, parkAfterMs: Number.POSITIVE_INFINITY },
    { head, machine, nextSeq: 0, children: new Map(), fresh: true, cancelRequested: false },
  )
  return run
}

async function runChild(head: ExecutionHead, deps: LocalRunDeps, tell: Parameters<typeof tellEnd>[2]): Promise<void> {
  const workflow = await deps.definitions.load(head.accountId, head.versionId)
  tellEnd(head.id, await begin(workflow, head, deps, undefined).end, tell)
}

function tellEnd(childId: string, end: RunEnd, tell: ReturnType<typeof startRun>['childEnded']): void {
  if (end.kind !== 'ended') return
  tell(childId, end.error === undefined ? { ok: true, value: end.output ?? null } : { ok: false, error: end.error })
}

function headOf(workflow: CompiledWorkflow, input: Json, { now, newId }: LocalRunDeps): ExecutionHead {
  const { namespace, name, version } = workflow.document
  return {
    id: newId(),
    accountId: 'local',
    workflowId: `${namespace}/${name}`,
    versionId: `${namespace}/${name}:${version}`,
    trigger: 'manual',
    actor: 'local',
    input,
    parentId: undefined,
    depth: 0,
    createdAtMs: now(),
    idempotency: undefined,
  }
}
