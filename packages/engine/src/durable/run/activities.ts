import type { PendingRequest } from '#core/machine.ts'
import type { ChildRequest, EffectRequest, Outcome } from '#core/request.ts'
import type { Boundary } from '#durable/ports/boundary.ts'
import type { Message } from '#durable/ports/bus.ts'
import type { ExecutionHead } from '#durable/ports/execution.ts'
import type { Performer } from './performer.ts'
import type { Attachment, RunInput } from './run-input.ts'

/** `setTimeout` takes no more than 31 bits. */
const TIMER_MS_MAX = 2 ** 31 - 1
/** A hundred years. A run that waits longer parks again when it is woken: durations reach beyond the dates of JavaScript and PostgreSQL. */
const PARKED_MS_MAX = 36_500 * 24 * 60 * 60 * 1000

export interface ActivitiesDeps {
  readonly performer: Performer
  readonly head: ExecutionHead
  readonly now: () => number
  readonly boundary: Boundary
  /** An execution that waits less than this stays in memory; for a longer wait it is parked. */
  readonly parkAfterMs: number
  /** Children that an earlier run started and that have no outcome, by position. */
  readonly startedChildren: ReadonlyMap<string, string>
  /** Receives the results of the activities. It is called from callbacks and from within the calls below. */
  readonly post: (input: RunInput) => void
}

/** The activities of one run outside of its machine: effects, timers, children and waits. */
export interface Activities {
  effect(pending: PendingRequest, request: EffectRequest): void
  timer(pending: PendingRequest, dueAtMs: number): void
  /** Starts a child, or waits for the one that an earlier run started there. */
  child(pending: PendingRequest, request: ChildRequest): void
  /** @returns whether an earlier run started the child that is requested there. */
  isStarted(position: string): boolean
  /** Waits for a prepared child. */
  awaitChild(pending: PendingRequest, childId: string, startedAtMs: number): void
  childCommitted(head: ExecutionHead, startedAtMs: number | undefined): void
  childEnded(childId: string, outcome: Outcome): void
  /** Children whose end a request awaits. */
  awaitedChildren(): readonly string[]
  /** Awaited children, and started children that the machine may request later. */
  children(): readonly string[]
  awaitMessage(pending: PendingRequest): void
  /** Passes a message to its request. @returns false if no request waits for a message of this wait at the moment. */
  takeMessage(message: Message): boolean
  /** Stops the activity at a position. @returns the child that it awaited, if any. */
  stop(position: string): string | undefined
  stopAll(): void
  /** Whether effects are being performed, or children prepared. */
  isPerforming(): boolean
  /** Whether the execution can be parked: no effects, and only long waits. */
  isParkable(): boolean
  /** When the earliest timer is due; undefined without timers. */
  wakeAtMs(): number | undefined
}

/** A request for the end of a child or for a message, which another part of the system reports. */
interface Awaited {
  readonly pending: PendingRequest
  readonly childId: string | undefined
  readonly startedAtMs: number
  readonly parkAtMs: number
  readonly grace: NodeJS.Timeout
}

function isEndAwaited({ pending: { request } }: Awaited): boolean {
  return request.kind !== 'child' || request.await
}

