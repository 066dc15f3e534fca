import type { ErrorData } from '#core/error.ts'
import type { Json } from '#core/json.ts'
import type { Machine, PendingRequest } from '#core/machine.ts'
import type { Outcome, Request } from '#core/request.ts'
import { type Activities, createActivities } from './activities.ts'
import { internalError } from './begin-machine.ts'
import { createOutbox } from './outbox.ts'
import type { Boundary, EndedState, ExecutionHead, Journal, Progress, Reporter, Write, Written } from './ports.ts'
import type { Performer } from './performer.ts'
import { valueOfOutcome } from './replay.ts'

/** How a run left this process. */
export type RunEnd =
  | { readonly kind: 'ended'; readonly state: EndedState; readonly output: Json | undefined; readonly error: ErrorData | undefined }
  | { readonly kind: 'parked' }
  | { readonly kind: 'refused' }
  /** What was written last is not known; the journal must be asked. */
  | { readonly kind: 'lost'; readonly cause: unknown }

export interface RunDeps {
  readonly journal: Journal
  readonly performer: Performer
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
  /** The end, once there is one. */
  readonly ended: RunEnd | undefined
  readonly state: 'running' | 'ending'
  cancel(): void
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
  /** False for an execution that is already in the database. */
  readonly fresh: boolean
  readonly cancelRequested: boolean
}

interface Gated {
  readonly pending: PendingRequest
  readonly gate: number
}

