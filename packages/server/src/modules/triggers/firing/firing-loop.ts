import { setImmediate } from 'node:timers/promises'
import { Fault } from '@millrace/contract'
import { createLoop, isTerminal } from '@millrace/engine'
import type { ExecutionSnapshot } from '@millrace/engine'
import { readEvent } from '@millrace/engine/definition'
import { sql } from 'kysely'
import { isOfServer } from '#modules/executions/index.ts'
import { isOfTrigger, type Trigger } from '#modules/triggers/model.ts'
import type { Tx } from '#platform/db/database.ts'
import { causesMax } from '#platform/net/depth.ts'
import { dueData, type Fire, type FireDeps } from './fire.ts'
import {
  deleteFirings,
  deleteOrphans,
  type DuePlan,
  findDueOrReady,
  hasFirings,
  lockDueTriggers,
  lockReadyFirings,
  lockTriggersOf,
  type FailedTrigger,
  postponeFirings,
  type ReadyFiring,
  recordDue,
  recordResults,
  type StartResult,
} from './firing-store.ts'
import { type Collector, isRefusal } from '#modules/triggers/collecting/collector.ts'
import { takesSingleEvents } from '#modules/triggers/collecting/event-schedule.ts'
import { type RunUrl, withEndEvents } from '#modules/triggers/ends/end-events.ts'
import { overrunReason, type Paces, readPaces } from '#modules/triggers/ends/pace.ts'
import { planAfter } from './plan-after.ts'
import { planDue } from './plan-due.ts'
import { recordMadeUp, recordSkips } from './skip-store.ts'

export interface FiringLoopDeps extends Pick<FireDeps, 'now'> {
  readonly database: FireDeps['database']
  readonly newId: () => string
  readonly fire: { readonly start: (...given: Parameters<Fire['start']>) => Promise<{ readonly id: string }> }
  readonly collector: Collector
  readonly snapshot: (accountId: string, executionId: string) => Promise<ExecutionSnapshot | undefined>
  /** Requests the cancellation of an execution that may have ended. */
  readonly cancel: (accountId: string, executionId: string) => Promise<void>
  /** Called in the transaction that records the first failure of a trigger in a row. */
  readonly onFailing: (tx: Tx, trigger: FailedTrigger) => Promise<void>
  /** Called in the transaction that pauses a trigger. */
  readonly onPaused: (tx: Tx, trigger: FailedTrigger) => Promise<void>
  /** Called in the transaction that records the first start of an account within a day that a quota refuses. */
  readonly onOverQuota: (tx: Tx, accountId: string, reason: string) => Promise<void>
  /** Called in the transaction that refuses a start because too many executions caused it. */
  readonly onLoop: NotifyOf
  /** Called in the transaction that refuses starts by ends of executions because there are too many. */
  readonly onOverrun: NotifyOf
  /** The page of an execution; undefined if the address of the installation is not known. */
  readonly runUrl: RunUrl
  readonly onError: (error: unknown) => void
  /** A batch waits so long for its starts, since its transaction, and the firings of other accounts, wait for the slowest one. 4 seconds unless given. */
  readonly startMsMax?: number
}

type NotifyOf = (tx: Tx, trigger: Pick<Trigger, 'id' | 'accountId' | 'name'>, reason: string) => Promise<void>

const idleMs = 500
/** Firings are started when they are found, long before this. */
const unwokenMs = 60_000
/** Each claim passes the index entries of those before it, so a few large claims cost less than many small ones. */
const claimMax = 2_000
const batchMax = 500
const queuePollMs = 1_000
/** A start that a quota has refused is tried again so often: another plan may allow it before the period ends. */
const quotaPollMs = 10 * 60_000
/** Events that one trigger adds to its sets in a batch. */
const collectMax = 50
const plansPerTurn = 10
/** Further schedules of a claim are left to the next one, so that starts do not wait for rules that take long. */
const planMsMax = 250
const retryMsMax = 60_000
const startMsDefault = 4_000
/** A firing whose start took too long so often is refused. */
const slowStartsMax = 10

