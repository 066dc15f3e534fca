import { Fault } from '@millrace/contract'
import { type ExecutionSnapshot, isTerminal } from '@millrace/engine'
import { readEvent } from '@millrace/engine/definition'
import { isOfServer } from '#modules/executions/index.ts'
import { type Collector, isRefusal } from '#modules/triggers/collecting/collector.ts'
import { overrunReason, type Paces } from '#modules/triggers/ends/pace.ts'
import { isOfTrigger, type Trigger } from '#modules/triggers/model.ts'
import { causesMax } from '#platform/net/depth.ts'
import { dueData, type Fire } from './fire.ts'
import type { Attempt, ReadyFiring } from './firing-store.ts'
import { graceMs } from './plan-due.ts'

export interface SettleDeps {
  readonly now: () => number
  readonly fire: { readonly start: (...given: Parameters<Fire['start']>) => Promise<{ readonly id: string }> }
  readonly collector: Collector
  readonly snapshot: (accountId: string, executionId: string) => Promise<ExecutionSnapshot | undefined>
  /** Requests the cancellation of an execution that may have ended. */
  readonly cancel: (accountId: string, executionId: string) => Promise<void>
  readonly onError: (error: unknown) => void
}

const queuePollMs = 1_000
const retryMsMax = 60_000
/** A firing whose start took too long so often is refused. */
const slowStartsMax = 10

/** What became of a firing. */
export type Settlement =
  | { readonly kind: 'started'; readonly executionId: string }
  | { readonly kind: 'refused'; readonly error: string; readonly countsTowardsPause?: boolean }
  | { readonly kind: 'overQuota'; readonly error: string; readonly schedule: Trigger['schedule'] }
  | { readonly kind: 'looped' | 'overrun'; readonly error: string; readonly trigger: Trigger }
  | { readonly kind: 'dropped' }
  | { readonly kind: 'postponed'; readonly afterMs: number; readonly attempt: Attempt }

export const loopReason = `${causesMax} executions in a row were each started by an event that the one before had emitted. Change the types of the trigger, or emit the event under a condition.`

/** An execution that events start is one deeper than that which emitted the event. */
const depthOf = ({ event, events, depth }: ReadyFiring): number => (event === undefined && events === undefined ? 0 : depth + 1)

/** Starts a workflow for a firing, unless its trigger says otherwise. */
export async function settle(
  deps: SettleDeps,
  trigger: Trigger,
  firing: ReadyFiring,
  { isFirstOfTrigger, paces, deadline }: { readonly isFirstOfTrigger: boolean; readonly paces: Paces; readonly deadline: Deadline },
): Promise<Settlement> {
  // What a watch found before its connection ended is not found again.
  if (!trigger.enabled && trigger.pausedConnection === undefined) return { kind: 'dropped' }
  if (isMissed(trigger, firing, deps.now())) return { kind: 'dropped' }
  if (firing.depth >= causesMax) return { kind: 'looped', error: loopReason, trigger }
  // Its predecessor starts in this batch.
  if (!isFirstOfTrigger) return { kind: 'postponed', afterMs: queuePollMs, attempt: 'none' }
  try {
    const overlap = await overlapOf(deps, trigger)
    if (overlap.kind !== 'none') return overlap
    const { signal } = deadline
    const { accountId, on } = trigger
    const { cause, event, events = event === undefined ? [] : [event] } = firing
    if (on !== undefined && event !== undefined && !(await deps.collector.passes({ ...trigger, on }, event, signal)))
      return { kind: 'dropped' }
    const turn = firing.executionId === undefined ? 'now' : paces.take(trigger.id, deps.now())
    if (turn === 'never') return { kind: 'overrun', error: overrunReason, trigger }
    if (turn !== 'now') return { kind: 'postponed', afterMs: turn.atMs - deps.now(), attempt: 'none' }
    const given =
      on === undefined
        ? { data: event ?? (await dueData(trigger, firing.dueAt)) }
        : { data: {}, events: events.map((one) => readEvent(on.read, one)) }
    const start = deps.fire.start(trigger, { cause, depth: depthOf(firing), causedBy: firing.executionId, ...given, signal })
    // A start that ends later is found by its key when the firing is repeated.
    const started = await Promise.race([start, deadline.passed])
    if (started === 'late') return afterTimeout(firing)
    // After the start, so that a start that is refused leaves the previous execution running. If it fails, or the process dies, the firing is repeated.
    if (overlap.replacedId !== undefined) await deps.cancel(accountId, overlap.replacedId)
    return { kind: 'started', executionId: started.id }
  } catch (error) {
    if (error instanceof Fault && error.code === 'quota_exceeded')
      return { kind: 'overQuota', error: error.message, schedule: trigger.schedule }
    if (error instanceof Fault && !isOfServer(error.code))
      return { kind: 'refused', error: error.message, countsTowardsPause: isOfTrigger(error.code) }
    if (isRefusal(error)) return { kind: 'refused', error: error.message }
    if (isTimeout(error)) return afterTimeout(firing)
    // Of the server, not of the trigger: it is repeated until it works.
    deps.onError(error)
    return { kind: 'postponed', afterMs: retryMsOf(firing.attempts), attempt: 'failed' }
  }
}

