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
import type { JournalEntry } from '#durable/ports/journal.ts'
import { type Run, startRun } from '#durable/run/run.ts'
import type { Json, JsonObject } from '#core/json.ts'
import { createHeldJournal, type HeldJournal } from './held-journal.ts'
import { replay } from './walks.ts'

/** An effect that is being performed until the test ends it. */
export interface Performing {
  readonly name: string
  readonly call: EffectCall
  resolve(value: Json): void
  reject(error: unknown): void
}

export interface TestRun {
  readonly run: Run
  readonly journal: HeldJournal
  /** Effects that were begun, in order, ended ones included. */
  readonly effects: readonly Performing[]
  /** Children that may begin, by the id of their execution. */
  readonly children: readonly ExecutionHead[]
  readonly warnings: readonly string[]
  readonly boundaries: readonly BoundaryName[]
}

export interface TestRunOptions {
  /** A journal to go on from; a new execution without. */
  readonly entries?: readonly JournalEntry[]
  readonly cancelRequested?: boolean
  readonly suspendRequested?: boolean
  readonly messages?: readonly Message[]
  readonly parkAfterMs?: number
  readonly parentId?: string
  readonly secrets?: JsonObject
  /** How much it may keep; as much as it likes unless given. */
  readonly journalLimits?: JournalLimits
  readonly now?: () => number
  readonly processor?: Processor
  /** Whether somebody wants to hear what happens to it; nobody unless told otherwise. */
  readonly announced?: boolean
  /** Whether a child that it wants to run exists; it does unless told otherwise. */
  readonly resolves?: boolean
}

export const runStartedAtMs = Date.parse('2030-01-01T00:00:00Z')

/** Runs hand-made nodes whose functions `a` to `e` the test answers, against a journal that it holds. */
export function startTestRun(workflow: CompiledWorkflow, options: TestRunOptions = {}): TestRun {
  const journal = createHeldJournal()
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
    reporter,
    now,
    newId: () => `child-${children.length + 1}`,
    hasRoom: () => true,
    childAccepted: (child) => void children.push(child),
  })
  const secrets = options.secrets ?? {}
  const source = { id: head.id, input: head.input, startedAtMs: runStartedAtMs, entries: options.entries ?? [] }
  const fresh = options.entries === undefined
  const lifecycle = { wanted: () => options.announced === true, publicId: (id: string) => id }
  const announcer = createAnnouncer({ id: head.id, accountId: head.accountId, workflow }, lifecycle)
  if (fresh) announcer?.speak()
  const execution = { ...source, definition: null, runtime: {}, secrets, nowMs: runStartedAtMs }
  const start = fresh
    ? {
        machine: createMachine(workflow, execution, announcer?.observer, { turn: processor.turn }),
        nextSeq: 0,
        children: new Map(),
        waits: { open: new Set<string>(), closing: [] },
      }
    : replay(workflow, source, secrets, {}, announcer?.observer)
  announcer?.speak()
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
      fresh,
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
