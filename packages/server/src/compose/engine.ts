import manifest from '#manifest' with { type: 'json' }
import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import {
  createHttpFunctions,
  createScriptFunction,
  type Definitions,
  type EffectFunction,
  type Engine,
  type Lifecycle,
  openEngine,
  type Processor,
  type ScriptPool,
  type Secrets,
} from '@millrace/engine'
import { createEmailFunction, type UseMailConnection } from '#catalog/email/email-function.ts'
import type { EngineSettings } from '#config/read-config.ts'
import { type LifecycleInterest, watchLifecycleInterest } from '#modules/events/index.ts'
import { createVariablesFunction, environmentOf } from '#modules/variables/index.ts'
import type { Database } from '#platform/db/database.ts'
import { toTypeId } from '#platform/ids.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import type { SecretStore } from '#platform/secrets/secret-store.ts'
import type { PolicyGuard } from '#modules/privacy/index.ts'
import type { departingFetch } from './departures.ts'
import type { AttemptLogs } from './attempt-logs.ts'
import { createReception } from './reception.ts'
import { governFunctions } from './governed-functions.ts'
import type { Logger } from './logger.ts'
import type { System } from './system.ts'

export interface EngineParts {
  readonly pool: pg.Pool
  /** Sees the rows of every account. */
  readonly db: Database['system']
  readonly boss: PgBoss
  readonly definitions: Definitions & Pick<Lifecycle, 'documentOf'>
  readonly processor: Processor
  readonly http: GuardedFetch
  /** The requests of one execution. */
  readonly httpOf: ReturnType<typeof departingFetch>
  readonly scripts: ScriptPool
  readonly secrets: Pick<SecretStore, 'read'>
  /** Functions of the product's modules, by name. */
  readonly functions: ReadonlyMap<string, EffectFunction>
  /** Functions of connectors, by their full names. */
  readonly connectors: { get(name: string): EffectFunction | undefined }
  readonly useMailConnection: UseMailConnection
  readonly policies: PolicyGuard
  readonly attemptLogs: Pick<AttemptLogs, 'logged'>
  /** Undefined if the installation sends no mail. */
  readonly mailer: Mailer | undefined
  readonly lifecycle: Pick<LifecycleInterest, 'wanted'>
  readonly logger: Logger
  readonly system: System
}

/** Concurrent statements of the group commit: the fastest number of one to eight in the prototype. */
const lanes = 3
const callLimits = { timeoutMs: 60_000, timeoutMsMax: 15 * 60_000, maxResponseBytes: 8 * 1024 * 1024 }

/** The id of an execution as users see it: in the API, in `$workflow.id`, in idempotency keys and in events. */
export const publicId = (executionId: string): string => toTypeId('exec', executionId)

/** The secrets as executions read them, and whatever walks an execution again: a test and what it starts have those of drafts. */
export function secretsOfExecutions({ read }: Pick<SecretStore, 'read'>): Secrets {
  return {
    read: (accountId, names, reader) => read(accountId, names, { workflowId: reader.workflowId, environment: environmentOf(reader) }),
  }
}

/** @param roles of this process; without `worker` it only accepts executions. */
export function startEngine(parts: EngineParts, settings: EngineSettings, roles: ReadonlySet<string>): Promise<Engine> {
  const { pool, boss, definitions, processor, secrets, scripts, mailer, logger, system } = parts
  const functions: ReadonlyMap<string, EffectFunction> = new Map([
    ...createHttpFunctions({ http: parts.http, httpOf: parts.httpOf, processor, ...httpEnvironment(system), version: manifest.version }),
    ['email', createEmailFunction(mailer, parts.useMailConnection)],
    ['variables', createVariablesFunction(parts.db)],
    ...parts.functions,
    ['script', createScriptFunction({ pool: scripts })],
  ])
  return openEngine(
    {
      pool,
      boss,
      definitions,
      processor,
      secrets: secretsOfExecutions(secrets),
      functions: governFunctions(
        parts.attemptLogs.logged({ get: (name) => functions.get(name) ?? parts.connectors.get(name) }),
        parts.policies,
      ),
      reception: createReception(parts.policies),
      reporter: { warn: (message, details) => logger.warn(withError(details), message) },
      now: system.now,
      newId: system.newId,
      version: manifest.version,
      publicId,
      host: system.host,
      pid: system.pid,
      lives: system.lives,
      roles: [...roles],
      lifecycle: {
        hasSubscribers: parts.lifecycle.wanted,
        publicId,
        documentOf: (accountId, versionId) => definitions.documentOf(accountId, versionId),
      },
    },
    {
      liveMax: roles.has('worker') ? settings.executionsMax : 0,
      lanes,
      perAccountMax: settings.executionsPerAccountMax,
      journalLimits: {
        entries: { max: settings.executionEntriesMax, name: 'MILLRACE_EXECUTION_ENTRIES_MAX' },
        bytes: { max: settings.executionBytesMax, name: 'MILLRACE_EXECUTION_BYTES_MAX' },
      },
    },
  )
}

/** Watches which accounts listen to lifecycle events. */
export function openLifecycleInterest({ system: db }: Pick<Database, 'system'>, logger: Logger): Promise<LifecycleInterest> {
  return watchLifecycleInterest({
    db,
    onError: (error) => logger.warn({ err: error }, 'failed to refresh lifecycle subscribers'),
  })
}

/** The clock, random ids and limits for functions that use HTTP. */
export function httpEnvironment({ now, randomBytes }: Pick<System, 'now' | 'randomBytes'>) {
  return { clock: now, randomId: () => randomBytes(16).toString('hex'), limits: callLimits }
}

/** The logger prints the stack of an error in the field `err`. */
function withError({ error, ...details }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return error === undefined ? details : { ...details, err: error }
}
