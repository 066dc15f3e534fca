import { isDeepStrictEqual } from 'node:util'
import { Fault } from '@millrace/contract'
import { type Definition, type ScheduleTrigger, scheduleOf } from '@millrace/dsl'
import type { Tx } from '#platform/http/index.ts'
import { eventTypesOf } from './collecting/event-schedule.ts'
import { eventTriggersMax, type Trigger, type TriggerContent, type TriggerSettings } from './model.ts'
import type { ScheduleSpec } from './schedule/schedule-spec.ts'
import { nextOf } from './trigger-service.ts'
import { countOfKind, countTriggers, deleteTriggers, findDefinitionTriggers, findTriggerIds, insertTrigger } from './trigger-store.ts'

export interface DefinitionSchedulesDeps {
  readonly now: () => number
  readonly newId: () => string
}

/** A workflow whose published definition may have a schedule. */
export interface ScheduledWorkflow {
  readonly workflowId: string
  readonly name: string
  /** Undefined while it cannot start: it is disabled or was never published. */
  readonly definition: Pick<Definition, 'document' | 'schedule'> | undefined
}

const intervalMsMin = 1_000

/** Keeps the triggers that `schedule` in a definition makes. */
export function createDefinitionSchedules({ now, newId }: DefinitionSchedulesDeps) {
  return {
    /** Replaces the triggers of a definition. One whose times are the same stays, and with it whether it is enabled. */
    async replace(tx: Tx, accountId: string, { workflowId, name, definition }: ScheduledWorkflow, actor: string): Promise<void> {
      const wanted = definition === undefined ? [] : scheduleOf(definition).map((schedule) => settingsOf(schedule, now()))
      const present = await findDefinitionTriggers(tx, accountId, workflowId)
      const isWanted = (trigger: Trigger) => wanted.some((settings) => isSame(settings, trigger))
      await deleteTriggers(
        tx,
        accountId,
        present.filter((trigger) => !isWanted(trigger)).map(({ id }) => id),
      )
      for (const settings of wanted.filter((one) => !present.some((trigger) => isSame(one, trigger)))) {
        if (settings.on !== undefined) await assertRoom(tx, accountId)
        const nextAt = await nextOf(settings, now())
        const content = { id: newId(), workflowId, origin: 'definition', name, enabled: true, nextAt } as const
        await insertTrigger(tx, accountId, { ...nothing, ...content, ...settings }, { at: new Date(now()), by: actor })
      }
    },

    /** Deletes every trigger of a workflow that was deleted. */
    async remove(tx: Tx, accountId: string, workflowId: string): Promise<void> {
      await deleteTriggers(tx, accountId, await findTriggerIds(tx, accountId, workflowId))
    },
  }
}

const nothing = { input: undefined, mapping: undefined, eventTypes: undefined, tokenHash: undefined, token: undefined, secret: undefined }

type Settings = Pick<TriggerContent, 'kind' | 'schedule' | 'on' | 'eventTypes'>

/** The settings of one part of `schedule`. */
function settingsOf(schedule: ScheduleTrigger, nowMs: number): Settings {
  if (schedule.kind === 'on') {
    const on = { strategy: schedule.strategy, read: schedule.read }
    return { kind: 'event', on, eventTypes: eventTypesOf(on) }
  }
  const policies = { missed: 'once', missedMax: 10, overlap: 'allow' } as const
  return { kind: 'schedule', schedule: { ...policies, spec: specOf(schedule, nowMs) }, eventTypes: undefined }
}

function specOf(schedule: Exclude<ScheduleTrigger, { readonly kind: 'on' }>, nowMs: number): ScheduleSpec {
  if (schedule.kind === 'cron') return { kind: 'cron', expression: schedule.expression, timeZone: schedule.timeZone }
  if (schedule.kind === 'after') return { kind: 'after', afterMs: Math.max(schedule.afterMs, intervalMsMin) }
  const everyMs = Math.max(schedule.everyMs, intervalMsMin)
  return { kind: 'interval', everyMs, fromMs: Math.floor(nowMs / 1_000) * 1_000 + everyMs }
}

function isSame({ schedule, on }: Settings, other: TriggerSettings): boolean {
  if (on !== undefined || other.on !== undefined) return isDeepStrictEqual(on, other.on)
  const [spec, otherSpec] = [schedule?.spec, other.schedule?.spec]
  if (spec?.kind === 'interval' && otherSpec?.kind === 'interval') return spec.everyMs === otherSpec.everyMs
  return isDeepStrictEqual(spec, otherSpec)
}

async function assertRoom(tx: Tx, accountId: string): Promise<void> {
  await countTriggers(tx, accountId)
  if ((await countOfKind(tx, accountId, 'event')) < eventTriggersMax) return
  const detail = `The account has ${eventTriggersMax} triggers of events, which is the limit. Delete one, or remove \`schedule.on\`.`
  throw new Fault('conflict', { detail })
}
