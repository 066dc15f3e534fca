import { createMachine } from '#core/machine.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import { createAnnouncer } from '#durable/lifecycle-events.ts'
import { createJournalMeter, type JournalLimits } from '#durable/run/journal-meter.ts'
import { createPerformer, type Performer } from '#durable/run/performer.ts'
import { ownProcessor, type Processor } from '#durable/ports/processor.ts'
import type { BoundaryName } from '#durable/ports/boundary.ts'
import type { Message } from '#durable/ports/bus.ts'
import type { EffectCall } from '#durable/ports/effects.ts'
import type { ExecutionHead } from '#durable/ports/execution.ts'
import type { Reception } from '#durable/ports/reception.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import type { Run } from '#durable/run/run.ts'
import { startRun } from '#durable/run/start-run.ts'
import type { Json, JsonObject } from '#core/json.ts'
import { createManualJournal, type ManualJournal } from './manual-journal.ts'
import { replay } from './walks.ts'

/** A running effect, which the test ends. */
export interface Performing {
  readonly name: string
  readonly call: EffectCall
  resolve(value: Json): void
  reject(error: unknown): void
}

export interface TestRun {
  readonly run: Run
  readonly journal: ManualJournal
  /** Started effects in order, including ended ones. */
  readonly effects: readonly Performing[]
  /** Accepted children. */
  readonly children: readonly ExecutionHead[]
  readonly warnings: readonly string[]
  readonly boundaries: readonly BoundaryName[]
}

export interface TestRunOptions {
  /** The journal to replay; without it the execution is new. */
  readonly entries?: readonly JournalEntry[]
  readonly cancelRequested?: boolean
  readonly suspendRequested?: boolean
  readonly messages?: readonly Message[]
  readonly parkAfterMs?: number
  readonly parentId?: string
  readonly secrets?: JsonObject
  /** Limits of the journal; unlimited by default. */
  readonly journalLimits?: JournalLimits
  readonly now?: () => number
  readonly processor?: Processor
  /** Whether lifecycle events are wanted; false by default. */
  readonly announced?: boolean
  readonly reception?: Reception
  /** Whether the workflow of a child exists; true by default. */
  readonly resolves?: boolean
}

export const runStartedAtMs = Date.parse('2030-01-01T00:00:00Z')

/** Runs nodes with the functions `a` to `e`, whose outcomes and journal the test controls. */
export function startTestRun(workflow: CompiledWorkflow, options: TestRunOptions = {}): TestRun {
  const journal = createManualJournal()
  const effects: Performing[] = []
  const children: ExecutionHead[] = []
  const warnings: string[] = []
  const boundaries: BoundaryName[] = []
  const { processor = ownProcessor } = options
  const now = options.now ?? (() => runStartedAtMs)
  const head = headOf(options)
  const reporter = { warn: (message: string) => void warnings.push(message) }
  const performer: Performer = createPerformer({
    functions: new Map(
      ['a', 'b', 'c', 'd', 'e'].map((name) => [
        name,
        (call: EffectCall) => new Promise<Json>((resolve, reject) => effects.push({ name, call, resolve, reject })),
      ]),
    ),
    definitions: {
      load: async () => workflow,
      resolve: async () => (options.resolves === false ? undefined : { workflowId: 'wf', versionId: 'wfv' }),
    },
    reception: options.reception,
    reporter,
    now,
    newId: () => `child-${children.length + 1}`,
    hasRoom: () => true,
    childAccepted: (child) => void children.push(child),
  })
  const secrets = options.secrets ?? {}
  const source = { id: head.id, input: head.input, startedAtMs: runStartedAtMs, entries: options.entries ?? [] }
  const fresh = options.entries === undefined
  const lifecycle = { hasSubscribers: () => options.announced === true, publicId: (id: string) => id }
  const announcer = createAnnouncer({ id: head.id, accountId: head.accountId, workflow }, lifecycle)
  if (fresh) announcer?.enable()
  const execution = { ...source, definition: null, runtime: {}, secrets, nowMs: runStartedAtMs }
  const start = fresh
    ? {
        machine: createMachine(workflow, execution, announcer?.observer, { turn: processor.turn }),
        nextSeq: 0,
        children: new Map(),
        waits: { open: new Set<string>(), closing: [] },
      }
    : replay(workflow, source, secrets, {}, announcer?.observer)
  announcer?.enable()
  const run = startRun(
    {
      journal,
      performer,
      processor,
      reporter,
      now,
      boundary: (name) => void boundaries.push(name),
      parkAfterMs: options.parkAfterMs ?? 1_000,
    },
    {
      head,
      ...start,
      announcer,
      meter: options.journalLimits === undefined ? undefined : createJournalMeter(options.journalLimits, source.entries),
      isNew: fresh,
      messages: options.messages ?? [],
      cancelRequested: options.cancelRequested ?? false,
      suspendRequested: options.suspendRequested ?? false,
    },
  )
  return { run, journal, effects, children, warnings, boundaries }
}

function headOf(options: TestRunOptions): ExecutionHead {
  return {
    id: 'execution',
    accountId: 'account',
    workflowId: 'wf',
    versionId: 'wfv',
    trigger: 'manual',
    actor: 'user:test',
    input: {},
    parentId: options.parentId,
    depth: 0,
    createdAtMs: runStartedAtMs,
    idempotency: undefined,
  }
}