/** Whether a due time was claimed and then missed because no process ran, and the schedule skips missed ones. */
const isMissed = ({ schedule }: Trigger, { isFirstTry, dueAt }: ReadyFiring, nowMs: number) =>
  schedule?.missed === 'skip' && isFirstTry && nowMs - dueAt.getTime() > graceMs

/** How long the starts of a batch may take. */
export interface Deadline {
  /** Aborts with a `TimeoutError`. */
  readonly signal: AbortSignal
  readonly passed: Promise<'late'>
  readonly clear: () => void
}

/** One for a whole batch: a timer and a signal for each start took a tenth of the time of a start. */
export function deadlineAfter(ms: number): Deadline {
  const { promise: passed, resolve } = Promise.withResolvers<'late'>()
  const controller = new AbortController()
  const timer = setTimeout(() => {
    controller.abort(new DOMException('the start took too long', 'TimeoutError'))
    resolve('late')
  }, ms)
  return { signal: controller.signal, passed, clear: () => clearTimeout(timer) }
}

export function afterTimeout({ attempts, slowStarts }: ReadyFiring): Settlement {
  if (slowStarts < slowStartsMax) return { kind: 'postponed', afterMs: retryMsOf(attempts), attempt: 'slow' }
  return { kind: 'refused', error: `The start took too long, ${slowStarts + 1} times. Simplify the mapping or the conditions.` }
}

export const isTimeout = (error: unknown) => error instanceof Error && error.name === 'TimeoutError'
export const retryMsOf = (attempts: number) => Math.min(1_000 * 2 ** attempts, retryMsMax)

/** @param replacedId the execution that is cancelled when its successor has started. */
const startsBeside = (replacedId: string | undefined) => ({ kind: 'none', replacedId }) as const

/** What the overlap policy does instead of a start; `none` if it starts. */
async function overlapOf(
  deps: SettleDeps,
  { accountId, schedule, lastExecutionId }: Trigger,
): Promise<Settlement | ReturnType<typeof startsBeside>> {
  if (schedule === undefined || schedule.overlap === 'allow' || lastExecutionId === undefined) return startsBeside(undefined)
  const previous = await deps.snapshot(accountId, lastExecutionId)
  if (previous === undefined || isTerminal(previous.state)) return startsBeside(undefined)
  switch (schedule.overlap) {
    case 'skip':
      return { kind: 'dropped' }
    case 'queue':
      return { kind: 'postponed', afterMs: queuePollMs, attempt: 'none' }
    case 'cancel':
      return startsBeside(lastExecutionId)
  }
}
