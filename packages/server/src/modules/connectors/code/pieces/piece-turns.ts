import { createFairQueue, type EffectCall, standardError, WorkflowError } from '@millrace/engine'

/** Runs work when it is its turn. Raises a runtime error with status 503 if too much waits. */
export type PieceTurns = <Value>(call: Pick<EffectCall, 'accountId' | 'signal'>, work: () => Promise<Value>) => Promise<Value>

const runningMax = 4
/** Of one account. They wait in its executions, which are limited. */
const queuedMax = 1_000

/** So many processes of pieces at once; accounts take turns. */
export function createPieceTurns(): PieceTurns {
  const queue = createFairQueue<() => void>()
  let running = 0

  async function turn({ accountId, signal }: Parameters<PieceTurns>[0]): Promise<void> {
    if (running < runningMax) {
      running += 1
      return
    }
    if (queue.count(accountId) >= queuedMax) {
      const { data } = standardError('runtime', 'Too many actions of pieces wait: try again.')
      throw new WorkflowError({ ...data, status: 503 })
    }
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        if (queue.remove(accountId, begin)) reject(signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
      queue.add(accountId, begin)
    })
  }

  return async (call, work) => {
    await turn(call)
    try {
      return await work()
    } finally {
      const next = queue.take()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
