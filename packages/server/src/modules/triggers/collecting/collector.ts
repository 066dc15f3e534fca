import type { Json, JsonObject, Processor } from '@millrace/engine'
import { createFilterCache, EventFilterError, readEvent } from '@millrace/engine/definition'
import type { Correlation } from '@millrace/dsl'
import { insertSetFiring, type ReadyFiring } from '#modules/triggers/firing/firing-store.ts'
import type { Trigger } from '#modules/triggers/model.ts'
import type { Tx } from '#platform/db/database.ts'
import { compilable, type EventSchedule, filtersOf } from './event-schedule.ts'
import { type Passed, planSet, type SetPlan } from './plan-set.ts'
import { deleteSet, listSets, saveSet, setEvents, setsMax, type StoredSet } from './set-store.ts'

export interface CollectorDeps {
  readonly processor: Pick<Processor, 'compute'>
  readonly now: () => number
  readonly newId: () => string
}

/** A trigger that a definition made of `schedule.on`. */
type EventTrigger = Trigger & { readonly on: EventSchedule }
type EventFiring = ReadyFiring & { readonly event: JsonObject }

/** An event that could not be taken, and why. */
export interface Refusal {
  readonly firing: ReadyFiring
  readonly error: string
}

/** Filters that a process keeps compiled. */
const compiledMax = 500
const eventsMax = 1_000
const bytesMax = 1024 * 1024

/** The start was refused because of what the definition says or what the event contains. */
class CollectError extends Error {
  override readonly name = 'CollectError'
}

export type Collector = ReturnType<typeof createCollector>

