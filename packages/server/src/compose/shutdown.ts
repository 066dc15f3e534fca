import type { System } from './system.ts'

/** The deadlines of one shutdown. */
export interface Shutdown {
  /** Aborts when the grace period of requests is over: requests that wait for an execution get its present state. */
  readonly closing: AbortSignal
  /** Milliseconds since the epoch; before `begin`, the deadline of a shutdown that would begin now. */
  deadlineMs(): number
  /** Time until the connections of unfinished requests are closed, which leaves the rest to the engine and the database. */
  cutOffMs(): number
  begin(): void
  /** Waits for the given promise; rejects well after the deadline, so that the process can be ended. */
  bound(closed: PromiseLike<void>): Promise<void>
}

/** Requests in progress get this share of the time to end, and then this share to send their responses. */
const graceShare = 0.3
const responseShare = 0.3
/** Closing may take so much longer than the deadline: the built-in PostgreSQL writes everything to the disk. */
const overtimeMs = 5_000

export function createShutdown(totalMs: number, { now }: Pick<System, 'now'>): Shutdown {
  const controller = new AbortController()
  let deadlineMs: number | undefined
  const deadline = () => deadlineMs ?? now() + totalMs
  return {
    closing: controller.signal,
    deadlineMs: deadline,
    cutOffMs: () => Math.max(0, deadline() - (1 - graceShare - responseShare) * totalMs - now()),
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
