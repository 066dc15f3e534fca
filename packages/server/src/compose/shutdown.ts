import type { System } from './system.ts'

/** The course of one shutdown: when it has to be over, and when waiting is over. */
export interface Shutdown {
  /** Aborts once requests have had their time: whoever waits for an execution is answered as it stands. */
  readonly closing: AbortSignal
  /** Milliseconds since the epoch; before `begin` that of a shutdown that would begin now. */
  deadlineMs(): number
  /** Time until requests that are still under way are cut off, so that the engine and the database have theirs. */
  cutOffMs(): number
  begin(): void
  /** What is closed, or a rejection where that takes much longer than it may: whoever ends the process does not wait for it any more. */
  bound(closed: PromiseLike<void>): Promise<void>
}

/** Requests under way get this share of the time to end by themselves, and then this much more to be answered. */
const graceShare = 0.3
const answerShare = 0.3
/** What is closed last may take so much longer: the built-in PostgreSQL writes everything to the disk. */
const overtimeMs = 5_000

export function createShutdown(totalMs: number, { now }: Pick<System, 'now'>): Shutdown {
  const controller = new AbortController()
  let deadlineMs: number | undefined
  const deadline = () => deadlineMs ?? now() + totalMs
  return {
    closing: controller.signal,
    deadlineMs: deadline,
    cutOffMs: () => Math.max(0, deadline() - (1 - graceShare - answerShare) * totalMs - now()),
    begin() {
      deadlineMs = now() + totalMs
      setTimeout(() => controller.abort(), totalMs * graceShare).unref()
    },
    async bound(closed) {
      const late = Promise.withResolvers<never>()
      const ms = Math.max(0, deadline() + overtimeMs - now())
      const timer = setTimeout(
        () => late.reject(new Error(`the server has not stopped after ${Math.round((totalMs + overtimeMs) / 1_000)} s`)),
        ms,
      )
      try {
        await Promise.race([closed, late.promise])
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
