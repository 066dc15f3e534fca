import { setTimeout as delay } from 'node:timers/promises'
import { WorkflowError } from '@millrace/engine'
import { isOfServer } from '#modules/executions/index.ts'
import { faultOf } from '#platform/http/response/problem.ts'

const firstPauseMs = 250
const longestPauseMs = 5_000

/**
 * Performs an action, again while it fails since the database does not answer or has no free connection. The action is one that may be repeated.
 * What a workflow may catch is its result: a service that reports the trouble of its own database in our words is not asked again.
 * Rejects with the error of the last try once `signal` is aborted.
 */
export async function whenAvailable<T>(signal: AbortSignal, action: () => Promise<T>): Promise<T> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await action()
    } catch (error) {
      if (signal.aborted || error instanceof WorkflowError || !isOfServer(faultOf(error).code)) throw error
      await delay(pauseMs * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => undefined)
      if (signal.aborted) throw error
    }
  }
}
