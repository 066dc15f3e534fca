import manifest from '#manifest' with { type: 'json' }
import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import { createHttpFunction, type Definitions, type Engine, openEngine } from '@millrace/engine'
import { createEmailFunction } from '#catalog/email/email-function.ts'
import type { EngineSettings } from '#config/read-config.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import type { SecretStore } from '#platform/secrets/secret-store.ts'
import type { Logger } from './logger.ts'
import { maskSecrets } from './mask-secrets.ts'
import type { System } from './system.ts'

export interface EngineParts {
  readonly pool: pg.Pool
  readonly boss: PgBoss
  readonly definitions: Definitions
  readonly http: GuardedFetch
  readonly secrets: Pick<SecretStore, 'read'>
  /** Undefined where the installation sends no mail. */
  readonly mailer: Mailer | undefined
  readonly logger: Logger
  readonly system: System
}

/** Statements of the group commit under way at the same time: the best of one to eight in the prototype. */
const lanes = 3
const callLimits = { timeoutMs: 60_000, maxResponseBytes: 8 * 1024 * 1024 }

/** @param works whether this process runs executions, or only accepts them. */
export function startEngine(parts: EngineParts, settings: EngineSettings, works: boolean): Promise<Engine> {
  const { pool, boss, definitions, secrets, mailer, logger, system } = parts
  const http = createHttpFunction({
    http: parts.http,
    clock: system.now,
    randomId: () => system.randomBytes(16).toString('hex'),
    limits: callLimits,
  })
  return openEngine(
    {
      pool,
      boss,
      definitions,
      secrets,
      functions: maskSecrets(
        new Map([
          ['http', http],
          ['email', createEmailFunction(mailer)],
        ]),
      ),
      reporter: { warn: (message, details) => logger.warn(withError(details), message) },
      now: system.now,
      newId: system.newId,
      version: manifest.version,
      host: system.host,
      pid: system.pid,
      lives: system.lives,
    },
    { liveMax: works ? settings.executionsMax : 0, lanes, perAccountMax: settings.executionsPerAccountMax },
  )
}

/** The log shows an error with its stack when it stands under `err`. */
function withError({ error, ...details }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return error === undefined ? details : { ...details, err: error }
}
