import { standardError, WorkflowError } from '#core/error.ts'
import { isTerminal } from '#core/execution-state.ts'
import type { JsonObject } from '#core/json.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import type { ComputeStall } from '#core/request.ts'
import { type Announcer, createAnnouncer } from '#durable/lifecycle-events.ts'
import { beginMachine, faultedMachine, internalError } from '#durable/run/begin-machine.ts'
import type { EngineDeps, EngineOptions } from './engine-deps.ts'
import { createPerformer } from '#durable/run/performer.ts'
import { createJournalMeter, type JournalMeter } from '#durable/run/journal-meter.ts'
import type { ExecutionHead } from '#durable/ports/execution.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import type { Claimed } from '#durable/ports/store.ts'
import { walkInTurns } from '#durable/replay/interruptible.ts'
import { type ComputationEnd, ownProcessor } from '#durable/ports/processor.ts'
import { replay, type Replayed, type ReplaySource } from '#durable/replay/replay.ts'
import type { Run, RunStart } from '#durable/run/run.ts'
import { startRun } from '#durable/run/start-run.ts'
import { outcomeOfChild, type RunEnd } from '#durable/run/run-end.ts'

/** A definition ready to run for one execution. */
export interface Prepared {
  readonly workflow: CompiledWorkflow
  readonly secrets: JsonObject
  /** A secret that the definition lists and that is not there. */
  readonly missing: string | undefined
}

/** The executions that this process runs at this moment. */
export interface Live {
  size(): number
  hasRoom(): boolean
  prepare(head: ExecutionHead): Promise<Prepared>
  /** Begins an execution that is in no database yet. */
  begin(head: ExecutionHead, prepared: Prepared): Run
  /** Goes on with an execution that this process has claimed. */
  resume(claimed: Claimed): Promise<Run>
  /** The run of an execution, while this process runs it. */
  find(accountId: string, id: string): Run | undefined
  /** Each tells whether a run took it; one that is leaving takes nothing any more. */
  cancel(id: string): boolean
  suspend(id: string): boolean
  /** Looks after what has happened elsewhere: children that ended, messages that came. */
  refresh(id: string): Promise<boolean>
  /** Runs whose last write may or may not be in the database; taken out by the call. */
  takeLost(): readonly string[]
  lose(ids: readonly string[]): void
  /** Forgets everything: this process has been given up and its executions are others'. */
  dropAll(): void
  drain(deadlineMs: number): Promise<void>
}

interface Entry {
  readonly run: Run
}

/** Executions that wait longer than this are parked: they hold no process, no connection and no memory. */
const PARK_AFTER_MS = 1_000
const NO_WAITS = { open: new Set<string>(), closing: [] }
/** Time kept back from a drain's deadline for writing down what it interrupts. */
const DRAIN_RESERVE_MS = 2_000

