import { standardError, WorkflowError } from '#core/error.ts'
import type { JsonObject } from '#core/json.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import type { ComputeStall } from '#core/request.ts'
import { type Announcer, createAnnouncer } from '#durable/lifecycle-events.ts'
import type { ExecutionHead } from '#durable/ports/execution.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import { type ComputationEnd, ownProcessor } from '#durable/ports/processor.ts'
import type { ClaimedExecution } from '#durable/ports/store.ts'
import { walkInTurns } from '#durable/replay/interruptible.ts'
import { replay, type Replayed, type ReplaySource } from '#durable/replay/replay.ts'
import { beginMachine, faultedMachine, internalError } from '#durable/run/begin-machine.ts'
import { createJournalMeter, type JournalMeter } from '#durable/run/journal-meter.ts'
import type { RunStart } from '#durable/run/run.ts'
import type { EngineDeps, EngineOptions } from './engine-deps.ts'

/** A definition ready to run for one execution. */
export interface Prepared {
  readonly workflow: CompiledWorkflow
  readonly secrets: JsonObject
  /** A secret that the definition lists and the account does not have. */
  readonly missingSecretError: string | undefined
}

/** Prepares the starts of runs. */
export interface RunPreparation {
  /** Reads the secrets of an execution of a workflow. */
  prepare(head: ExecutionHead, workflow: CompiledWorkflow): Promise<Prepared>
  /** The start of an execution that is not in the database yet. */
  startNew(head: ExecutionHead, prepared: Prepared): RunStart
  /**
   * The start of an execution that this process has claimed: its journal is replayed. An execution that cannot be replayed starts as faulted.
   * Rejects when the secrets cannot be read, or when the signal aborts.
   */
  startClaimed(claimed: ClaimedExecution, workflow: CompiledWorkflow, signal: AbortSignal): Promise<RunStart>
}

const NO_WAITS = { open: new Set<string>(), closing: [] }

export function createRunPreparation(deps: EngineDeps, options: Pick<EngineOptions, 'journalLimits'>): RunPreparation {
  const { reporter, now, processor = ownProcessor, boundary = () => undefined, publicId = (id) => id } = deps
  const runtime = { name: 'millrace', version: deps.version, metadata: {} }

  function announcerOf({ id, accountId }: ExecutionHead, workflow: CompiledWorkflow): Announcer | undefined {
    return deps.lifecycle === undefined ? undefined : createAnnouncer({ id, accountId, workflow }, deps.lifecycle)
  }

  function meterOf(entries: readonly JournalEntry[]): JournalMeter | undefined {
    return options.journalLimits === undefined ? undefined : createJournalMeter(options.journalLimits, entries)
  }

  async function prepare(head: ExecutionHead, workflow: CompiledWorkflow): Promise<Prepared> {
    const secrets = workflow.secrets.length === 0 ? {} : await deps.secrets.read(head.accountId, workflow.secrets, head)
    const missing = workflow.secrets.find((name) => !Object.hasOwn(secrets, name))
    return { workflow, secrets, missingSecretError: missing }
  }

  async function replayOrFault(
    accountId: string,
    source: ReplaySource,
    { workflow, secrets, missingSecretError: missing }: Prepared,
    { announcer, signal }: { readonly announcer: Announcer | undefined; readonly signal: AbortSignal },
  ): Promise<Replayed & Pick<RunStart, 'ranOut'>> {
    try {
      if (missing !== undefined) throw missingSecret(missing)
      const walk = replay(workflow, source, { secrets, runtime, observer: announcer?.observer, turn: processor.turn })
      const ranOut: [ComputeStall, ComputationEnd][] = []
      const onRanOut = (stall: ComputeStall, end: ComputationEnd) => void ranOut.push([stall, end])
      return { ...(await walkInTurns(walk, { processor, accountId, signal, onRanOut })), ranOut }
    } catch (error) {
      // This process closes: another one will replay the execution.
      if (signal.aborted) throw error
      if (!(error instanceof WorkflowError)) reporter.warn('execution cannot be replayed', { executionId: source.id, error })
      const { id, input, startedAtMs } = source
      const execution = { id, definition: workflow.definition, input, startedAtMs, runtime, secrets, nowMs: now() }
      return {
        machine: faultedMachine(execution, internalError(error)),
        nextSeq: source.entries.length,
        children: new Map(),
        // The replay did not reach the end of the journal, so all waits that the execution ever opened are closed.
        waits: { open: new Set(), closing: source.entries.filter(({ kind }) => kind === 'wait').map(({ position }) => position) },
      }
    }
  }

  return {
    prepare,
    startNew(head, { workflow, secrets, missingSecretError: missing }) {
      const startedAtMs = now()
      const announcer = announcerOf(head, workflow)
      announceStart(announcer, startedAtMs)
      const { definition } = workflow
      const execution = { id: publicId(head.id), definition, input: head.input, startedAtMs, runtime, secrets, nowMs: startedAtMs }
      return {
        head,
        announcer,
        meter: meterOf([]),
        machine:
          missing === undefined
            ? beginMachine(workflow, execution, reporter, announcer?.observer, processor.turn)
            : faultedMachine(execution, missingSecret(missing).data),
        nextSeq: 0,
        children: new Map(),
        waits: NO_WAITS,
        messages: [],
        isNew: true,
        cancelRequested: false,
        suspendRequested: false,
      }
    },
    async startClaimed({ head, startedAtMs, entries, ...claimed }, workflow, signal) {
      const prepared = await prepare(head, workflow)
      boundary('claimed')
      const announcer = announcerOf(head, workflow)
      if (entries.length === 0) announceStart(announcer, startedAtMs)
      const source = { id: publicId(head.id), input: head.input, startedAtMs, entries }
      const replayed = await replayOrFault(head.accountId, source, prepared, { announcer, signal })
      announcer?.enable()
      boundary('replayed')
      return { ...claimed, ...replayed, head, announcer, meter: meterOf(entries), isNew: false }
    },
  }
}

function missingSecret(name: string): WorkflowError {
  return standardError('authorization', `there is no secret "${name}" for this workflow`, '/use/secrets')
}

function announceStart(announcer: Announcer | undefined, atMs: number): void {
  announcer?.enable()
  announcer?.workflow('started', atMs)
}
