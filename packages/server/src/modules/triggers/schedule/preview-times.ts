import { setImmediate } from 'node:timers/promises'
import { Fault } from '@millrace/contract'
import { type NextDue, nextDueTimes } from './due-times.ts'

/** A rule may take a tenth of a second for a time that is far away. */
const previewMsMax = 1_000
const waitingMax = 20

let last: Promise<unknown> = Promise.resolve()
let waiting = 0

/**
 * The next due times after an instant, `limit` at most. Schedules are computed one after the other, and requests are served in between.
 * Fault `schedule_invalid` for one that takes too long, `overloaded` if too many wait.
 */
export async function previewTimes(nextDue: NextDue, after: number, limit: number): Promise<readonly number[]> {
  if (waiting >= waitingMax) throw new Fault('overloaded', { detail: `${waitingMax} schedules are being computed.` })
  waiting += 1
  const computed = last.then(() => compute(nextDue, after, limit))
  last = computed.catch(() => undefined)
  try {
    return await computed
  } finally {
    waiting -= 1
  }
}

async function compute(nextDue: NextDue, after: number, limit: number): Promise<readonly number[]> {
  const times: number[] = []
  let spentMs = 0
  while (times.length < limit) {
    const begunAt = performance.now()
    const [time] = nextDueTimes(nextDue, times.at(-1) ?? after, 1)
    spentMs += performance.now() - begunAt
    if (time === undefined) break
    times.push(time)
    if (spentMs > previewMsMax) throw tooSlow(times.length)
    await setImmediate()
  }
  return times
}

function tooSlow(found: number): Fault {
  const detail = `Takes too long to compute: ${found} due times in a second. Use a simpler rule, or a later start.`
  return new Fault('schedule_invalid', { errors: [{ pointer: '/schedule', detail }] })
}