export function createLive(deps: EngineDeps, options: EngineOptions): Live {
  const { store, definitions, reporter, now, processor = ownProcessor } = deps
  const boundary = deps.boundary ?? (() => undefined)
  const entries = new Map<string, Entry>()
  const { publicId = (id) => id } = deps
  const runtime = { name: 'millrace', version: deps.version, metadata: {} }
  let lost: string[] = []
  let draining = false
  /** Executions that are walked over their journals, to become runs. */
  let replaying = 0
  const closing = new AbortController()

  const performer = createPerformer({
    ...deps,
    hasRoom,
    childAccepted(child, startedAtMs) {
      const claimed: Claimed = { head: child, startedAtMs, cancelRequested: false, suspendRequested: false, entries: [], messages: [] }
      resume(claimed).catch((error: unknown) => {
        reporter.warn('a child could not be begun', { executionId: child.id, error })
        lost.push(child.id)
      })
    },
  })

  function size(): number {
    return entries.size + replaying
  }

  function hasRoom(): boolean {
    return !draining && size() < options.liveMax
  }

  function announcerOf({ id, accountId }: ExecutionHead, { workflow }: Pick<Prepared, 'workflow'>): Announcer | undefined {
    return deps.lifecycle === undefined ? undefined : createAnnouncer({ id, accountId, workflow }, deps.lifecycle)
  }

  function meterOf(kept: readonly JournalEntry[]): JournalMeter | undefined {
    return options.journalLimits === undefined ? undefined : createJournalMeter(options.journalLimits, kept)
  }

  function track(run: Run): Run {
    entries.set(run.head.id, { run })
    void run.end.then((end) => left(run, end))
    return run
  }

  function left(run: Run, end: RunEnd): void {
    entries.delete(run.head.id)
    if (end.kind === 'lost') {
      lost.push(run.head.id, ...end.children)
      reporter.warn('it is not known whether a write of an execution is in the database; it will be read again', {
        executionId: run.head.id,
        error: end.cause,
      })
    }
    if (end.kind === 'ended' && run.head.parentId !== undefined) {
      entries.get(run.head.parentId)?.run.childEnded(run.head.id, outcomeOfChild(end))
    }
  }

  async function prepare(head: ExecutionHead): Promise<Prepared> {
    const workflow = await definitions.load(head.accountId, head.versionId)
    const secrets = workflow.secrets.length === 0 ? {} : await deps.secrets.read(head.accountId, workflow.secrets)
    const missing = workflow.secrets.find((name) => !Object.hasOwn(secrets, name))
    return { workflow, secrets, missing }
  }

  async function resume(claimed: Claimed): Promise<Run> {
    replaying += 1
    const start = await replayed(claimed).finally(() => {
      replaying -= 1
    })
    const run = track(startRun({ ...deps, performer, processor, boundary, parkAfterMs: PARK_AFTER_MS }, start))
    // What came between the claim and now was told to this process, where nobody was yet to hear it.
    await catchUp(run).catch((error: unknown) => {
      run.drop(error)
      throw error
    })
    if (draining) run.release(false)
    return run
  }

  async function replayed({ head, startedAtMs, entries: journal, ...claimed }: Claimed): Promise<RunStart> {
    const prepared = await prepare(head)
    boundary('claimed')
    const announcer = announcerOf(head, prepared)
    if (journal.length === 0) announceStart(announcer, startedAtMs)
    const source = { id: publicId(head.id), input: head.input, startedAtMs, entries: journal }
    const walked = await replayOrFault(head.accountId, source, prepared, announcer)
    announcer?.speak()
    boundary('replayed')
    return { ...claimed, ...walked, head, announcer, meter: meterOf(journal), fresh: false }
  }

  /** Reads what came to the waits of a run, and how its children ended. */
  async function catchUp(run: Run): Promise<boolean> {
    const messages = run.hasWaits() ? await store.messages(run.head.id) : []
    if (!run.isRunning) return false
    run.receive(messages)
    const childIds = run.children()
    const outcomes = childIds.length === 0 ? [] : await store.findSnapshots(childIds)
    for (const outcome of outcomes) {
      if (!run.isRunning) return false
      if (isTerminal(outcome.state)) run.childEnded(outcome.id, outcomeOfChild(outcome))
    }
    // What a run that has just gone to sleep was told may have been told to nobody.
    return run.isRunning || run.ended?.kind === 'ended'
  }

  function runningRun(id: string): Run | undefined {
    const run = entries.get(id)?.run
    return run?.isRunning ? run : undefined
  }

  async function replayOrFault(
    accountId: string,
    source: ReplaySource,
    { workflow, secrets, missing }: Prepared,
    announcer: Announcer | undefined,
  ): Promise<Replayed & Pick<RunStart, 'ranOut'>> {
    try {
      if (missing !== undefined) throw missingSecret(missing)
      const walk = replay(workflow, source, { secrets, runtime, observer: announcer?.observer, turn: processor.turn })
      const ranOut: [ComputeStall, ComputationEnd][] = []
      const onRanOut = (stall: ComputeStall, end: ComputationEnd) => void ranOut.push([stall, end])
      return { ...(await walkInTurns(walk, { processor, accountId, signal: closing.signal, onRanOut })), ranOut }
    } catch (error) {
      // Others walk it again from its beginning.
      if (closing.signal.aborted) throw error
      if (!(error instanceof WorkflowError)) reporter.warn('an execution could not be walked again', { executionId: source.id, error })
      const { id, input, startedAtMs } = source
      const execution = { id, definition: workflow.definition, input, startedAtMs, runtime, secrets, nowMs: now() }
      return {
        machine: faultedMachine(execution, internalError(error)),
        nextSeq: source.entries.length,
        children: new Map(),
        // Where it stands is not known, so whatever it ever waited for is over with it.
        waits: { open: new Set(), closing: source.entries.filter(({ kind }) => kind === 'wait').map(({ position }) => position) },
      }
    }
  }

  return {
    size,
    hasRoom,
    prepare,
    begin(head, { workflow, secrets, missing }) {
      const startedAtMs = now()
      const announcer = announcerOf(head, { workflow })
      announceStart(announcer, startedAtMs)
      const { definition } = workflow
      const execution = { id: publicId(head.id), definition, input: head.input, startedAtMs, runtime, secrets, nowMs: startedAtMs }
      const start = {
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
        fresh: true,
        cancelRequested: false,
        suspendRequested: false,
      }
      return track(startRun({ ...deps, performer, processor, boundary, parkAfterMs: PARK_AFTER_MS }, start))
    },
    resume,
    find(accountId, id) {
      const run = entries.get(id)?.run
      return run?.head.accountId === accountId ? run : undefined
    },
    cancel(id) {
      const run = runningRun(id)
      run?.cancel()
      return run !== undefined
    },
    suspend(id) {
      const run = runningRun(id)
      run?.suspend()
      return run !== undefined
    },
    async refresh(id) {
      const run = runningRun(id)
      return run !== undefined && (await catchUp(run))
    },
    takeLost() {
      const ids = lost
      lost = []
      return ids
    },
    lose: (ids) => void lost.push(...ids),
    dropAll() {
      for (const { run } of entries.values()) run.drop(new Error('this process has been given up'))
    },
    async drain(deadlineMs) {
      draining = true
      closing.abort(new Error('the process closes'))
      const endOfAll = () => Promise.all([...entries.values()].map(({ run }) => run.end))
      for (const { run } of entries.values()) run.release(false)
      await Promise.race([endOfAll(), after(Math.max(0, deadlineMs - now() - DRAIN_RESERVE_MS))])
      for (const { run } of entries.values()) run.release(true)
      await Promise.race([endOfAll(), after(DRAIN_RESERVE_MS)])
      const remaining = [...entries.keys(), ...lost]
      if (remaining.length > 0) await store.release(remaining)
    },
  }
}

function missingSecret(name: string): WorkflowError {
  return standardError('authorization', `there is no secret "${name}" for this workflow`, '/use/secrets')
}

function announceStart(announcer: Announcer | undefined, atMs: number): void {
  announcer?.speak()
  announcer?.workflow('started', atMs)
}

function after(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms).unref())
}