/**
 * Starts what is due, in the background. Any number of processes do so at the same time; each due time starts once. Due schedules are claimed while
 * earlier ones are started.
 */
export function createFiringLoop(deps: FiringLoopDeps) {
  const reported = (turn: () => Promise<boolean | number>) => async () => {
    try {
      return await turn()
    } catch (error) {
      deps.onError(error)
      return false
    }
  }
  const firing = createLoop(
    unwokenMs,
    reported(async () => (await fireReady(deps)) > 0),
  )
  const claiming = createLoop(
    idleMs,
    reported(async () => {
      // One statement instead of two transactions, as long as nothing is due.
      const { nextDueAt, ready } = await findDueOrReady(deps.database.system, new Date(deps.now()))
      if (ready) firing.wake()
      if (nextDueAt === undefined) return false
      const inMs = nextDueAt.getTime() - deps.now()
      if (inMs > 0) return inMs
      const claimed = await claimDue(deps)
      if (claimed > 0) firing.wake()
      return claimed > 0
    }),
  )
  return {
    start() {
      claiming.start()
      firing.start()
    },
    async stop() {
      await Promise.all([claiming.stop(), firing.stop()])
    },
    wake() {
      claiming.wake()
      firing.wake()
    },
  }
}

/** Turns due schedules into firings; both commit together, so no due time is lost or repeated when a process dies. */
async function claimDue({ database, now, newId, snapshot }: FiringLoopDeps): Promise<number> {
  return database.system.transaction().execute(async (tx) => {
    const at = now()
    const due = await lockDueTriggers(tx, new Date(at), claimMax)
    if (due.length === 0) return 0
    // Loaded with the first due schedule, so that the libraries do not delay the start of the process.
    const { dueTimesOf } = await import('#modules/triggers/schedule/due-times.ts')
    const plans: DuePlan[] = []
    const endsAt = performance.now() + planMsMax
    for (const trigger of due) {
      if (performance.now() >= endsAt && plans.length > 0) break
      const { schedule } = trigger
      if (schedule === undefined) plans.push({ trigger, dueAt: [], nextAt: undefined })
      else if (schedule.spec.kind === 'after') {
        const { accountId, lastExecutionId } = trigger
        const previous = lastExecutionId === undefined ? undefined : await snapshot(accountId, lastExecutionId)
        plans.push(planAfter({ ...trigger, afterMs: schedule.spec.afterMs }, previous, await hasFirings(tx, trigger.id), at))
      } else plans.push(planDue({ ...trigger, schedule }, dueTimesOf(schedule.spec), at))
      // A rule may take milliseconds: requests are served in between.
      if (plans.length % plansPerTurn === 0) await setImmediate()
    }
    await recordDue(tx, new Date(at), newId, plans)
    return plans.length
  })
}

const loopReason = `${causesMax} executions in a row were each started by an event that the one before had emitted. Change the types of the trigger, or emit the event under a condition.`

/** An execution that events start is one deeper than that which emitted the event. */
const depthOf = ({ event, events, depth }: ReadyFiring): number => (event === undefined && events === undefined ? 0 : depth + 1)

/** What became of a firing. */
type Settlement =
  | { readonly kind: 'started'; readonly executionId: string }
  | { readonly kind: 'refused'; readonly error: string; readonly counts?: boolean }
  | { readonly kind: 'overQuota'; readonly error: string; readonly schedule: Trigger['schedule'] }
  | { readonly kind: 'looped' | 'overrun'; readonly error: string; readonly trigger: Trigger }
  | { readonly kind: 'dropped' }
  | { readonly kind: 'postponed'; readonly afterMs: number; readonly counts: boolean }