export function createActivities(deps: ActivitiesDeps): Activities {
  const { performer, head, now, boundary, parkAfterMs, startedChildren, post } = deps
  const effects = new Map<string, AbortController>()
  const timers = new Map<string, { readonly dueAtMs: number; readonly end: () => void; readonly handle: NodeJS.Timeout | undefined }>()
  let endingOverdue: NodeJS.Timeout | undefined
  const awaited = new Map<string, Awaited>()
  /** Started children whose request the machine has not made again, by position; it makes some only after a long stretch of pure work. */
  const unrequested = new Map(startedChildren)
  const earlyOutcomes = new Map<string, Outcome>()

  function postOutcome(pending: PendingRequest, outcome: Outcome, startedAtMs: number, attachment?: Attachment): void {
    post({ kind: 'outcome', pending, outcome, startedAtMs, attachment })
  }

  function armTimer(pending: PendingRequest, dueAtMs: number, startedAtMs: number): void {
    const { position } = pending.request
    const end = () => {
      // A timer may fire a little early, and a long one is cut into pieces; neither may end before it is due.
      if (now() < dueAtMs) return armTimer(pending, dueAtMs, startedAtMs)
      timers.delete(position)
      postOutcome(pending, { ok: true, value: null }, startedAtMs)
    }
    const remainingMs = dueAtMs - now()
    const handle = remainingMs > 0 ? setTimeout(end, Math.min(remainingMs, TIMER_MS_MAX)) : undefined
    if (handle === undefined) endingOverdue ??= setTimeout(endOverdueTimers)
    timers.set(position, { dueAtMs, end, handle })
  }

  /** After a restart several timers may be overdue. They end in the order of their due times, so that the timeout of a longer wait comes first. */
  function endOverdueTimers(): void {
    endingOverdue = undefined
    const overdue = [...timers].filter(([, { handle }]) => handle === undefined)
    for (const [position, timer] of overdue.toSorted(([, first], [, second]) => first.dueAtMs - second.dueAtMs)) {
      // An earlier one may have stopped it.
      if (timers.get(position) === timer) timer.end()
    }
  }

  /** Waits in memory for the grace time; after that the execution may be parked. */
  function startWaiting(pending: PendingRequest, childId: string | undefined, startedAtMs: number): void {
    const { position } = pending.request
    const parkAtMs = now() + parkAfterMs
    awaited.set(position, { pending, childId, startedAtMs, parkAtMs, grace: graceUntil(position, parkAtMs) })
  }

  function graceUntil(position: string, parkAtMs: number): NodeJS.Timeout {
    const end = () => {
      const entry = awaited.get(position)
      if (entry === undefined) return
      // As with any timer: early, or a piece of a long one.
      if (now() < parkAtMs) awaited.set(position, { ...entry, grace: graceUntil(position, parkAtMs) })
      else post({ kind: 'grace-over' })
    }
    const timer = setTimeout(end, Math.min(Math.max(parkAtMs - now(), 0), TIMER_MS_MAX))
    // Local runs are never parked, so their grace timers must not keep the process alive.
    return parkAtMs === Number.POSITIVE_INFINITY ? timer.unref() : timer
  }

  function forget(position: string): Awaited | undefined {
    const entry = awaited.get(position)
    clearTimeout(entry?.grace)
    awaited.delete(position)
    return entry
  }

  function endAwaited(entry: Awaited, outcome: Outcome, attachment?: Attachment): void {
    const { pending, startedAtMs } = entry
    const { request } = pending
    forget(request.position)
    const received = request.kind === 'message' || request.kind === 'child' ? performer.receive(head, request, outcome) : undefined
    if (received === undefined) return postOutcome(pending, outcome, startedAtMs, attachment)
    const abort = new AbortController()
    effects.set(request.position, abort)
    received.then(
      (examined) => {
        if (endEffect(request.position, abort)) postOutcome(pending, examined, startedAtMs, attachment)
      },
      // The message stays in the database, and the end of the child too.
      (cause: unknown) => {
        if (endEffect(request.position, abort)) post({ kind: 'drop', cause })
      },
    )
  }

  function findChild(id: string): Awaited | undefined {
    for (const entry of awaited.values()) if (entry.childId === id) return entry
    return undefined
  }

  function isUnrequested(childId: string): boolean {
    for (const id of unrequested.values()) if (id === childId) return true
    return false
  }

  /** The outcome of a child that is not awaited is its id. */
  function endUnlessAwaited(entry: Awaited | undefined, childId: string): void {
    if (entry !== undefined && !isEndAwaited(entry)) endAwaited(entry, { ok: true, value: childId })
  }

  /** @returns false for an activity that was stopped. */
  function endEffect(position: string, abort: AbortController): boolean {
    return effects.get(position) === abort && effects.delete(position)
  }

  function awaitStarted(pending: PendingRequest, childId: string): void {
    unrequested.delete(pending.request.position)
    startWaiting(pending, childId, now())
    // The earlier run may have ended before it recorded the id, and a child that is not awaited does not report its end.
    const entry = findChild(childId)
    endUnlessAwaited(entry, childId)
    const outcome = earlyOutcomes.get(childId)
    if (entry !== undefined && isEndAwaited(entry) && outcome !== undefined) endAwaited(entry, outcome)
  }

  function awaitedChildren(): string[] {
    const ids: string[] = []
    for (const entry of awaited.values()) if (entry.childId !== undefined && isEndAwaited(entry)) ids.push(entry.childId)
    return ids
  }

  return {
    effect(pending, request) {
      const abort = new AbortController()
      const startedAtMs = now()
      effects.set(request.position, abort)
      boundary('effect-starting')
      performer.perform(head, request, abort.signal).then(
        (outcome) => {
          if (endEffect(request.position, abort)) postOutcome(pending, outcome, startedAtMs)
        },
        (cause: unknown) => {
          if (endEffect(request.position, abort)) post({ kind: 'bug', cause })
        },
      )
    },
    timer(pending, dueAtMs) {
      armTimer(pending, dueAtMs, now())
    },
    child(pending, request) {
      const childId = unrequested.get(request.position)
      if (childId !== undefined) return awaitStarted(pending, childId)
      const abort = new AbortController()
      const startedAtMs = now()
      effects.set(request.position, abort)
      performer.prepareChild(head, request).then(
        (prepared) => {
          if (endEffect(request.position, abort)) post({ kind: 'child-prepared', pending, request, prepared, startedAtMs })
        },
        (cause: unknown) => {
          if (endEffect(request.position, abort)) post({ kind: 'bug', cause })
        },
      )
    },
    isStarted: (position) => unrequested.has(position),
    awaitChild: startWaiting,
    childCommitted(child, childStartedAtMs) {
      if (childStartedAtMs !== undefined) performer.childAccepted(child, childStartedAtMs)
      endUnlessAwaited(findChild(child.id), child.id)
    },
    childEnded(childId, outcome) {
      const entry = findChild(childId)
      if (entry !== undefined) endAwaited(entry, outcome)
      else if (isUnrequested(childId)) earlyOutcomes.set(childId, outcome)
    },
    awaitedChildren,
    children: () => [...unrequested.values(), ...awaitedChildren()],
    awaitMessage: (pending) => startWaiting(pending, undefined, now()),
    takeMessage(message) {
      for (const entry of awaited.values()) {
        const { request } = entry.pending
        if (request.kind !== 'message' || request.wait.position !== message.position) continue
        endAwaited(entry, { ok: true, value: message.value }, { kind: 'message', id: message.id })
        return true
      }
      return false
    },
    stop(position) {
      effects.get(position)?.abort()
      effects.delete(position)
      clearTimeout(timers.get(position)?.handle)
      timers.delete(position)
      return forget(position)?.childId
    },
    stopAll() {
      for (const abort of effects.values()) abort.abort()
      for (const { handle } of timers.values()) clearTimeout(handle)
      clearTimeout(endingOverdue)
      endingOverdue = undefined
      effects.clear()
      timers.clear()
      for (const position of awaited.keys()) forget(position)
    },
    isPerforming: () => effects.size > 0,
    isParkable() {
      if (effects.size > 0) return false
      const nowMs = now()
      for (const { dueAtMs } of timers.values()) if (dueAtMs - nowMs <= parkAfterMs) return false
      for (const entry of awaited.values()) if (!isEndAwaited(entry) || nowMs < entry.parkAtMs) return false
      return timers.size + awaited.size > 0
    },
    wakeAtMs() {
      if (timers.size === 0) return undefined
      let earliestMs = now() + PARKED_MS_MAX
      for (const { dueAtMs } of timers.values()) earliestMs = Math.min(earliestMs, dueAtMs)
      return earliestMs
    },
  }
}
