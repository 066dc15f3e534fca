import { createLoop } from '@millrace/engine'
import { sql } from 'kysely'
import type { Trigger } from '#modules/triggers/model.ts'
import type { Tx } from '#platform/db/database.ts'
import { causesMax } from '#platform/net/depth.ts'
import type { FireDeps } from './fire.ts'
import {
  deleteFirings,
  deleteOrphans,
  type DuePlan,
  findNextTimes,
  lockDueTriggers,
  lockReadyFirings,
  lockTriggersOf,
  nextReadyAt,
  type FailedTrigger,
  pauseTriggers,
  type Postponement,
  postponeFirings,
  type ReadyFiring,
  recordDue,
  recordResults,
  type StartResult,
} from './firing-store.ts'
import { takesSingleEvents } from '#modules/triggers/collecting/event-schedule.ts'
import { type RunUrl, withEndEvents } from '#modules/triggers/ends/end-events.ts'
import { overrunReason, type Paces, readPaces } from '#modules/triggers/ends/pace.ts'
import { planAfter } from './plan-after.ts'
import { planDue } from './plan-due.ts'
import { planInTurns } from './plan-in-turns.ts'
import { afterTimeout, deadlineAfter, isTimeout, loopReason, retryMsOf, settle, type SettleDeps, type Settlement } from './settle.ts'
import { recordMadeUp, recordSkips } from './skip-store.ts'

export interface FiringLoopDeps extends SettleDeps {
  readonly database: FireDeps['database']
  readonly newId: () => string
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
  /** A batch waits so long for its starts, since its transaction, and the firings of other accounts, wait for the slowest one. 4 seconds unless given. */
  readonly startMsMax?: number
}

type NotifyOf = (tx: Tx, trigger: Pick<Trigger, 'id' | 'accountId' | 'name'>, reason: string) => Promise<void>

