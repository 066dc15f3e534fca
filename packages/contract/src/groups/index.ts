import { apiKeys } from './api-keys.ts'
import { auth } from './auth.ts'
import { execute } from './execute.ts'
import { executions } from './executions.ts'
import { health } from './health.ts'
import { workflows } from './workflows.ts'

/** Every operation that is served. One that is not built is not here. */
export const groups = { health, auth, apiKeys, workflows, execute, executions } as const

export { apiKeys, auth, execute, executions, health, workflows }
