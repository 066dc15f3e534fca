import type { Pool } from 'pg'
import type { JobSender, JobClaimer } from './queue/job-queue.ts'
import type { ProcessIdentity } from './claims/process-identity.ts'

export interface StoreDeps {
  readonly pool: Pool
  readonly jobs: JobSender & JobClaimer
  readonly identity: ProcessIdentity
  readonly newId: () => string
  /** How long events are kept. */
  readonly retentionMs: number
  /** Time without a crash before a suspect is tried (crash-suspects.ts). */
  readonly trialMs: number
  readonly now: () => number
}
