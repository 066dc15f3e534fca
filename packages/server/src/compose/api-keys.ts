import { createAccess, createKeyFinder, writeKeyUses } from '#modules/access/index.ts'
import { lockWorkflows } from '#modules/workflows/index.ts'
import { createUsageRecorder } from '#platform/auth/usage-recorder.ts'
import type { Database } from '#platform/db/database.ts'
import type { System } from './system.ts'

export interface ApiKeysDeps {
  readonly database: Pick<Database, 'system' | 'prepared'>
  readonly system: Pick<System, 'now' | 'newId' | 'randomBytes'>
  /** How long uses are collected before they are written. */
  readonly delayMs: number
  /** Called when uses could not be written. */
  readonly onError: (error: unknown) => void
}

/** Connects the API keys, their look-up, and the record of their uses. */
export function openApiKeys({ database, system: { now, newId, randomBytes }, delayMs, onError }: ApiKeysDeps) {
  return {
    access: createAccess({ now: () => new Date(now()), newId, randomBytes, lockWorkflows }),
    find: createKeyFinder(database.prepared),
    uses: createUsageRecorder<Date>({ write: (uses) => writeKeyUses(database.system, uses), delayMs, onError }),
  }
}
