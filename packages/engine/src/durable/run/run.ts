import type { ErrorData } from '#core/error.ts'
import type { Json, JsonObject } from '#core/json.ts'
import type { Machine, PendingRequest } from '#core/machine.ts'
import type { ComputeStall, Outcome, Request } from '#core/request.ts'
import { type Activities, createActivities } from './activities.ts'
import { type Announcer, faultOf } from '#durable/lifecycle-events.ts'
import { internalError } from './begin-machine.ts'
import { boundaryOf, endOf, type RunEnd, snapshotOf } from './run-end.ts'
import { createMover } from './mover.ts'
import { createOutbox } from './outbox.ts'
import type { JournalMeter } from './journal-meter.ts'
import type { Boundary } from '#durable/ports/boundary.ts'
import type { ExecutionHead, ExecutionSnapshot } from '#durable/ports/execution.ts'
import { type Journal, type JournalEntry, UnwritableError, type Write, type Written } from '#durable/ports/journal.ts'
import type { Reporter } from '#durable/ports/reporter.ts'
import type { Performer } from './performer.ts'
import type { ComputationEnd, Processor } from '#durable/ports/processor.ts'
import { COMPUTATION, decisionsBefore, valueOfOutcome } from '#durable/replay/replay.ts'
import { maskFor } from '#core/secret-mask.ts'
import { createWaits, type Waits } from './waits.ts'

export interface RunDeps {
  readonly journal: Journal
  readonly performer: Performer
  readonly processor: Processor
  readonly reporter: Reporter
  readonly now: () => number
  readonly boundary: Boundary
  readonly parkAfterMs: number
}

/** One execution while this process runs it: drives its machine, performs its effects, writes what came of them. */
export interface Run {
  readonly head: ExecutionHead
  /** Resolves when the execution is durably accepted; false when one with its idempotency key was there before. */
  readonly accepted: Promise<boolean>
  readonly end: Promise<RunEnd>
  /** What the database has of it after its last commit, when nobody else has changed it since. */
  snapshot(): ExecutionSnapshot
  /** The end, once there is one. */
  readonly ended: RunEnd | undefined
  readonly state: 'running' | 'ending'
  /** Resolves when something of it is in the journal that was not there when it began here; maybe never. */
  readonly progressed: Promise<void>
  /** Resolves when what it has for whoever waits is committed; never for one that answers nobody before its end. */
  readonly replied: Promise<Json>
  cancel(): void
  /** Begins nothing more; once the effects under way have ended the execution is held. */
  suspend(): void
  /** What came to its waits, as the database has it. */
  receive(messages: Parameters<Waits['receive']>[0]): void
  waits(): boolean
  /** A child that this run waits for has ended. */
  childEnded(childId: string, outcome: Outcome): void
  children(): readonly string[]
  /** Begins nothing more and hands the execution over; with `force` without waiting for the effects under way, which will be done again. */
  release(force: boolean): void
  /** Forgets the run without writing: it is not ours any more. */
  drop(cause: unknown): void
}

export interface RunStart {
  readonly head: ExecutionHead
  readonly machine: Machine
  readonly nextSeq: number
  /** Children begun earlier, by position. */
  readonly children: ReadonlyMap<string, string>
  /** Waits opened earlier that are open still, and such as are to be closed now. */
  readonly waits: { readonly open: ReadonlySet<string>; readonly closing: readonly string[] }
  readonly messages: Parameters<Waits['receive']>[0]
  /** Tells what happens, where somebody wants to hear it. */
  readonly announcer?: Announcer | undefined
  /** Knows what is in the journal already; without it the journal may become as large as it likes. */
  readonly meter?: JournalMeter | undefined
  /** Computations that ran out of time or memory while the journal was walked again. */
  readonly ranOut?: readonly (readonly [ComputeStall, ComputationEnd])[]
  /** False for an execution that is already in the database. */
  readonly fresh: boolean
  readonly cancelRequested: boolean
  readonly suspendRequested: boolean
}

interface Gated {
  readonly pending: PendingRequest
  readonly gate: number
}

/** Entries that events and answers may run ahead of what is committed. */
const AHEAD_MAX = 256

