import { apiKeys } from './api-keys.ts'
import { approvals } from './approvals.ts'
import { auth } from './auth.ts'
import { eventSubscriptions } from './event-subscriptions.ts'
import { events } from './events.ts'
import { execute } from './execute.ts'
import { executions } from './executions.ts'
import { health } from './health.ts'
import { queue } from './queue.ts'
import { workflows } from './workflows.ts'

/** Every operation that is served. One that is not built is not here. */
export const groups = { health, auth, apiKeys, workflows, execute, executions, approvals, events, eventSubscriptions, queue } as const

export { apiKeys, approvals, auth, eventSubscriptions, events, execute, executions, health, queue, workflows }
