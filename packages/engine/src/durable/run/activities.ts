import type { PendingRequest } from '#core/machine.ts'
import type { ChildRequest, EffectRequest, Outcome } from '#core/request.ts'
import type { Performer } from './performer.ts'
import type { Boundary } from '#durable/ports/boundary.ts'
import type { Message } from '#durable/ports/bus.ts'
import type { ExecutionHead } from '#durable/ports/execution.ts'

/** `setTimeout` takes no more than 31 bits. */
const TIMER_MS_MAX = 2 ** 31 - 1

export interface ActivitiesDeps {
  readonly performer: Performer
  readonly head: ExecutionHead
  readonly now: () => number
  readonly boundary: Boundary
  /** An execution that waits less than this keeps its place in memory; for a longer wait it is parked. */
  readonly parkAfterMs: number
  onOutcome(pending: PendingRequest, kind: string, outcome: Outcome, startedAtMs: number): void
  onMessage(pending: PendingRequest, message: Message, startedAtMs: number): void
  onChild(child: { readonly request: ChildRequest; readonly head: ExecutionHead; readonly startedAtMs: number | undefined }): void
  /** An activity that kept the run in memory has become one that can wait elsewhere. */
  onIdle(): void
}

/** What one run has under way in the world outside: effects, timers and children. */
export interface Activities {
  effect(pending: PendingRequest, request: EffectRequest): void
  timer(pending: PendingRequest, dueAtMs: number): void
  child(pending: PendingRequest, request: ChildRequest): void
  awaitChild(pending: PendingRequest, childId: string): void
  awaitMessage(pending: PendingRequest): void
  childCommitted(head: ExecutionHead, startedAtMs: number | undefined): void
  childEnded(childId: string, outcome: Outcome): void
  /** Children whose end is waited for. */
  children(): readonly string[]
  /** @returns false when no request waits for messages of this wait at the moment. */
  messageCame(message: Message): boolean
  /** @returns the child that was waited for there, if it was one. */
  stop(position: string): string | undefined
  stopAll(): void
  /** Effects that are being performed at this moment. */
  performing(): number
  /** Whether all that is under way can be waited for without this process. */
  parkable(): boolean
  wakeAtMs(): number | undefined
}

/** Something that another place will tell us of: the end of a child, or a message. */
interface Awaited {
  readonly pending: PendingRequest
  readonly childId: string | undefined
  readonly startedAtMs: number
  readonly parkAtMs: number
  readonly grace: NodeJS.Timeout
}

function isWaitedFor({ pending: { request } }: Awaited): boolean {
  return request.kind !== 'child' || request.await
}

export function createActivities(deps: ActivitiesDeps): Activities {
  const { performer, head, now, boundary, parkAfterMs } = deps
  const effects = new Map<string, AbortController>()
  const timers = new Map<string, { readonly dueAtMs: number; readonly handle: NodeJS.Timeout }>()
  const awaited = new Map<string, Awaited>()

  function arm(pending: PendingRequest, dueAtMs: number, startedAtMs: number): void {
    const { position } = pending.request
    const handle = setTimeout(
      () => {
        // A timer may fire a little early, and a long one is cut into pieces; neither may answer before it is due.
        if (now() < dueAtMs) return arm(pending, dueAtMs, startedAtMs)
        timers.delete(position)
        deps.onOutcome(pending, 'timer', { ok: true, value: null }, startedAtMs)
      },
      Math.min(Math.max(dueAtMs - now(), 0), TIMER_MS_MAX),
    )
    timers.set(position, { dueAtMs, handle })
  }

  /** What comes soon finds the execution still in memory; for a longer wait it is parked. */
  function expect(pending: PendingRequest, childId: string | undefined, startedAtMs: number): void {
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
      else deps.onIdle()
    }
    const timer = setTimeout(end, Math.min(Math.max(parkAtMs - now(), 0), TIMER_MS_MAX))
    // Where nothing is ever parked there is nothing to come, and a process that only waits for it may end.
    return parkAtMs === Number.POSITIVE_INFINITY ? timer.unref() : timer
  }

  function forget(position: string): Awaited | undefined {
    const entry = awaited.get(position)
    clearTimeout(entry?.grace)
    awaited.delete(position)
    return entry
  }

  /** All that a parent that does not wait wants to know of a child. */
  function childBegun(childId: string): void {
    const waiting = waitsForChild(childId)
    if (waiting === undefined || isWaitedFor(waiting)) return
    forget(waiting.pending.request.position)
    deps.onOutcome(waiting.pending, 'workflow', { ok: true, value: childId }, waiting.startedAtMs)
  }

  const waitsForChild = (id: string) => [...awaited.values()].find(({ childId }) => childId === id)

  return {
    effect(pending, request) {
      const abort = new AbortController()
      const startedAtMs = now()
      effects.set(request.position, abort)
      boundary('effect-starting')
      void performer.perform(head, request, abort.signal).then((outcome) => {
        if (effects.get(request.position) !== abort) return
        effects.delete(request.position)
        boundary('effect-done')
        deps.onOutcome(pending, request.function, outcome, startedAtMs)
        deps.onIdle()
      })
    },
    timer(pending, dueAtMs) {
      arm(pending, dueAtMs, now())
    },
    child(pending, request) {
      const abort = new AbortController()
      const startedAtMs = now()
      effects.set(request.position, abort)
      void performer.prepareChild(head, request).then((prepared) => {
        if (effects.get(request.position) !== abort) return
        effects.delete(request.position)
        if (!prepared.ok) return deps.onOutcome(pending, 'workflow', prepared, startedAtMs)
        expect(pending, prepared.head.id, startedAtMs)
        deps.onChild({ request, head: prepared.head, startedAtMs: prepared.startedAtMs })
      })
    },
    awaitChild(pending, childId) {
      expect(pending, childId, now())
      // Its process died when the child was written down and that it was begun was not; the child itself tells nobody.
      setImmediate(() => childBegun(childId))
    },
    awaitMessage: (pending) => expect(pending, undefined, now()),
    childCommitted(child, childStartedAtMs) {
      if (childStartedAtMs !== undefined) performer.childAccepted(child, childStartedAtMs)
      childBegun(child.id)
    },
    childEnded(childId, outcome) {
      const waiting = waitsForChild(childId)
      if (waiting === undefined) return
      forget(waiting.pending.request.position)
      deps.onOutcome(waiting.pending, 'workflow', outcome, waiting.startedAtMs)
    },
    children: () => [...awaited.values()].flatMap((entry) => (isWaitedFor(entry) ? (entry.childId ?? []) : [])),
    messageCame(message) {
      for (const { pending, startedAtMs } of awaited.values()) {
        if (pending.request.kind !== 'message' || pending.request.wait.position !== message.position) continue
        forget(pending.request.position)
        deps.onMessage(pending, message, startedAtMs)
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
      effects.clear()
      timers.clear()
      for (const position of awaited.keys()) forget(position)
    },
    performing: () => effects.size,
    parkable() {
      if (effects.size > 0) return false
      const nowMs = now()
      for (const { dueAtMs } of timers.values()) if (dueAtMs - nowMs <= parkAfterMs) return false
      for (const entry of awaited.values()) if (!isWaitedFor(entry) || nowMs < entry.parkAtMs) return false
      return timers.size + awaited.size > 0
    },
    wakeAtMs() {
      if (timers.size === 0) return undefined
      let earliestMs = Number.POSITIVE_INFINITY
      for (const { dueAtMs } of timers.values()) earliestMs = Math.min(earliestMs, dueAtMs)
      return earliestMs
    },
  }
}