export function startRun(deps: RunDeps, start: RunStart): Run {
  const { head, machine } = start
  const { journal, boundary, now } = deps
  const outbox = createOutbox(head.id, head.accountId)
  const accepted = Promise.withResolvers<boolean>()
  const ended = Promise.withResolvers<RunEnd>()
  // Whoever started the run may not be interested; a rejection is theirs to hear, not the process's to die of.
  accepted.promise.catch(() => undefined)
  let gated: Gated[] = []
  let seq = start.nextSeq
  let writing = false
  let state: 'running' | 'ending' | 'over' = 'running'
  let releasing = false
  let cameTo: RunEnd | undefined

  const activities: Activities = createActivities({
    performer: deps.performer,
    head,
    now,
    boundary,
    parkAfterMs: deps.parkAfterMs,
    onOutcome: record,
    onChild(child) {
      outbox.entry({
        ...entryAt(child.request, now()),
        phase: 'started',
        kind: 'workflow',
        ok: true,
        value: child.head.id,
        endedAtMs: now(),
      })
      outbox.child({ head: child.head, startedAtMs: child.startedAtMs })
      pump()
    },
    onIdle: () => considerParking(),
  })

  function entryAt(request: Request, startedAtMs: number) {
    return { seq: seq++, position: request.position, decisions: '', startedAtMs }
  }

  /** Journals an outcome and walks on with it at once; what follows starts only when it is committed. */
  function record(pending: PendingRequest, kind: string, outcome: Outcome, startedAtMs: number): void {
    if (state !== 'running' || !machine.pending.has(pending.request.position)) return
    const endedAtMs = Math.max(now(), machine.execution.nowMs)
    const base = { ...entryAt(pending.request, startedAtMs), phase: 'ended', kind, ok: outcome.ok } as const
    outbox.entry({ ...base, value: valueOfOutcome(outcome), decisions: pending.decisions, endedAtMs })
    step(() => machine.deliver(pending.request.position, outcome, endedAtMs))
  }

  /** Moves the machine, then looks at what it wants. A bug in there faults the execution; it must not take the process along. */
  function step(move: () => void): void {
    try {
      move()
    } catch (cause) {
      deps.reporter.warn('an execution faulted because of a bug', { executionId: head.id, error: cause })
      stopAll()
      finish({ state: 'faulted', output: undefined, error: internalError(cause), decisions: '' })
      return
    }
    react()
  }

  function react(): void {
    const { opened, abandoned } = machine.changes()
    for (const position of abandoned) {
      const childId = activities.stop(position)
      if (childId !== undefined) outbox.cancel(childId)
    }
    for (const pending of opened) open(pending)
    if (machine.paused) setImmediate(() => (state === 'running' ? step(() => machine.proceed()) : undefined))
    const { ending } = machine
    if (ending === undefined) {
      pump()
      considerParking()
    } else if (ending.ok) finish({ state: 'completed', output: ending.output, error: undefined, decisions: ending.decisions })
    else finish({ state: 'faulted', output: undefined, error: ending.error, decisions: ending.decisions })
  }

  function open(pending: PendingRequest): void {
    if (pending.request.kind === 'timer') activities.timer(pending, pending.request.dueAtMs)
    else gated.push({ pending, gate: outbox.version })
  }

  function finish(end: { state: EndedState; output: Json | undefined; error: ErrorData | undefined; decisions: string }): void {
    if (state !== 'running') return
    state = 'ending'
    gated = []
    outbox.progress({ ...end, endedAtMs: Math.max(now(), machine.execution.nowMs), tell: head.parentId })
    pump()
  }

  /** Ends what is under way for good: children are told that nobody waits for them any more. */
  function stopAll(): void {
    for (const childId of activities.children()) outbox.cancel(childId)
    activities.stopAll()
  }

  function considerParking(): void {
    if (state !== 'running' || writing || outbox.dirty || machine.paused || machine.ending !== undefined) return
    const waits = gated.length === 0 && activities.parkable()
    if (!waits && !(releasing && activities.performing() === 0)) return
    state = 'ending'
    gated = []
    const wakeAtMs = activities.wakeAtMs()
    activities.stopAll()
    outbox.progress(waits ? { state: 'waiting', wakeAtMs } : { state: 'pending' })
    pump()
  }

  function pump(): void {
    if (writing || state === 'over') return
    if (!outbox.dirty) return
    writing = true
    const committed = outbox.version
    const write = outbox.take()
    boundary(boundaryOf(write, 'submitted'))
    journal.write(write).then(
      (written) => afterWrite(write, written, committed),
      (cause: unknown) => over({ kind: 'lost', cause }, cause),
    )
  }

  function afterWrite(write: Write, written: Written, committed: number): void {
    writing = false
    if (state === 'over') return
    if (written.refused) return over({ kind: 'refused' }, undefined)
    boundary(boundaryOf(write, 'committed'))
    if (write.progress === undefined && write.accept !== undefined) accepted.resolve(true)
    for (const child of write.children) activities.childCommitted(child.head, child.startedAtMs)
    if (write.progress !== undefined) return over(endOf(write.progress), undefined)
    openGates(committed)
    pump()
    considerParking()
  }

  /** Starts what rests on nothing but what is committed. When the run is being released it stays shut: who goes on with it begins that. */
  function openGates(committed: number): void {
    if (releasing) return
    const free = gated.filter(({ gate }) => gate <= committed)
    gated = gated.filter(({ gate }) => gate > committed)
    for (const { pending } of free) if (machine.pending.has(pending.request.position)) perform(pending)
  }

  function perform(pending: PendingRequest): void {
    const { request } = pending
    if (request.kind === 'effect') activities.effect(pending, request)
    else if (request.kind === 'child') activities.child(pending, request)
  }

  function over(end: RunEnd, cause: unknown): void {
    state = 'over'
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
  if (start.cancelRequested) cancel()
  else begin()

  function begin(): void {
    // A replay has looked at the changes on its way, so what counts is what it left open; children begun earlier are waited for already.
    machine.changes()
    for (const pending of machine.pending.values()) if (!start.children.has(pending.request.position)) open(pending)
    step(() => undefined)
    // Nothing to write first: everything that a replay left open rests on what is already committed.
    if (!outbox.dirty && !writing) openGates(outbox.version)
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
    get ended() {
      return cameTo
    },
    get state() {
      return state === 'running' ? 'running' : 'ending'
    },
    cancel,
    childEnded: (childId, outcome) => activities.childEnded(childId, outcome),
    children: () => activities.children(),
    release(force) {
      releasing = true
      if (force) activities.stopAll()
      considerParking()
    },
    drop: (cause) => over({ kind: 'lost', cause }, cause),
  }
}

function boundaryOf(write: Write, when: 'submitted' | 'committed') {
  if (write.progress !== undefined)
    return write.progress.state === 'waiting' || write.progress.state === 'pending' ? (`park-${when}` as const) : (`end-${when}` as const)
  return write.accept === undefined ? (`entry-${when}` as const) : (`accept-${when}` as const)
}

function endOf(progress: Progress): RunEnd {
  if (progress.state === 'waiting' || progress.state === 'pending') return { kind: 'parked' }
  return { kind: 'ended', state: progress.state, output: progress.output, error: progress.error }
}