export function startRun(deps: RunDeps, start: RunStart): Run {
  const { head, machine, announcer, meter } = start
  const { journal, boundary, now } = deps
  const mask = maskFor(machine.execution.secrets)
  const unsecret = (value: Json) => (mask === undefined ? value : mask.json(value))
  const masked = (event: JsonObject) => mask?.object(event) ?? event
  const outbox = createOutbox(head.id, head.accountId)
  const accepted = Promise.withResolvers<boolean>()
  const ended = Promise.withResolvers<RunEnd>()
  const answered = Promise.withResolvers<Json>()
  const progressed = Promise.withResolvers<void>()
  // Whoever started the run may not be interested; a rejection is theirs to hear, not the process's to die of.
  accepted.promise.catch(() => undefined)
  let gated: Gated[] = []
  let seq = start.nextSeq
  let writing = false
  let state: 'running' | 'ending' | 'over' = 'running'
  let leaving: 'released' | 'suspended' | undefined
  let begun = false
  let proceeding = false
  let forced = false
  let committed = 0
  let answer: { readonly body: Json } | undefined
  let cameTo: RunEnd | undefined
  let excess: ErrorData | undefined

  const activities: Activities = createActivities({
    performer: deps.performer,
    head,
    now,
    boundary,
    parkAfterMs: deps.parkAfterMs,
    onOutcome: record,
    onMessage(pending, message, startedAtMs) {
      record(pending, 'message', { ok: true, value: message.value }, startedAtMs, () => outbox.taken(message.id))
    },
    onChild(child) {
      note({
        ...entryAt(child.request, now()),
        phase: 'started',
        kind: 'workflow',
        ok: true,
        value: child.head.id,
        endedAtMs: now(),
      })
      outbox.child({ head: child.head, startedAtMs: child.startedAtMs })
      if (excess === undefined) pump()
      else fault(excess)
    },
    onIdle: () => considerParking(),
  })

  const waits = createWaits(
    {
      outbox,
      activities,
      noteOpened({ wait }) {
        const atMs = now()
        note({ ...entryAt(wait, atMs), phase: 'started', kind: 'wait', ok: true, value: wait.topic, endedAtMs: atMs })
        if (wait.topic === 'events') announcer?.correlation('started', wait.position, atMs)
      },
      unsecret,
      onClosed: (position) => announcer?.correlation('completed', position, now()),
    },
    start.waits.open,
  )

  function note(entry: JournalEntry): void {
    outbox.entry(entry)
    excess ??= meter?.add(entry)
  }

  function entryAt({ position }: { readonly position: string }, startedAtMs: number) {
    return { seq: seq++, position, decisions: '', startedAtMs }
  }

  const mover = createMover({
    machine,
    processor: deps.processor,
    accountId: head.accountId,
    onMoved: () => (begun ? react() : begin()),
    // What is known so far need not wait for it, an acceptance least of all.
    onComputing: () => pump(),
    onRanOut: noteRanOut,
    // A bug in the walk faults the execution; it must not take the process along.
    onBug(cause) {
      deps.reporter.warn('an execution faulted because of a bug', { executionId: head.id, error: cause })
      fault(internalError(cause))
    },
  })

  function noteRanOut(stall: ComputeStall, end: ComputationEnd): void {
    const atMs = Math.max(now(), machine.execution.nowMs)
    const entry = { seq: seq++, position: String(stall.evaluation), phase: 'ended', kind: COMPUTATION, ok: false, decisions: '' } as const
    note({ ...entry, value: valueOfOutcome(end), startedAtMs: atMs, endedAtMs: atMs })
    if (excess !== undefined) fault(excess)
  }

  /** Journals an outcome and walks on with it at once; what follows starts only when it is committed. */
  function record(pending: PendingRequest, kind: string, outcome: Outcome, startedAtMs: number, recorded?: () => void): void {
    mover.post(() => {
      const { position } = pending.request
      if (state !== 'running' || machine.pending.get(position)?.request !== pending.request) return
      recorded?.()
      const endedAtMs = Math.max(now(), machine.execution.nowMs)
      const base = { ...entryAt(pending.request, startedAtMs), phase: 'ended', kind, ok: outcome.ok } as const
      note({ ...base, value: valueOfOutcome(outcome), decisions: decisionsBefore(pending, machine), endedAtMs })
      if (excess === undefined) machine.resolve(position, outcome, endedAtMs)
      else fault(excess)
    })
  }

  /** Ends the execution by what nothing in its definition can catch. */
  function fault(error: ErrorData): void {
    stopAll()
    finish({ state: 'faulted', output: undefined, error, decisions: '' })
  }

  /** Does what the machine wants since it was looked at last. */
  function react(): void {
    if (state !== 'running') return
    const { opened, abandoned, closed } = machine.changes()
    for (const position of abandoned) {
      const childId = activities.stop(position)
      if (childId !== undefined) outbox.cancel(childId)
    }
    for (const position of closed) waits.close(position)
    for (const pending of opened) if (excess === undefined) open(pending)
    goOn()
  }

  function goOn(): void {
    if (excess !== undefined) fault(excess)
    if (state !== 'running') return
    if (machine.paused && !proceeding) proceedLater()
    const { ending } = machine
    if (ending === undefined) {
      // Events and answers are recorded at once, and go with the same write.
      if (mover.isQuiet()) pump()
      considerParking()
    } else if (ending.ok) finish({ state: 'completed', output: ending.output, error: undefined, decisions: ending.decisions })
    else finish({ state: 'faulted', output: undefined, error: ending.error, decisions: ending.decisions })
  }

  function proceedLater(): void {
    proceeding = true
    deps.processor.schedule(head.accountId, () =>
      mover.post(() => {
        proceeding = false
        if (state === 'running' && machine.paused) machine.proceed()
      }),
    )
  }

  function open(pending: PendingRequest): void {
    const { request } = pending
    if (request.kind === 'timer') activities.timer(pending, request.dueAtMs)
    else if (request.kind === 'message') waits.request(pending, request)
    else if (mayRunAhead(request)) perform(pending)
    else gated.push({ pending, gate: outbox.version })
  }

  /** Events and answers commit with their entries, so they need not wait for what is before them; only not run ahead of it without end. */
  function mayRunAhead({ kind }: Request): boolean {
    return (kind === 'emit' || kind === 'answer') && leaving === undefined && outbox.version - committed < AHEAD_MAX
  }

  function finish(end: {
    state: Extract<RunEnd, { kind: 'ended' }>['state']
    output: Json | undefined
    error: ErrorData | undefined
    decisions: string
  }): void {
    if (state !== 'running') return
    state = 'ending'
    mover.stop()
    gated = []
    waits.closeAll()
    announcer?.cancelOpen(now())
    announcer?.workflow(end.state, now(), faultOf(end.error))
    const shown = {
      output: end.output === undefined ? undefined : unsecret(end.output),
      error: end.error && (mask?.error(end.error) ?? end.error),
    }
    outbox.progress({ ...end, ...shown, endedAtMs: Math.max(now(), machine.execution.nowMs), tell: head.parentId })
    pump()
  }

  /** Ends what is under way for good: children are told that nobody waits for them any more. */
  function stopAll(): void {
    for (const childId of activities.children()) outbox.cancel(childId)
    activities.stopAll()
  }

  function considerParking(): void {
    if (state !== 'running' || writing || outbox.dirty || machine.ending !== undefined) return
    const parks = leaving !== 'suspended' && !machine.paused && mover.isQuiet() && gated.length === 0 && activities.parkable()
    // Pure work that is under way is done again by whoever goes on; without end it could never be held otherwise.
    // An outcome that waits for the machine is journalled first: its effect would be done again otherwise.
    const leaves = leaving !== undefined && activities.performing() === 0 && (forced || !mover.hasInputs())
    if (!parks && !leaves) return
    state = 'ending'
    mover.stop()
    gated = []
    const wakeAtMs = activities.wakeAtMs()
    activities.stopAll()
    if (parks) outbox.progress({ state: 'waiting', wakeAtMs })
    else if (leaving === 'suspended')
      outbox.progress({ state: 'suspended', told: announcer && [masked(announcer.eventOf('suspended', now()))] })
    else outbox.progress({ state: 'pending' })
    pump()
  }

  function pump(): void {
    if (writing || state === 'over') return
    for (const event of announcer?.take() ?? []) outbox.event(masked(event))
    if (!outbox.dirty) return
    writing = true
    const version = outbox.version
    const write = outbox.take()
    boundary(boundaryOf(write, 'submitted'))
    journal
      .write(write)
      .then(
        (written) => afterWrite(write, written, version),
        (cause: unknown) => (cause instanceof UnwritableError ? unwritable(write, cause) : lose(write, cause)),
      )
      .catch((cause: unknown) => lose(write, cause))
  }

  function lose({ children }: Write, cause: unknown): void {
    over({ kind: 'lost', cause, children: children.map((child) => child.head.id) }, cause)
  }

  /** Nothing of the write is in the database, and it never will be: the execution faults where it stands in its journal. */
  function unwritable(write: Write, cause: UnwritableError): void {
    if (state === 'over') return
    if (write.progress?.state === 'faulted' && write.entries.length === 0) return lose(write, cause)
    writing = false
    // What was walked since rests on what is not there.
    outbox.take()
    announcer?.take()
    if (write.accept !== undefined) outbox.accept(write.accept)
    state = 'running'
    fault(internalError(cause))
  }

  function afterWrite(write: Write, written: Written, version: number): void {
    writing = false
    if (state === 'over') return
    if (written.refused) return over({ kind: 'refused' }, undefined)
    boundary(boundaryOf(write, 'committed'))
    committed = version
    if (write.entries.length > 0) progressed.resolve()
    if (write.reply !== undefined) {
      // Callers that wait get the first answer; the database keeps that one, too.
      answer ??= { body: write.reply.body }
      answered.resolve(write.reply.body)
    }
    if (write.progress === undefined && write.accept !== undefined) accepted.resolve(true)
    for (const child of write.children) activities.childCommitted(child.head, child.startedAtMs)
    if (write.progress !== undefined) return over(endOf(write.progress, answer), undefined)
    openGates()
    pump()
    considerParking()
  }

  /** Starts what rests on nothing but what is committed. When the run is being released it stays shut: who goes on with it begins that. */
  function openGates(): void {
    if (leaving !== undefined) return
    const free = gated.filter(({ gate }) => gate <= committed)
    gated = gated.filter(({ gate }) => gate > committed)
    for (const { pending } of free) if (machine.pending.has(pending.request.position)) perform(pending)
  }

  function perform(pending: PendingRequest): void {
    const { request } = pending
    if (request.kind === 'effect') activities.effect(pending, request)
    else if (request.kind === 'child') activities.child(pending, request)
    else if (request.kind === 'emit') {
      const event = masked(deps.performer.completeEvent(head, request, machine.execution, now()))
      record(pending, 'emit', { ok: true, value: event }, now(), () => outbox.event(event))
    } else if (request.kind === 'answer') {
      const body = unsecret(request.body)
      record(pending, 'answer', { ok: true, value: body }, now(), () => outbox.reply(body))
    }
  }

  function over(end: RunEnd, cause: unknown): void {
    if (state === 'over') return
    state = 'over'
    mover.stop()
    cameTo = end
    activities.stopAll()
    if (end.kind === 'lost') accepted.reject(cause)
    else accepted.resolve(end.kind !== 'refused')
    ended.resolve(end)
  }

  for (const [position, childId] of start.children) {
    const pending = machine.pending.get(position)
    if (pending !== undefined) activities.awaitChild(pending, childId)
  }
  if (start.fresh) outbox.accept({ head, startedAtMs: machine.execution.startedAtMs })
  else accepted.resolve(true)
  for (const position of start.waits.closing) outbox.close(position)
  announcer?.listening(start.waits.open)
  if (start.suspendRequested) leaving = 'suspended'
  if (start.cancelRequested) cancel()
  else mover.post(() => undefined)
  // An execution is accepted before its first tasks get their turn.
  if (start.fresh && !begun) pump()

  function begin(): void {
    begun = true
    if (state !== 'running') return
    // A replay has looked at the changes on its way, so what counts is what it left open; children begun earlier are waited for already.
    machine.changes()
    for (const [stall, end] of start.ranOut ?? []) noteRanOut(stall, end)
    for (const pending of machine.pending.values()) if (!start.children.has(pending.request.position)) open(pending)
    waits.receive(start.messages)
    goOn()
    // Nothing to write first: everything that a replay left open rests on what is already committed.
    if (!outbox.dirty && !writing) openGates()
    considerParking()
  }

  function cancel(): void {
    if (state !== 'running') return
    stopAll()
    finish({ state: 'cancelled', output: undefined, error: undefined, decisions: '' })
  }

  return {
    head,
    accepted: accepted.promise,
    end: ended.promise,
    snapshot: () => snapshotOf(head.id, machine.execution.startedAtMs, cameTo, answer),
    get ended() {
      return cameTo
    },
    get state() {
      return state === 'running' ? 'running' : 'ending'
    },
    progressed: progressed.promise,
    replied: answered.promise,
    cancel,
    suspend() {
      leaving = 'suspended'
      considerParking()
    },
    receive(messages) {
      if (state === 'running') waits.receive(messages)
    },
    waits: () => waits.any(),
    childEnded: (childId, outcome) => activities.childEnded(childId, outcome),
    children: () => activities.children(),
    release(force) {
      leaving ??= 'released'
      forced ||= force
      if (force) activities.stopAll()
      considerParking()
    },
    drop: (cause) => over({ kind: 'lost', cause, children: [] }, cause),
  }
}
