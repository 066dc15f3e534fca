import { create } from 'zustand'

/** A longer wait is shown as an error. */
const waitSecondsMax = 120
const attemptsMax = 3

/** Until when requests of this page wait for a rate limit; 0 while none waits. */
export const useRateWait = create<{ readonly waiting: number; readonly untilMs: number }>(() => ({ waiting: 0, untilMs: 0 }))

/** Sends a request. One that a rate limit refuses had no effect, so it is sent again after the time that the server names. */
export async function fetchWithinRate(url: string, init: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, init)
    const seconds = response.status === 429 && attempt < attemptsMax ? await waitOf(response) : undefined
    if (seconds === undefined) return response
    await waitForRate(seconds * 1000, init.signal ?? undefined)
  }
}

/** The seconds to wait; undefined where waiting does not help, as with a quota. */
async function waitOf(response: Response): Promise<number | undefined> {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  if (!(seconds <= waitSecondsMax)) return undefined
  const problem: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return Object(problem).code === 'rate_limited' ? seconds : undefined
}

async function waitForRate(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const untilMs = Date.now() + ms
  useRateWait.setState((state) => ({ waiting: state.waiting + 1, untilMs: Math.max(state.untilMs, untilMs) }))
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, ms)
      signal?.addEventListener('abort', () => {
        clearTimeout(timer)
        reject(signal.reason instanceof Error ? signal.reason : new DOMException('Aborted', 'AbortError'))
      })
    })
  } finally {
    useRateWait.setState(({ waiting, untilMs: last }) => ({ waiting: waiting - 1, untilMs: waiting === 1 ? 0 : last }))
  }
}
