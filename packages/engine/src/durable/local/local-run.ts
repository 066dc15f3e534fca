import { standardError } from '#core/error.ts'
import type { Json, JsonObject } from '#core/json.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import type { Observer } from '#core/observer.ts'
import type { Wait } from '#core/request.ts'
import { beginMachine } from '#durable/run/begin-machine.ts'
import { createLocalBus, type LocalBus } from './local-bus.ts'
import { createPerformer } from '#durable/run/performer.ts'
import { ownProcessor } from '#durable/ports/processor.ts'
import type { Definitions } from '#durable/ports/definitions.ts'
import type { EffectFunction } from '#durable/ports/effects.ts'
import type { ExecutionHead } from '#durable/ports/execution.ts'
import type { Journal, Write } from '#durable/ports/journal.ts'
import type { Reporter } from '#durable/ports/reporter.ts'
import { startRun } from '#durable/run/start-run.ts'
import { outcomeOfChild, type RunEnd } from '#durable/run/run-end.ts'

export interface LocalRunDeps {
  readonly functions: ReadonlyMap<string, EffectFunction>
  readonly definitions: Definitions
  readonly reporter: Reporter
  readonly secrets: JsonObject
  readonly now: () => number
  readonly newId: () => string
  readonly version: string
  readonly observer?: Observer
  /** Told of every event that is emitted. */
  readonly published?: (event: JsonObject) => void
  /** Where entries go; nowhere unless given. */
  readonly journal?: Journal
}

/** The end of a run in this process, and a way to stop it before. */
export interface LocalRun {
  readonly end: Promise<RunEnd>
  cancel(): void
  /** Gives a complete CloudEvent to it and what it runs, as those that they emit themselves. */
  publish(event: JsonObject): void
  /**
   * Answers a wait of it, or of what it runs: of the execution with this id, or of the first that waits at this position.
   * @returns false when nothing waits there.
   */
  answer(position: string, value: Json, executionId?: string): boolean
  /** What it and what it runs wait for from outside beside events. */
  waits(): readonly Wait[]
}

/**
 * Runs a definition from its beginning to its end in this process and writes nothing down: for trying a definition out.
 * Workflows that it runs are run the same way.
 */
export function runLocally(workflow: CompiledWorkflow, input: Json, deps: LocalRunDeps): LocalRun {
  return begin(workflow, headOf(workflow, input, deps), deps, createLocalBus(), deps.observer)
}

function begin(
  workflow: CompiledWorkflow,
  head: ExecutionHead,
  deps: LocalRunDeps,
  bus: LocalBus,
  observer: Observer | undefined,
): LocalRun {
  const { now, secrets, version, reporter } = deps
  const startedAtMs = now()
  const runtime = { name: 'millrace', version, metadata: {} }
  const execution = { id: head.id, definition: workflow.definition, input: head.input, startedAtMs, runtime, secrets, nowMs: startedAtMs }
  const children = new Map<string, LocalRun>()
  const member = bus.join((messages) => run.receive(messages))
  const performer = createPerformer({ ...deps, hasRoom: () => true, childAccepted: (child) => void runChild(child) })
  const journal: Journal = {
    async write(write) {
      const written = await deps.journal?.write(write)
      // What comes of it comes after the write is done, as from a database.
      if (write.waits !== undefined || write.events.length > 0) setImmediate(() => bring(write))
      for (const childId of write.cancels) children.get(childId)?.cancel()
      return written ?? { refused: false }
    },
  }
  const run = startRun(
    { journal, performer, processor: ownProcessor, reporter, now, boundary: () => undefined, parkAfterMs: Number.POSITIVE_INFINITY },
    {
      head,
      machine: beginMachine(workflow, execution, reporter, observer),
      nextSeq: 0,
      children: new Map(),
      waits: { open: new Set(), closing: [] },
      messages: [],
      fresh: true,
      cancelRequested: false,
      suspendRequested: false,
    },
  )
  return {
    end: run.end,
    cancel: () => run.cancel(),
    publish: (event) => bus.publish(event),
    answer: (position, value, executionId) =>
      ((executionId === undefined || executionId === head.id) && member.answer(position, value)) ||
      [...children.values()].some((child) => child.answer(position, value, executionId)),
    waits: () => [...member.waits(), ...[...children.values()].flatMap((child) => child.waits())],
  }

  function bring({ waits, events }: Write): void {
    const closed = new Set(waits?.closed)
    member.taken(waits?.consumed ?? [])
    for (const position of closed) member.close(position)
    for (const event of events) deps.published?.(event)
    for (const event of events) bus.publish(event)
    for (const wait of waits?.opened ?? []) if (!closed.has(wait.position)) member.open(wait)
  }

  async function runChild(childHead: ExecutionHead): Promise<void> {
    try {
      const child = begin(await deps.definitions.load(childHead.accountId, childHead.versionId), childHead, deps, bus, undefined)
      children.set(childHead.id, child)
      const end = await child.end
      if (end.kind === 'ended') run.childEnded(childHead.id, outcomeOfChild(end))
    } catch (error) {
      reporter.warn('a child could not be begun', { executionId: childHead.id, error })
      run.childEnded(childHead.id, { ok: false, error: standardError('runtime', 'the workflow it runs could not be read').data })
    }
  }
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
