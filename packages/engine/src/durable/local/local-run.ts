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
  /** Called with every emitted event. */
  readonly onPublished?: (event: JsonObject) => void
  /** Also receives the writes; by default nothing is stored. */
  readonly journal?: Journal
}

/** A run in this process, without a database. */
export interface LocalRun {
  readonly end: Promise<RunEnd>
  cancel(): void
  /** Publishes a complete CloudEvent to the run and its children. */
  publish(event: JsonObject): void
  /**
   * Answers a wait of the run or of one of its children: of the execution with this id, otherwise of the first with a wait at this position.
   * @returns false if no wait is open there.
   */
  answer(position: string, value: Json, executionId?: string): boolean
  /** Open waits of the run and its children for messages other than events. */
  waits(): readonly Wait[]
}

/**
 * Runs a definition from beginning to end in this process, without a database: for trying a definition out. Child workflows run in the same way.
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
  const connection = bus.connect((messages) => run.receive(messages))
  const performer = createPerformer({ ...deps, hasRoom: () => true, childAccepted: (child) => void runChild(child) })
  const journal: Journal = {
    async write(write) {
      const written = await deps.journal?.write(write)
      // Consequences follow after the write is done, as with a database.
      if (write.waits !== undefined || write.events.length > 0) setImmediate(() => applyToBus(write))
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
      isNew: true,
      cancelRequested: false,
      suspendRequested: false,
    },
  )
  return {
    end: run.end,
    cancel: () => run.cancel(),
    publish: (event) => bus.publish(event),
    answer: (position, value, executionId) =>
      ((executionId === undefined || executionId === head.id) && connection.answer(position, value)) ||
      [...children.values()].some((child) => child.answer(position, value, executionId)),
    waits: () => [...connection.waits(), ...[...children.values()].flatMap((child) => child.waits())],
  }

  function applyToBus({ waits, events }: Write): void {
    const closed = new Set(waits?.closed)
    connection.consumed(waits?.consumed ?? [])
    for (const position of closed) connection.close(position)
    for (const event of events) deps.onPublished?.(event)
    for (const event of events) bus.publish(event)
    for (const wait of waits?.opened ?? []) if (!closed.has(wait.position)) connection.open(wait)
  }

  async function runChild(childHead: ExecutionHead): Promise<void> {
    try {
      const child = begin(await deps.definitions.load(childHead.accountId, childHead.versionId), childHead, deps, bus, undefined)
      children.set(childHead.id, child)
      const end = await child.end
      if (end.kind === 'ended') run.childEnded(childHead.id, outcomeOfChild(end))
    } catch (error) {
      reporter.warn('child execution failed to start', { executionId: childHead.id, error })
      run.childEnded(childHead.id, { ok: false, error: standardError('runtime', 'the child workflow could not be loaded').data })
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