/** Compares events with the filters of `schedule.on`, and collects those that start a workflow together. */
export function createCollector({ processor, now, newId }: CollectorDeps) {
  const filters = createFilterCache(compiledMax)

  /** The filters of a schedule that an event passes. */
  async function passedBy({ accountId, on }: EventTrigger, event: JsonObject, signal: AbortSignal): Promise<readonly Passed[]> {
    const passed: Passed[] = []
    for (const { name, filter } of filtersOf(on)) {
      const source = compilable(filter)
      const values = filters.get(JSON.stringify(source), () => source).values(event, {})
      if (values !== undefined) passed.push({ name, values, expected: await expectedOf(accountId, filter.correlate ?? {}, signal) })
    }
    return passed
  }

  async function expectedOf(accountId: string, correlate: Readonly<Record<string, Correlation>>, signal: AbortSignal): Promise<JsonObject> {
    const expected: [string, Json][] = []
    for (const [name, { expect }] of Object.entries(correlate))
      if (expect !== undefined)
        expected.push([
          name,
          await computed(
            accountId,
            { what: `The value that \`correlate.${name}\` expects`, kind: 'template', source: JSON.stringify(expect), dot: null },
            signal,
          ),
        ])
    return Object.fromEntries(expected)
  }

  async function computed(
    accountId: string,
    { what, ...of }: { readonly what: string; readonly kind: 'expression' | 'template'; readonly source: string; readonly dot: Json },
    signal: AbortSignal,
  ): Promise<Json> {
    signal.throwIfAborted()
    const outcome = await processor.compute(accountId, { ...of, locals: [], variables: [], nowMs: now() }, signal)
    if (outcome.ok) return outcome.value
    throw new CollectError(`${what} failed: ${outcome.error.detail ?? outcome.error.title}`)
  }

  /** Whether the condition in `until` ends a set. */
  async function endsBy({ accountId, on }: EventTrigger, events: readonly JsonObject[], signal: AbortSignal): Promise<boolean> {
    const until = 'any' in on.strategy ? on.strategy.until : undefined
    if (typeof until !== 'string') return false
    const dot = events.map((event) => readEvent(on.read, event))
    const ends = await computed(
      accountId,
      {
        what: `The condition in \`until\` (with ${dot.length === 1 ? '1 event' : `${dot.length} events`})`,
        kind: 'expression',
        source: until,
        dot,
      },
      signal,
    )
    if (typeof ends === 'boolean' || ends === null) return ends === true
    throw new CollectError('The condition in `until` gives neither true nor false.')
  }

  /** Whether an event ends a set, which is not changed yet: an event on which the condition fails is refused alone. */
  async function isEnd(
    tx: Tx,
    trigger: EventTrigger,
    plan: SetPlan<StoredSet>,
    { event, sets, signal }: { readonly event: JsonObject; readonly sets: StoredSet[]; readonly signal: AbortSignal },
  ): Promise<boolean> {
    if (plan.ends) return true
    if (!plan.consumes || !hasCondition(trigger.on)) return false
    const kept = plan.set === undefined ? [] : await setEvents(tx, plan.set.id)
    try {
      return await endsBy(trigger, [...kept, event], signal)
    } catch (error) {
      // A set that does not wait for further events without this one either would refuse all of them.
      if (plan.set !== undefined && isRefusal(error) && !(await isOpen(endsBy(trigger, kept, signal)))) await drop(tx, sets, plan.set.id)
      throw error
    }
  }

  async function collectOne(
    tx: Tx,
    trigger: EventTrigger,
    firing: EventFiring,
    { sets, signal }: { readonly sets: StoredSet[]; readonly signal: AbortSignal },
  ): Promise<void> {
    const plan = planSet(trigger.on.strategy, await passedBy(trigger, firing.event, signal), sets)
    if (plan === undefined) return
    const ends = await isEnd(tx, trigger, plan, { event: firing.event, sets, signal })
    const id = plan.set?.id ?? newId()
    const at = new Date(now())
    const { accountId, triggerId, depth } = firing
    const event = plan.consumes ? firing.event : undefined
    await saveSet(tx, { id, accountId, triggerId, ...plan.next, depth, event, at })
    const changed = changedSet(id, firing, plan)
    const index = sets.findIndex((set) => set.id === id)
    if (index === -1) sets.push(changed)
    else sets[index] = changed
    if (ends) {
      await insertSetFiring(tx, firing, { id, firingId: newId(), events: await setEvents(tx, id), depth: changed.depth, at })
      await drop(tx, sets, id)
    } else if (changed.count >= eventsMax || changed.bytes > bytesMax) {
      await drop(tx, sets, id)
      throw new CollectError(`A set of events was dropped: it had ${changed.count} events in ${changed.bytes} characters without its end.`)
    } else if (sets.length > setsMax && sets[0] !== undefined) await drop(tx, sets, sets[0].id)
  }

  return {
    /** Whether a single event starts the workflow of a trigger. @throws EventFilterError, CollectError, the reason of the signal */
    async passes(trigger: EventTrigger, event: JsonObject, signal: AbortSignal): Promise<boolean> {
      return planSet(trigger.on.strategy, await passedBy(trigger, event, signal), []) !== undefined
    },

    /**
     * Adds events to the sets of a trigger, whose row is locked. The caller deletes the firings in the same transaction.
     * @throws the reason of the signal
     */
    async collect(tx: Tx, trigger: EventTrigger, firings: readonly EventFiring[], signal: AbortSignal): Promise<readonly Refusal[]> {
      const refused: Refusal[] = []
      const sets = [...(await listSets(tx, trigger.id))]
      for (const firing of firings) {
        try {
          await collectOne(tx, trigger, firing, { sets, signal })
        } catch (error) {
          if (!isRefusal(error)) throw error
          refused.push({ firing, error: error.message })
        }
      }
      return refused
    },
  }
}

/** Whether an error is about the schedule and not about the server. */
export function isRefusal(error: unknown): error is Error {
  return error instanceof CollectError || error instanceof EventFilterError
}

/** Whether the condition of a set can be decided and does not end it. */
async function isOpen(ends: Promise<boolean>): Promise<boolean> {
  try {
    return !(await ends)
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

const hasCondition = ({ strategy }: EventSchedule) => 'any' in strategy && typeof strategy.until === 'string'

function changedSet(id: string, { event, depth }: EventFiring, { set, next, consumes }: SetPlan<StoredSet>): StoredSet {
  return {
    id,
    ...next,
    depth: Math.max(set?.depth ?? 0, depth),
    bytes: (set?.bytes ?? 0) + (consumes ? JSON.stringify(event).length : 0),
    count: (set?.count ?? 0) + (consumes ? 1 : 0),
  }
}

async function drop(tx: Tx, sets: StoredSet[], id: string): Promise<void> {
  await deleteSet(tx, id)
  sets.splice(
    sets.findIndex((set) => set.id === id),
    1,
  )
}