/**
 * Starts a batch. Firings and triggers are locked meanwhile: a toggle or a deletion that has committed before prevents the start, and one that
 * comes later waits for it. When the process dies, the locks end, and the engine recognizes a repeated start by its key.
 */
async function fireReady(deps: FiringLoopDeps): Promise<number> {
  return deps.database.system.transaction().execute(async (tx) => {
    const locked = await lockReadyFirings(tx, new Date(deps.now()), batchMax)
    if (locked.length === 0) return 0
    const { firings, gone } = await withEndEvents(tx, locked, deps.runUrl)
    const triggers = await lockTriggersOf(tx, [...new Set(firings.map(({ triggerId }) => triggerId))])
    await deleteFirings(tx, idsOf(gone))
    await deleteOrphans(tx, idsOf(firings.filter(({ triggerId }) => !triggers.has(triggerId))))
    const collecting = deadlineAfter((deps.startMsMax ?? startMsDefault) / 2)
    const collected = await collect(deps, tx, { triggers, firings, signal: collecting.signal }).finally(collecting.clear)
    const paces = await pacesOf(tx, firings, new Date(deps.now()))
    const deadline = deadlineAfter(deps.startMsMax ?? startMsDefault)
    const serial = new Set<string>()
    const started = await Promise.all(
      firings.flatMap((firing) => {
        if (collected.has(firing.id)) return []
        const trigger = triggers.get(firing.triggerId)
        if (trigger === undefined) return []
        const isNext = trigger.schedule === undefined || trigger.schedule.overlap === 'allow' || !serial.has(trigger.id)
        serial.add(trigger.id)
        return [settle(deps, trigger, firing, { isNext, paces, deadline }).then((settlement) => ({ firing, settlement }))]
      }),
    ).finally(deadline.clear)
    const settled = [...collected.values(), ...started]
    await record(deps, tx, settled)
    await paces.save(tx)
    return gone.length + settled.filter(({ settlement }) => settlement.kind !== 'postponed').length
  })
}

const idsOf = (firings: readonly ReadyFiring[]) => firings.map(({ id }) => id)

function pacesOf(tx: Tx, firings: readonly ReadyFiring[], now: Date): Promise<Paces> {
  const byEnds = firings.filter(({ executionId }) => executionId !== undefined)
  return readPaces(tx, [...new Set(byEnds.map(({ triggerId }) => triggerId))], now)
}

interface Settled {
  readonly firing: ReadyFiring
  readonly settlement: Settlement
}

