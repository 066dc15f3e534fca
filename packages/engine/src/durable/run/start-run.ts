import type { ErrorData } from '#core/error.ts'
import type { Json } from '#core/json.ts'
import type { PendingRequest } from '#core/machine.ts'
import type { ComputeStall, Request } from '#core/request.ts'
import { type Progress, UnwritableError, type Write } from '#durable/ports/journal.ts'
import type { ComputationEnd } from '#durable/ports/processor.ts'
import { ThreadPoolError } from '#threads/thread-pool.ts'
import { createActivities } from './activities.ts'
import { internalError } from './begin-machine.ts'
import { decide, type RunAction, type RunFacts } from './decide.ts'
import { createRecorder, type ExecutionEnd } from './recorder.ts'
import type { Run, RunDeps, RunStart } from './run.ts'
import { boundaryOf, endOf, type RunEnd, snapshotOf } from './run-end.ts'
import { type Attachment, type Command, isMove, type Move, type RunInput } from './run-input.ts'
import type { RunState } from './run-state.ts'
import { createWaits } from './waits.ts'

/** Events and replies are sent before the changes ahead of them are committed, while these are at most so many. */
const AHEAD_MAX = 256

/**
 * Drives an execution. Everything that happens to it is posted as an input. `drain` performs the actions that `decide` chooses until nothing is
 * left to do before the next input. A bug on the way faults the execution; a bug after that ends the run as lost.
 */
