import type { Kysely } from 'kysely'
import type { Config, Role } from '#config/read-config.ts'
import type { AuditLog } from '#modules/audit/index.ts'
import type { Health } from '#modules/health/index.ts'
import type { Printer } from '#modules/printing/index.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { EventStreams, ServedGroup } from '#platform/http/index.ts'
import type { HandledJob } from '#platform/jobs/job.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import type { Mail } from '#platform/mail/mail-job.ts'
import type { DevOutbox } from '#platform/mail/outbox/outbox-store.ts'
import type { Authentication } from './authentication.ts'
import type { Flags } from './flags.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { Logger } from './logger.ts'
import type { MaintenanceTask } from './maintenance.ts'
import type { System } from './system.ts'

/** One area of the product, connected: what it serves, and what it does without requests. */
export interface Feature {
  /** Groups of operations with their handlers; served by processes with the role `api`. */
  readonly groups?: Readonly<Record<string, ServedGroup>>
  /** Handlers of the background jobs of this area; they run in processes with the role `worker` or `scheduler`. */
  readonly jobs?: readonly HandledJob[]
  /** Chores that run once a minute in one of the processes. */
  readonly maintenance?: readonly MaintenanceTask[]
  readonly loops?: readonly Loop[]
  /** Deletes the rows of a deleted account, in the transaction in which the account is forgotten. */
  readonly purge?: (executor: Kysely<Rows>, accountId: string) => Promise<void>
}

/** Work that runs from the start of a process with the role to its end. */
export interface Loop {
  readonly role: Role
  start(): void
  stop(): Promise<unknown>
}

/** The parts that every area may use. */
export interface FeatureParts extends Infrastructure {
  readonly config: Config
  readonly flags: Flags
  readonly jobs: Jobs
  /** Sends the mails of the product itself. */
  readonly mail: Mail
  /** Keeps text messages in place of sending them, in development only. */
  readonly outbox: DevOutbox | undefined
  readonly printer: Printer
  readonly audit: AuditLog
  readonly authentication: Authentication
  readonly health: Health
  readonly logger: Logger
  readonly system: System
  /** Opens every stream of server-sent events of this process. */
  readonly eventStreams: EventStreams
  /** Aborts when the server closes. */
  readonly closing: AbortSignal
  /** Milliseconds left of the time in which the server stops. */
  readonly cutOffMs: () => number
}