/** Adds the events of triggers that take several together to their sets. @returns what became of their firings, by id. */
async function collect(
  { collector, onError }: FiringLoopDeps,
  tx: Tx,
  {
    triggers,
    firings,
    signal,
  }: { readonly triggers: ReadonlyMap<string, Trigger>; readonly firings: readonly ReadyFiring[]; readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, Settled>> {
  const settled = new Map<string, Settled>()
  for (const trigger of triggers.values()) {
    const { on, enabled, id } = trigger
    if (on === undefined || !enabled || takesSingleEvents(on)) continue
    const fresh = firings.flatMap((firing) => {
      const { triggerId, event, depth } = firing
      return triggerId === id && event !== undefined && depth < causesMax ? [{ ...firing, event }] : []
    })
    // Few at a time, so that slow conditions of one account leave time for the others.
    for (const firing of fresh.splice(signal.aborted ? 0 : collectMax))
      settled.set(firing.id, { firing, settlement: { kind: 'postponed', afterMs: 0, counts: false } })
    if (fresh.length === 0) continue
    await sql`savepoint collecting`.execute(tx)
    try {
      const refused = await collector.collect(tx, { ...trigger, on }, fresh, signal)
      for (const firing of fresh) settled.set(firing.id, { firing, settlement: { kind: 'dropped' } })
      for (const { firing, error } of refused) settled.set(firing.id, { firing, settlement: { kind: 'refused', error } })
    } catch (error) {
      // The others of the batch continue.
      if (!isTimeout(error)) onError(error)
      await sql`rollback to savepoint collecting`.execute(tx)
      for (const firing of fresh) {
        const later = { kind: 'postponed', afterMs: retryMsOf(firing.attempts), counts: true } as const
        settled.set(firing.id, { firing, settlement: isTimeout(error) ? lateStart(firing) : later })
      }
    }
    await sql`release savepoint collecting`.execute(tx)
  }
  return settled
}

async function record(
  { now, onFailing, onPaused, onLoop, onOverrun, onOverQuota }: FiringLoopDeps,
  tx: Tx,
  settled: readonly Settled[],
): Promise<void> {
  const refused = settled.flatMap(({ firing, settlement }) =>
    settlement.kind === 'overQuota' ? [{ firing, schedule: settlement.schedule, reason: settlement.error }] : [],
  )
  const { keptIds, newAccounts } = await recordSkips(tx, new Date(now()), refused)
  for (const accountId of newAccounts)
    await onOverQuota(tx, accountId, refused.find(({ firing }) => firing.accountId === accountId)?.reason ?? '')
  await recordMadeUp(
    tx,
    settled.flatMap(({ firing, settlement }) => lateStartOf(firing, settlement, now())),
  )
  const done: string[] = []
  const later = []
  const results: StartResult[] = []
  for (const { firing, settlement } of settled) {
    const { id, accountId, triggerId } = firing
    if (keptIds.has(id)) later.push({ id, at: new Date(now() + quotaPollMs), counts: false })
    else if (settlement.kind === 'postponed') later.push({ id, at: new Date(now() + settlement.afterMs), counts: settlement.counts })
    else done.push(id)
    if (settlement.kind === 'started') results.push({ accountId, triggerId, executionId: settlement.executionId, error: undefined })
    if (settlement.kind === 'looped') await onLoop(tx, settlement.trigger, settlement.error)
    if (settlement.kind === 'looped') results.push({ accountId, triggerId, executionId: undefined, error: settlement.error })
    if (settlement.kind === 'overQuota' || settlement.kind === 'overrun')
      results.push({ accountId, triggerId, executionId: undefined, error: settlement.error, counts: false })
    if (settlement.kind === 'refused')
      results.push({ accountId, triggerId, executionId: undefined, error: settlement.error, counts: settlement.counts ?? true })
  }
  await deleteFirings(tx, done)
  await postponeFirings(tx, later)
  const { failing, paused } = await recordResults(tx, new Date(now()), results)
  // A loop is reported by itself.
  const looped = new Set(settled.flatMap(({ firing, settlement }) => (settlement.kind === 'looped' ? [firing.triggerId] : [])))
  for (const trigger of failing) if (!looped.has(trigger.id)) await onFailing(tx, trigger)
  for (const trigger of paused) await onPaused(tx, trigger)
  const overrun = settled.flatMap(({ settlement }) => (settlement.kind === 'overrun' ? [settlement.trigger] : []))
  for (const trigger of new Set(overrun)) await onOverrun(tx, trigger, overrunReason)
}

/** What has started that may have been refused before: what was due a while ago. */
function lateStartOf({ triggerId, cause, dueAt }: ReadyFiring, settlement: Settlement, nowMs: number) {
  const isLate = settlement.kind === 'started' && nowMs - dueAt.getTime() >= quotaPollMs / 2
  return isLate ? [{ triggerId, cause, executionId: settlement.executionId }] : []
}

async function settle(
  deps: FiringLoopDeps,
  trigger: Trigger,
  firing: ReadyFiring,
  { isNext, paces, deadline }: { readonly isNext: boolean; readonly paces: Paces; readonly deadline: Deadline },
): Promise<Settlement> {
  // What a watch found before its connection ended is not found again.
  if (!trigger.enabled && trigger.pausedConnection === undefined) return { kind: 'dropped' }
  if (firing.depth >= causesMax) return { kind: 'looped', error: loopReason, trigger }
  // Its predecessor starts in this batch.
  if (!isNext) return { kind: 'postponed', afterMs: queuePollMs, counts: false }
  try {
    const overlap = await overlapOf(deps, trigger)
    if (overlap !== undefined) return overlap
    const { signal } = deadline
    const { on } = trigger
    const { cause, event, events = event === undefined ? [] : [event] } = firing
    if (on !== undefined && event !== undefined && !(await deps.collector.passes({ ...trigger, on }, event, signal)))
      return { kind: 'dropped' }
    const turn = firing.executionId === undefined ? 'now' : paces.take(trigger.id, deps.now())
    if (turn === 'never') return { kind: 'overrun', error: overrunReason, trigger }
    if (turn !== 'now') return { kind: 'postponed', afterMs: turn.atMs - deps.now(), counts: false }
    const given =
      on === undefined
        ? { data: event ?? (await dueData(trigger, firing.dueAt)) }
        : { data: {}, events: events.map((one) => readEvent(on.read, one)) }
    const start = deps.fire.start(trigger, { cause, depth: depthOf(firing), causedBy: firing.executionId, ...given, signal })
    // A start that ends later is found by its key when the firing is repeated.
    const started = await Promise.race([start, deadline.passed])
    return started === 'late' ? lateStart(firing) : { kind: 'started', executionId: started.id }
  } catch (error) {
    if (error instanceof Fault && error.code === 'quota_exceeded')
      return { kind: 'overQuota', error: error.message, schedule: trigger.schedule }
    if (error instanceof Fault && !isOfServer(error.code)) return { kind: 'refused', error: error.message, counts: isOfTrigger(error.code) }
    if (isRefusal(error)) return { kind: 'refused', error: error.message }
    if (isTimeout(error)) return lateStart(firing)
    // Of the server, not of the trigger: it is repeated until it works.
    deps.onError(error)
    return { kind: 'postponed', afterMs: retryMsOf(firing.attempts), counts: true }
  }
}

/** How long the starts of a batch may take. */
interface Deadline {
  /** Aborts with a `TimeoutError`. */
  readonly signal: AbortSignal
  readonly passed: Promise<'late'>
  readonly clear: () => void
}

/** One for a whole batch: a timer and a signal for each start took a tenth of the time of a start. */
function deadlineAfter(ms: number): Deadline {
  const { promise: passed, resolve } = Promise.withResolvers<'late'>()
  const controller = new AbortController()
  const timer = setTimeout(() => {
    controller.abort(new DOMException('the start took too long', 'TimeoutError'))
    resolve('late')
  }, ms)
  return { signal: controller.signal, passed, clear: () => clearTimeout(timer) }
}

function lateStart({ attempts }: ReadyFiring): Settlement {
  if (attempts < slowStartsMax) return { kind: 'postponed', afterMs: retryMsOf(attempts), counts: true }
  return { kind: 'refused', error: `The start took too long, ${attempts + 1} times. Simplify the mapping or the conditions.` }
}

const isTimeout = (error: unknown) => error instanceof Error && error.name === 'TimeoutError'
const retryMsOf = (attempts: number) => Math.min(1_000 * 2 ** attempts, retryMsMax)

/** What the overlap policy does instead of a start; undefined if it starts. */
async function overlapOf(deps: FiringLoopDeps, { accountId, schedule, lastExecutionId }: Trigger): Promise<Settlement | undefined> {
  if (schedule === undefined || schedule.overlap === 'allow' || lastExecutionId === undefined) return undefined
  const previous = await deps.snapshot(accountId, lastExecutionId)
  if (previous === undefined || isTerminal(previous.state)) return undefined
  if (schedule.overlap === 'skip') return { kind: 'dropped' }
  if (schedule.overlap === 'queue') return { kind: 'postponed', afterMs: queuePollMs, counts: false }
  await deps.cancel(accountId, lastExecutionId)
  return undefined
}
