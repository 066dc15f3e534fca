import { apiKeys } from './api-keys.ts'
import { approvals } from './approvals.ts'
import { auth } from './auth.ts'
import { deadLetters } from './dead-letters.ts'
import { eventSubscriptions } from './event-subscriptions.ts'
import { events } from './events.ts'
import { executions } from './executions.ts'
import { health } from './health.ts'
import { workflows } from './workflows.ts'

const { start, run, list, get, ...controls } = executions

/**
 * Every operation that is served, under the two names of its id (see `Operation.id`); an operation that is not built is not here. These are the names of the
 * client. The server serves `executions` and `deadLetters` as one group each, whatever the ids of their operations.
 */
export const groups = {
  health,
  auth,
  apiKeys,
  workflows: { ...workflows, execute: start, executions: list, execution: get },
  execute: { run },
  executions: controls,
  approvals,
  events,
  eventSubscriptions,
  queue: { deadLetters: deadLetters.list, deadLetter: deadLetters.get, replay: deadLetters.replay, replayAll: deadLetters.replayAll },
} as const

export { apiKeys, approvals, auth, deadLetters, events, eventSubscriptions, executions, health, workflows }
