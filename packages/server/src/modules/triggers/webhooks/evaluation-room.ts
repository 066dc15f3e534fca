import { Fault } from '@millrace/contract'

/** So many requests of an account may be evaluated, or wait for it, whatever they take. */
const usualMax = 20
/** More may as long as none of them takes longer than this. */
const slowMs = 3_000
/** No more than this in any case, since each has its content in memory. */
const most = 500
const closingMs = 1_000

/**
 * Bounds the requests whose filters and mappings are evaluated, or wait for a thread: a crowd with quick expressions passes, one with slow expressions is refused
 * in place of waiting for minutes.
 * @param clock milliseconds of a clock that is never set
 * @param closing aborts when the server closes. What then waits longer than a moment is refused while its sender still gets the response.
 */
export function createEvaluationRoom(clock: () => number, closing: AbortSignal) {
  const ending = new AbortController()
  const end = () => ending.abort(new Fault('overloaded', { detail: 'The server stops.', retryAfterSeconds: 5 }))
  closing.addEventListener('abort', () => setTimeout(end, closingMs).unref(), { once: true })
  /** When the evaluations of each account began, the earliest first. */
  const begun = new Map<string, Set<{ readonly at: number }>>()

  /** Fault `overloaded` when too many of the account are under way. */
  return async function within<Result>(accountId: string, evaluate: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const own = begun.get(accountId) ?? new Set()
    const now = clock()
    const [earliest] = own
    if (own.size >= most || (own.size >= usualMax && earliest !== undefined && now - earliest.at > slowMs))
      throw new Fault('overloaded', {
        detail: `${own.size} requests wait for filters and mappings of this account, and one for more than ${slowMs / 1_000} seconds. Make the expressions quicker, or send fewer requests at a time.`,
        retryAfterSeconds: 10,
      })
    const one = { at: now }
    own.add(one)
    begun.set(accountId, own)
    try {
      return await evaluate(ending.signal)
    } finally {
      own.delete(one)
      if (own.size === 0) begun.delete(accountId)
    }
  }
}
