import { Fault } from '@millrace/contract'
import type { Json, JsonObject, Processor } from '@millrace/engine'
import type { Start } from '#modules/executions/index.ts'
import { applyMapping } from '#modules/triggers/mapping.ts'
import type { Trigger } from '#modules/triggers/model.ts'
import { zoneOf } from '#modules/triggers/schedule/schedule-spec.ts'
import { findTrigger } from '#modules/triggers/trigger-store.ts'
import { passesFilter } from '#modules/triggers/webhooks/filter.ts'
import type { Database } from '#platform/db/database.ts'
import { toTypeId } from '#platform/ids.ts'
import { recordResults } from './firing-store.ts'

export interface FireDeps {
  readonly database: Database
  readonly start: Start
  readonly processor: Pick<Processor, 'compute'>
  readonly now: () => number
}

/** One firing of a trigger. */
export interface Firing {
  /** Names the cause: the same cause starts once. Undefined for a person without an idempotency key. */
  readonly cause: string | undefined
  /** What the mapping gets, and the input without a mapping. */
  readonly data: JsonObject
  /** Of `schedule.on`: what the workflow gets of the events that start it. */
  readonly events?: readonly Json[]
  /** Who fired it, as `kind:id`; the trigger itself unless given. */
  readonly actor?: string
  /** How many executions caused it, one after the other; unless given, what the request says that causes it. */
  readonly depth?: number
  /** The execution whose end is the cause. */
  readonly causedBy?: string | undefined
  /** Ends the mapping. */
  readonly signal?: AbortSignal
  /** What the execution says about its origin; the kind of the trigger unless given. */
  readonly origin?: 'manual' | 'replay'
}

export type Fire = ReturnType<typeof createFire>

/** Starts executions for triggers. */
export function createFire(deps: FireDeps) {
  /** Starts the workflow of a trigger. Faults are those of a start, and `mapping_failed`. */
  async function start(trigger: Trigger, firing: Firing) {
    const { accountId, workflowId } = trigger
    const input = await inputOf(deps, trigger, firing)
    const key = firing.cause === undefined ? undefined : startKeyOf(trigger.id, firing.cause)
    return deps.start(undefined, {
      accountId,
      workflowId,
      version: undefined,
      input,
      origin: { kind: firing.origin ?? trigger.kind, id: firing.actor ?? `trigger:${toTypeId('trg', trigger.id)}` },
      ...(firing.depth === undefined ? {} : { depth: firing.depth }),
      causedBy: firing.causedBy,
      idempotencyKey: key === undefined ? undefined : { value: key, operation: 'triggers', ignoresInput: true },
    })
  }

  return {
    start,

    /** The input of an execution that a firing would start. Fault `mapping_failed`. */
    input: (trigger: Trigger, firing: Firing) => inputOf(deps, trigger, firing),

    /** Whether the filter of a trigger lets a request start the workflow. Fault `filter_failed`. */
    passes: (trigger: Trigger, data: JsonObject, signal?: AbortSignal) => passesFilter(deps, trigger, { data, signal }),

    /** Fires a trigger for a person, whose input replaces that of the trigger. */
    async manually(
      accountId: string,
      id: string,
      { input, actor, key }: { readonly input: Json | undefined; readonly actor: string; readonly key: string | undefined },
    ) {
      const found = await deps.database.account(accountId, (tx) => findTrigger(tx, accountId, id))
      if (found === undefined) throw new Fault('not_found', { detail: 'There is no such trigger.' })
      if (!found.enabled) throw new Fault('trigger_disabled')
      const trigger: Trigger = input === undefined ? found : { ...found, kind: 'manual', input }
      const at = new Date(deps.now())
      const data = { ...(found.kind === 'schedule' ? await dueData(found, at) : {}), firedAt: at.toISOString() }
      const cause = key === undefined ? undefined : `manual:${key}`
      const started = await start(trigger, { cause, data, actor, origin: 'manual' })
      await recordResults(deps.database.system, new Date(deps.now()), [
        { accountId, triggerId: id, executionId: started.id, error: undefined },
      ])
      return started
    },
  }
}

/** The idempotency key of a start by a trigger. */
export function startKeyOf(triggerId: string, cause: string): string {
  return `trigger:${triggerId}:${cause}`
}

/** What a workflow without an input gets of a due time of its schedule. */
export async function dueData({ schedule }: Pick<Trigger, 'schedule'>, dueAt: Date) {
  const { localText } = await import('#modules/triggers/schedule/zone.ts')
  const timeZone = schedule === undefined ? 'UTC' : zoneOf(schedule.spec)
  return { dueAt: dueAt.toISOString(), localTime: localText(timeZone, dueAt.getTime()), timeZone }
}

/** The input of an execution: of the mapping, else what caused it, or for a due time or a person the input of the trigger. */
async function inputOf(deps: FireDeps, trigger: Trigger, { data, events, signal }: Firing): Promise<Json> {
  const { kind, mapping, input, on } = trigger
  if (on !== undefined) return events ?? input ?? []
  if (mapping !== undefined) return applyMapping(deps, trigger, mapping, { data, signal })
  if (kind === 'webhook' || kind === 'event' || kind === 'watch') return data
  return input ?? (trigger.origin === 'definition' ? {} : data)
}
