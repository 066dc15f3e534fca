import { ClientError } from '@millrace/client'

/** Calls that are under way at the same time. */
const lanesMax = 4
const pauseMsMax = 60_000

export interface BulkProgress {
  readonly done: number
  /** Reasons of the refused calls, with how often each was given. */
  readonly refused: ReadonlyMap<string, number>
}

interface BulkPorts {
  readonly signal: AbortSignal
  readonly onProgress: (progress: BulkProgress) => void
  readonly reasonOf: (error: unknown) => string
  readonly sleep: (ms: number) => Promise<unknown>
}

/** Resolves after some milliseconds. */
export const later = (ms: number): Promise<unknown> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/** Acts on each of many things, a few at a time; where the server asks to wait, all of them wait. Ends early when it is stopped. */
export async function actOnEach<T>(items: readonly T[], act: (item: T) => Promise<unknown>, ports: BulkPorts): Promise<void> {
  const { signal, onProgress, reasonOf, sleep } = ports
  const queue = [...items]
  const refused = new Map<string, number>()
  let done = 0
  let pause: Promise<unknown> | undefined
  async function one(item: T): Promise<void> {
    try {
      await act(item)
    } catch (error) {
      const waitMs = waitOf(error)
      if (waitMs !== undefined && !signal.aborted) {
        pause ??= sleep(waitMs).finally(() => void (pause = undefined))
        queue.unshift(item)
        return
      }
      const reason = reasonOf(error)
      refused.set(reason, (refused.get(reason) ?? 0) + 1)
    }
    done += 1
    onProgress({ done, refused: new Map(refused) })
  }
  async function lane(): Promise<void> {
    while (!signal.aborted) {
      await pause
      const item = queue.shift()
      if (item === undefined) return
      await one(item)
    }
  }
  await Promise.all(Array.from({ length: lanesMax }, lane))
}

function waitOf(error: unknown): number | undefined {
  if (!(error instanceof ClientError) || error.code !== 'rate_limited') return undefined
  const ms = (error.retryAfterSeconds ?? 1) * 1000
  return ms > pauseMsMax ? undefined : ms
}
