import { type Definition, type ScheduleTrigger, scheduleOf } from '@millrace/dsl'
import type { Tx } from '#platform/http/index.ts'
import type { ScheduleSettings, Trigger } from './model.ts'
import { nextOf } from './trigger-service.ts'
import { deleteTriggers, findDefinitionTriggers, findTriggerIds, insertTrigger } from './trigger-store.ts'

export interface DefinitionSchedulesDeps {
  readonly now: () => number
  readonly newId: () => string
}

/** A workflow whose published definition may have a schedule. */
export interface ScheduledWorkflow {
  readonly workflowId: string
  readonly name: string
  /** Undefined while it cannot start: it is disabled or was never published. */
  readonly definition: Pick<Definition, 'schedule'> | undefined
}

const intervalMsMin = 1_000

/** Keeps the triggers that `schedule` in a definition makes. */
export function createDefinitionSchedules({ now, newId }: DefinitionSchedulesDeps) {
  return {
    /** Replaces the triggers of a definition. One whose times are the same stays, and with it whether it is enabled. */
    async replace(tx: Tx, accountId: string, { workflowId, name, definition }: ScheduledWorkflow, actor: string): Promise<void> {
      const wanted = definition === undefined ? [] : scheduleOf(definition).flatMap((schedule) => settingsOf(schedule, now()))
      const present = await findDefinitionTriggers(tx, accountId, workflowId)
      const isWanted = (trigger: Trigger) => wanted.some((settings) => isSame(settings, trigger.schedule))
      await deleteTriggers(
        tx,
        accountId,
        present.filter((trigger) => !isWanted(trigger)).map(({ id }) => id),
      )
      for (const schedule of wanted.filter((settings) => !present.some((trigger) => isSame(settings, trigger.schedule)))) {
        const nextAt = await nextOf({ schedule }, now())
        const content = { id: newId(), workflowId, kind: 'schedule', origin: 'definition', name, enabled: true, schedule, nextAt } as const
        await insertTrigger(tx, accountId, { ...nothing, ...content }, { at: new Date(now()), by: actor })
      }
    },

    /** Deletes every trigger of a workflow that was deleted. */
    async remove(tx: Tx, accountId: string, workflowId: string): Promise<void> {
      await deleteTriggers(tx, accountId, await findTriggerIds(tx, accountId, workflowId))
    },
  }
}

const nothing = { input: undefined, mapping: undefined, eventTypes: undefined, tokenHash: undefined, token: undefined, secret: undefined }

/** The settings of one part of `schedule`; none for the parts that start nothing. */
function settingsOf(schedule: ScheduleTrigger, nowMs: number): readonly ScheduleSettings[] {
  const policies = { missed: 'once', missedMax: 10, overlap: 'allow' } as const
  if (schedule.kind === 'cron') return [{ ...policies, spec: { kind: 'cron', expression: schedule.expression, timeZone: 'UTC' } }]
  if (schedule.kind === 'after') return [{ ...policies, spec: { kind: 'after', afterMs: Math.max(schedule.afterMs, intervalMsMin) } }]
  if (schedule.kind !== 'every') return []
  const everyMs = Math.max(schedule.everyMs, intervalMsMin)
  return [{ ...policies, spec: { kind: 'interval', everyMs, fromMs: Math.floor(nowMs / 1_000) * 1_000 + everyMs } }]
}

function isSame({ spec }: ScheduleSettings, other: ScheduleSettings | undefined): boolean {
  if (spec.kind === 'interval' && other?.spec.kind === 'interval') return spec.everyMs === other.spec.everyMs
  return JSON.stringify(spec) === JSON.stringify(other?.spec)
}
