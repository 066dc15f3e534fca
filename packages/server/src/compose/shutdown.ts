import type { System } from './system.ts'

/** The course of one shutdown: when it has to be over, and when waiting is over. */
export interface Shutdown {
  /** Aborts once requests have had their time: whoever waits for an execution is answered as it stands. */
  readonly closing: AbortSignal
  /** Milliseconds since the epoch; before `begin` that of a shutdown that would begin now. */
  deadlineMs(): number
  /** Time that is left. */
  leftMs(): number
  begin(): void
}

/** Requests under way get this share of the time to end by themselves. */
const graceShare = 0.3

export function createShutdown(totalMs: number, { now }: Pick<System, 'now'>): Shutdown {
  const controller = new AbortController()
  let deadlineMs: number | undefined
  const deadline = () => deadlineMs ?? now() + totalMs
  return {
    closing: controller.signal,
    deadlineMs: deadline,
    leftMs: () => Math.max(0, deadline() - now()),
    begin() {
      deadlineMs = now() + totalMs
      setTimeout(() => controller.abort(), totalMs * graceShare).unref()
    },
  }
}
