import type { Trigger } from '#modules/triggers/model.ts'
import type { NextDue } from '#modules/triggers/schedule/due-times.ts'
import type { DuePlan } from './firing-store.ts'

/** A due time that passed by more than this is a missed one. */
export const graceMs = 60_000
/** Due times that one claim takes of a schedule; the rest is taken by the next claim. */
const duePerClaimMax = 100

/** Which due times of a schedule until a time start something, by its policy for missed ones, and when it is due next. */
export function planDue(
  trigger: Trigger & Required<Pick<Trigger, 'schedule'>>,
  next: NextDue,
  { nowMs, untilMs }: { readonly nowMs: number; readonly untilMs: number },
): DuePlan {
  const { schedule, nextAt } = trigger
  const first = nextAt?.getTime() ?? nowMs
  const punctualFrom = nowMs - graceMs
  const missed = first < punctualFrom ? missedTimes(schedule, next, first, punctualFrom) : []
  const due: number[] = [...missed]
  let cursor: number | undefined = first < punctualFrom ? next(punctualFrom - 1) : first
  while (cursor !== undefined && cursor <= untilMs && due.length < duePerClaimMax + missed.length) {
    due.push(cursor)
    cursor = next(cursor)
  }
  return { trigger, dueAt: due, nextAt: cursor }
}

function missedTimes(
  { missed, missedMax }: NonNullable<Trigger['schedule']>,
  next: NextDue,
  first: number,
  before: number,
): readonly number[] {
  if (missed === 'skip') return []
  if (missed === 'once') return [first]
  const times: number[] = []
  for (let time: number | undefined = first; time !== undefined && time < before && times.length < missedMax; time = next(time))
    times.push(time)
  return times
}