export function startRun(deps: RunDeps, start: RunStart): Run {
  const { head, machine } = start
  const { journal, performer, processor, reporter, boundary, now, parkAfterMs } = deps
  const recorder = createRecorder(deps, start)
  const { outbox } = recorder
  const accepted = Promise.withResolvers<boolean>()
  const ended = Promise.withResolvers<RunEnd>()
  const replied = Promise.withResolvers<Json>()
  const firstEntryCommitted = Promise.withResolvers<void>()
  // The caller of `startRun` may not be interested in a rejection.
  accepted.promise.catch(() => undefined)
  const state: RunState = {
    phase: 'running',
    shutdown: start.suspendRequested ? 'suspend' : 'none',
    isForced: false,
    isDraining: true,
    isBegun: false,
    isBehind: start.isBehind === true,
    waitsForTurn: false,
    isResuming: false,
    isProceeding: false,
    commands: start.cancelRequested ? [{ kind: 'cancel' }] : [],
    moves: [{ kind: 'begin' }],
    gated: [],
    writing: undefined,
    committed: 0,
    computing: undefined,
    fatal: undefined,
    hasBug: false,
    isUnwritable: false,
    reply: undefined,
  }
  const activities = createActivities({ performer, head, now, boundary, parkAfterMs, startedChildren: start.children, post })
  const waits = createWaits({ recorder, activities }, start.waits.open)

  function post(input: RunInput): void {
    if (state.phase === 'over') return
    if (!isMove(input)) state.commands.push(input)
    else if (state.phase === 'running') state.moves.push(input)
    drain()
  }

  function drain(): void {
    if (state.isDraining) return
    state.isDraining = true
    for (let action: RunAction | undefined; action !== 'wait' && state.phase !== 'over'; ) {
      try {
        // Before the decision, so that the events count as unwritten.
        recorder.collectEvents()
        action = decide(facts())
        act(action)
      } catch (cause) {
        noteBug(cause)
      }
    }
    state.isDraining = false
  }

  /** A bug in the walk faults the execution. A second bug, or one during the end, makes the run lost: the execution is recovered from its journal. */
  function noteBug(cause: unknown): void {
    reporter.warn('a bug in the run of an execution', { executionId: head.id, error: cause })
    if (state.phase !== 'running' || state.hasBug) return lose(cause)
    state.hasBug = true
    state.fatal = internalError(cause)
  }

  function fatal(): ErrorData | undefined {
    return state.fatal ?? recorder.excess()
  }

  function facts(): RunFacts {
    const { phase, shutdown, isForced, waitsForTurn, gated } = state
    const isRunning = phase === 'running'
    const isIdle = isRunning && state.writing === undefined && !outbox.isDirty
    return {
      phase,
      shutdown,
      isForced,
      isAtEnd: fatal() !== undefined || (state.isBegun && machine.ending !== undefined),
      hasCommand: state.commands.length > 0,
      hasMove: state.moves.length > 0,
      waitsForTurn,
      stall: machine.stall === undefined ? 'none' : state.isResuming ? 'arranged' : 'new',
      pause: !machine.paused ? 'none' : state.isProceeding || !state.isBegun ? 'arranged' : 'new',
      hasGated: gated.length > 0,
      // The gates ascend.
      hasOpenGate: (gated[0]?.gate ?? Number.POSITIVE_INFINITY) <= state.committed,
      hasUnwritten: outbox.isDirty,
      isWriting: state.writing !== undefined,
      isPerforming: activities.isPerforming(),
      isParkable: isIdle && !state.isBehind && activities.isParkable(),
    }
  }

  function act(action: RunAction): void {
    switch (action) {
      case 'finish':
        return finish()
      case 'apply': {
        const command = state.commands.shift()
        return command && apply(command)
      }
      case 'move':
        return move()
      case 'resume':
        return arrangeResume()
      case 'proceed':
        state.isProceeding = true
        return processor.schedule(head.accountId, () => post({ kind: 'proceed' }))
      case 'perform':
        return openGates()
      case 'write':
        return write()
      case 'park':
        return park({ state: 'waiting', wakeAtMs: activities.wakeAtMs() })
      case 'hand-over':
        return park({ state: state.shutdown === 'suspend' ? 'suspended' : 'pending' })
      case 'wait':
    }
  }

  function apply(command: Command): void {
    switch (command.kind) {
      case 'committed':
        return afterCommit(command)
      case 'write-failed':
        return command.cause instanceof UnwritableError ? afterUnwritable(command.write, command.cause) : lose(command.cause)
      case 'release':
        if (state.shutdown === 'none') state.shutdown = 'release'
        state.isForced ||= command.force
        return command.force ? activities.stopAll() : undefined
      case 'suspend':
        state.shutdown = 'suspend'
        return
      case 'drop':
        return lose(command.cause)
      case 'bug':
        throw command.cause
      default:
        if (state.phase === 'running') applyWhileRunning(command)
    }
  }

  function applyWhileRunning(
    command: Exclude<Command, { kind: 'committed' | 'write-failed' | 'release' | 'suspend' | 'drop' | 'bug' }>,
  ): void {
    switch (command.kind) {
      case 'child-prepared':
        return startChild(command)
      case 'child-ended':
        return activities.childEnded(command.childId, command.outcome)
      case 'messages':
        return waits.receive(command.messages)
      case 'computed':
        return afterComputation(command.stall, command.end)
      case 'computation-failed':
        // When the process closes, the execution is handed over as its journal has it.
        if (!(command.cause instanceof ThreadPoolError && command.cause.kind === 'closed')) throw command.cause
        return
      case 'resume':
        state.isResuming = false
        machine.continueAfterStall(command.end)
        return afterMove()
      case 'turn':
        state.waitsForTurn = false
        return
      case 'caught-up':
        state.isBehind = false
        return
      case 'cancel':
        stopAll()
        return writeEnd({ state: 'cancelled', output: undefined, error: undefined, decisions: '' })
      case 'grace-over':
    }
  }

  /** Applies the next move, if there is time for walks. */
  function move(): void {
    if (processor.turn?.tryBegin() === false) {
      state.waitsForTurn = true
      return processor.schedule(head.accountId, () => post({ kind: 'turn' }))
    }
    const next = state.moves.shift()
    if (next?.kind === 'begin') begin()
    else if (next?.kind === 'outcome') record(next)
    else if (next?.kind === 'proceed') {
      state.isProceeding = false
      if (machine.paused) machine.continueAfterPause()
      afterMove()
    }
  }

  function begin(): void {
    if (state.isBegun) return
    state.isBegun = true
    // The open requests are taken from the machine below, and the replay has handled all other changes. Those of started children were opened when the run was created.
    machine.changes()
    for (const [stall, end] of start.ranOut ?? []) recorder.recordRanOut(stall, end)
    for (const pending of machine.pending.values()) if (!start.children.has(pending.request.position)) open(pending)
    waits.receive(start.messages)
  }

  /** Handles the requests of the machine since its last move. */
  function afterMove(): void {
    if (machine.stall !== undefined) return
    if (!state.isBegun) return begin()
    const { opened, abandoned, closed } = machine.changes()
    for (const position of abandoned) {
      const childId = activities.stop(position)
      if (childId !== undefined) outbox.cancel(childId)
    }
    for (const position of closed) waits.close(position)
    for (const pending of opened) if (fatal() === undefined) open(pending)
  }

  function arrangeResume(): void {
    const { stall } = machine
    state.isResuming = true
    if (stall?.kind !== 'compute') return resumeLater(undefined)
    state.computing = new AbortController()
    processor.compute(head.accountId, stall.computation, state.computing.signal).then(
      (end) => post({ kind: 'computed', stall, end }),
      (cause: unknown) => post({ kind: 'computation-failed', cause }),
    )
  }

  function resumeLater(end: ComputationEnd | undefined): void {
    processor.schedule(head.accountId, () => post({ kind: 'resume', end }))
  }

  function afterComputation(stall: ComputeStall, end: ComputationEnd): void {
    if (end.isJournalled === true) recorder.recordRanOut(stall, end)
    if (fatal() === undefined) resumeLater(end)
  }

  function open(pending: PendingRequest): void {
    const { request } = pending
    if (request.kind === 'timer') activities.timer(pending, request.dueAtMs)
    else if (request.kind === 'message') waits.request(pending, request)
    else if (mayRunAhead(request) || activities.isStarted(request.position)) perform(pending)
    else state.gated.push({ pending, gate: outbox.version })
  }

  /** Events and replies are committed with their entries, so they need not wait for earlier commits, within a bound. */
  function mayRunAhead({ kind }: Request): boolean {
    return (kind === 'emit' || kind === 'answer') && state.shutdown === 'none' && outbox.version - state.committed < AHEAD_MAX
  }

  /** Performs the requests whose gates are committed. */
  function openGates(): void {
    const committed = state.gated.filter(({ gate }) => gate <= state.committed)
    state.gated = state.gated.filter(({ gate }) => gate > state.committed)
    for (const { pending } of committed) if (machine.pending.has(pending.request.position)) perform(pending)
  }

  function perform(pending: PendingRequest): void {
    const { request } = pending
    if (request.kind === 'effect') activities.effect(pending, request)
    else if (request.kind === 'child') activities.child(pending, request)
    else if (request.kind === 'emit') {
      const event = recorder.maskEvent(performer.completeEvent(head, request, machine.execution, now()))
      postOwn(pending, event, { kind: 'event', event })
    } else if (request.kind === 'answer') {
      const body = recorder.maskValue(request.body)
      postOwn(pending, body, { kind: 'reply', body })
    }
  }

  function postOwn(pending: PendingRequest, value: Json, attachment: Attachment): void {
    post({ kind: 'outcome', pending, outcome: { ok: true, value }, startedAtMs: now(), attachment })
  }

  /** Journals an outcome and resumes the machine with it at once. The requests that follow are performed only after its commit. */
  function record({ pending, outcome, startedAtMs, attachment }: Extract<Move, { kind: 'outcome' }>): void {
    const { request } = pending
    if (machine.pending.get(request.position)?.request !== request) return
    if (request.kind === 'effect') boundary('effect-done')
    // Before the machine continues, which counts its pauses and choices anew.
    const endedAtMs = recorder.recordOutcome(pending, outcome, startedAtMs, attachment)
    if (fatal() !== undefined) return
    machine.resolve(request.position, outcome, endedAtMs)
    afterMove()
  }

  function startChild({ pending, request, prepared, startedAtMs }: Extract<Command, { kind: 'child-prepared' }>): void {
    if (!prepared.ok) return post({ kind: 'outcome', pending, outcome: prepared, startedAtMs, attachment: undefined })
    activities.awaitChild(pending, prepared.head.id, startedAtMs)
    recorder.recordChildStart(request, prepared)
  }

  function write(): void {
    const { version } = outbox
    const content = outbox.take()
    state.writing = content
    boundary(boundaryOf(content, 'submitted'))
    journal.write(content).then(
      (written) => post({ kind: 'committed', write: content, written, version }),
      (cause: unknown) => post({ kind: 'write-failed', write: content, cause }),
    )
  }

  function afterCommit({ write: content, written, version }: Extract<Command, { kind: 'committed' }>): void {
    state.writing = undefined
    if (written.refused) return over({ kind: 'refused' })
    boundary(boundaryOf(content, 'committed'))
    state.committed = version
    if (content.entries.length > 0) firstEntryCommitted.resolve()
    if (content.reply !== undefined) {
      // Only the first reply counts, for waiting callers as in the database.
      state.reply ??= { body: content.reply.body }
      replied.resolve(content.reply.body)
    }
    // Also those that the same write cancels because the execution ends: this process has claimed them.
    for (const child of content.children) activities.childCommitted(child.head, child.startedAtMs)
    if (content.progress !== undefined) return over(endOf(content.progress, state.reply))
    if (content.accept !== undefined) accepted.resolve(true)
  }

  /** The write cannot be stored: the execution faults in the state of its journal. It is lost if not even this fault can be stored. */
  function afterUnwritable(content: Write, cause: UnwritableError): void {
    if (state.isUnwritable) return lose(cause)
    state.isUnwritable = true
    state.writing = undefined
    recorder.discard(content)
    setPhase('running')
    state.fatal = internalError(cause)
  }

  function finish(): void {
    const { ending } = machine
    const error = fatal()
    if (error !== undefined) {
      stopAll()
      writeEnd({ state: 'faulted', output: undefined, error, decisions: '' })
    } else if (ending?.ok === true) writeEnd({ state: 'completed', output: ending.output, error: undefined, decisions: ending.decisions })
    else if (ending !== undefined) writeEnd({ state: 'faulted', output: undefined, error: ending.error, decisions: ending.decisions })
  }

  /** Stops all activities, and cancels the awaited children. */
  function stopAll(): void {
    for (const childId of activities.awaitedChildren()) outbox.cancel(childId)
    activities.stopAll()
  }

  function writeEnd(result: ExecutionEnd): void {
    stopMoves('ending')
    waits.closeAll()
    recorder.recordEnd(result)
  }

  function park(progress: Exclude<Progress, { endedAtMs: number }>): void {
    stopMoves('ending')
    activities.stopAll()
    if (progress.state === 'suspended') recorder.recordSuspension()
    else outbox.progress(progress)
  }

  function setPhase(phase: RunState['phase']): void {
    state.phase = phase
    run.isRunning = phase === 'running'
  }

  function stopMoves(phase: 'ending' | 'over'): void {
    setPhase(phase)
    state.moves = []
    state.gated = []
    state.computing?.abort()
  }

  /** The state in the database is not known, or another process owns the execution: it must be recovered from its journal. */
  function lose(cause: unknown): void {
    over({ kind: 'lost', cause, children: state.writing?.children.map((child) => child.head.id) ?? [] })
  }

  function over(end: RunEnd): void {
    stopMoves('over')
    state.commands.length = 0
    run.ended = end
    activities.stopAll()
    if (end.kind === 'lost') accepted.reject(end.cause)
    else accepted.resolve(end.kind !== 'refused')
    ended.resolve(end)
  }

  // Plain fields and no accessors, for the reason given in machine.ts.
  const run: MutableRun = {
    head,
    accepted: accepted.promise,
    end: ended.promise,
    snapshot: () => snapshotOf(head.id, machine.execution.startedAtMs, run.ended, state.reply),
    ended: undefined,
    isRunning: true,
    firstEntryCommitted: firstEntryCommitted.promise,
    replied: replied.promise,
    cancel: () => post({ kind: 'cancel' }),
    suspend: () => post({ kind: 'suspend' }),
    receive: (messages) => post({ kind: 'messages', messages }),
    hasWaits: () => waits.isAnyOpen(),
    markCaughtUp: () => post({ kind: 'caught-up' }),
    childEnded: (childId, outcome) => post({ kind: 'child-ended', childId, outcome }),
    children: () => activities.children(),
    release: (force) => post({ kind: 'release', force }),
    drop: (cause) => post({ kind: 'drop', cause }),
  }

  // A cancel request also cancels the children that an earlier run started, so they are awaited before it is applied.
  for (const position of start.children.keys()) {
    const pending = machine.pending.get(position)
    if (pending?.request.kind === 'child') activities.child(pending, pending.request)
  }
  if (start.isNew) outbox.accept({ head, startedAtMs: machine.execution.startedAtMs })
  else accepted.resolve(true)
  for (const position of start.waits.closing) outbox.close(position)
  start.announcer?.listening(start.waits.open)
  state.isDraining = false
  drain()

  return run
}

type MutableRun = { -readonly [member in keyof Run]: Run[member] }