const idleMs = 500
/** Schedules are claimed so long before they are due, so that the claim does not delay the start. */
const aheadMs = 3_000
/** Firings are started when they are found, long before this. */
const unwokenMs = 60_000
/** Each claim passes the index entries of those before it, so a few large claims cost less than many small ones. */
const claimMax = 2_000
const batchMax = 500
/** A start that a quota has refused is tried again so often: another plan may allow it before the period ends. */
const quotaPollMs = 10 * 60_000
/** Events that one trigger adds to its sets in a batch. */
const collectMax = 50
/** Between two claims while rules take long: requests and starts have about half of the time. */
const costlyPauseMs = 250
/** Of a schedule itself; `RangeError` for its time zone. */
const unusableErrors: ReadonlySet<string> = new Set(['ScheduleError', 'RangeError'])
const startMsDefault = 4_000

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
  const costlyAccounts = new Set<string>()
  const claiming = createLoop(
    idleMs,
    reported(async () => {
      // One statement instead of two transactions, as long as nothing is due.
      const { dueAt, readyAt } = await findNextTimes(deps.database.system)
      const readyInMs = readyAt === undefined ? idleMs : readyAt.getTime() - deps.now()
      if (readyInMs <= 0) firing.wake()
      const waitMs = readyInMs > 0 ? readyInMs : idleMs
      if (dueAt === undefined) return waitMs
      const dueInMs = dueAt.getTime() - deps.now()
      if (dueInMs > aheadMs) return Math.min(waitMs, dueInMs - aheadMs)
      const claimed = await claimDue(deps, costlyAccounts)
      if (claimed > 0) firing.wake()
      if (costlyAccounts.size > 0) return costlyPauseMs
      // What is left depends on the end of an execution, or another process has locked it.
      return claimed > 0 || Math.min(waitMs, dueInMs > 0 ? dueInMs : idleMs)
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

/**
 * Turns schedules that are due or soon will be into firings; both commit together, so no due time is lost or repeated when a process dies.
 * @param costlyAccounts those whose schedules took too long in the last claim; they are replaced by those of this one.
 */
async function claimDue({ database, now, newId, snapshot, onPaused }: FiringLoopDeps, costlyAccounts: Set<string>): Promise<number> {
  return database.system.transaction().execute(async (tx) => {
    const at = now()
    const due = await lockDueTriggers(tx, { now: new Date(at), until: new Date(at + aheadMs) }, claimMax)
    if (due.length === 0) return 0
    // Loaded with the first due schedule, so that the libraries do not delay the start of the process.
    const { dueTimesOf } = await import('#modules/triggers/schedule/due-times.ts')
    const plans: DuePlan[] = []
    const unusable: FailedTrigger[] = []
    const planFollower = async (trigger: Trigger, afterMs: number) => {
      const { accountId, lastExecutionId } = trigger
      const previous = lastExecutionId === undefined ? undefined : await snapshot(accountId, lastExecutionId)
      plans.push(planAfter({ ...trigger, afterMs }, previous, await nextReadyAt(tx, trigger.id), at))
    }
    const plan = (trigger: Trigger): Promise<void> | undefined => {
      const { schedule } = trigger
      if (schedule?.spec.kind === 'after') return planFollower(trigger, schedule.spec.afterMs)
      if (schedule === undefined) plans.push({ trigger, dueAt: [], nextAt: undefined })
      else {
        const planned = planOrReason(() =>
          planDue({ ...trigger, schedule }, dueTimesOf(schedule.spec), { nowMs: at, untilMs: at + aheadMs }),
        )
        if (typeof planned === 'string') unusable.push({ ...trigger, reason: planned })
        else plans.push(planned)
      }
      return undefined
    }
    await planInTurns(due, plan, costlyAccounts)
    await recordDue(tx, new Date(at), newId, plans)
    await pauseTriggers(tx, new Date(at), unusable)
    for (const trigger of unusable) await onPaused(tx, trigger)
    return plans.length + unusable.length
  })
}

/** @returns why the schedule cannot be used any more, such as a time zone that a later release does not know. */
function planOrReason(plan: () => DuePlan): DuePlan | string {
  try {
    return plan()
  } catch (error) {
    if (!(error instanceof Error) || !unusableErrors.has(error.name)) throw error
    return `Its schedule cannot be used any more: ${error.message}. Change the schedule, and enable it again.`
  }
}

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
    const seenTriggers = new Set<string>()
    const started = await Promise.all(
      firings.flatMap((firing) => {
        if (collected.has(firing.id)) return []
        const trigger = triggers.get(firing.triggerId)
        if (trigger === undefined) return []
        const isFirstOfTrigger = trigger.schedule === undefined || trigger.schedule.overlap === 'allow' || !seenTriggers.has(trigger.id)
        seenTriggers.add(trigger.id)
        return [settle(deps, trigger, firing, { isFirstOfTrigger, paces, deadline }).then((settlement) => ({ firing, settlement }))]
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
      settled.set(firing.id, { firing, settlement: { kind: 'postponed', afterMs: 0, attempt: 'none' } })
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
        const later = { kind: 'postponed', afterMs: retryMsOf(firing.attempts), attempt: 'failed' } as const
        settled.set(firing.id, { firing, settlement: isTimeout(error) ? afterTimeout(firing) : later })
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
    settled.flatMap(({ firing, settlement }) => madeUpStartOf(firing, settlement, now())),
  )
  const done: string[] = []
  const later: Postponement[] = []
  const results: StartResult[] = []
  for (const { firing, settlement } of settled) {
    const { id, accountId, triggerId } = firing
    if (keptIds.has(id)) later.push({ id, at: new Date(now() + quotaPollMs), attempt: 'none' })
    else if (settlement.kind === 'postponed') later.push({ id, at: new Date(now() + settlement.afterMs), attempt: settlement.attempt })
    else done.push(id)
    if (settlement.kind === 'started') results.push({ accountId, triggerId, executionId: settlement.executionId, error: undefined })
    if (settlement.kind === 'looped') results.push({ accountId, triggerId, executionId: undefined, error: settlement.error })
    if (settlement.kind === 'overQuota' || settlement.kind === 'overrun')
      results.push({ accountId, triggerId, executionId: undefined, error: settlement.error, countsTowardsPause: false })
    if (settlement.kind === 'refused')
      results.push({
        accountId,
        triggerId,
        executionId: undefined,
        error: settlement.error,
        countsTowardsPause: settlement.countsTowardsPause ?? true,
      })
  }
  await deleteFirings(tx, done)
  await postponeFirings(tx, later)
  const { failing, paused } = await recordResults(tx, new Date(now()), results)
  // A loop is reported by itself.
  const looped = new Set(settled.flatMap(({ firing, settlement }) => (settlement.kind === 'looped' ? [firing.triggerId] : [])))
  for (const trigger of failing) if (!looped.has(trigger.id)) await onFailing(tx, trigger)
  for (const trigger of paused) await onPaused(tx, trigger)
  for (const trigger of triggersThat('looped', settled)) await onLoop(tx, trigger, loopReason)
  for (const trigger of triggersThat('overrun', settled)) await onOverrun(tx, trigger, overrunReason)
}

/** Each once. */
function triggersThat(kind: 'looped' | 'overrun', settled: readonly Settled[]): ReadonlySet<Trigger> {
  return new Set(settled.flatMap(({ settlement }) => (settlement.kind === kind && 'trigger' in settlement ? [settlement.trigger] : [])))
}

/** What has started that may have been refused before: what was due a while ago. */
function madeUpStartOf({ triggerId, cause, dueAt }: ReadyFiring, settlement: Settlement, nowMs: number) {
  const isLate = settlement.kind === 'started' && nowMs - dueAt.getTime() >= quotaPollMs / 2
  return isLate ? [{ triggerId, cause, executionId: settlement.executionId }] : []
}
