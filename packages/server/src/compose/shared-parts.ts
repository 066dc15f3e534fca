import type { PgBoss } from 'pg-boss'
import type { Config } from '#config/read-config.ts'
import { createPrinter, type Printer } from '#modules/printing/index.ts'
import { createSecretBox } from '#platform/auth/secret-box.ts'
import type { Database } from '#platform/db/database.ts'
import { createJobs, type Jobs } from '#platform/jobs/jobs.ts'
import { createMail, type Mail, mailJobHandler } from '#platform/mail/mail-job.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import { createDevOutbox, type DevOutbox } from '#platform/mail/outbox/outbox-store.ts'
import { servedOutbox } from '#platform/mail/outbox/serve-outbox.ts'
import type { Sealing } from '#platform/sealing/sealing.ts'
import type { Feature } from './feature.ts'
import { jobLanes } from './job-lanes.ts'
import type { Logger } from './logger.ts'
import type { System } from './system.ts'

export interface SharedPartsDeps {
  readonly config: Pick<Config, 'devOutbox'>
  readonly database: Pick<Database, 'system'>
  readonly boss: PgBoss
  readonly mailer: Mailer | undefined
  readonly secretKey: Uint8Array
  readonly sealing: Pick<Sealing, 'destroyAccountKey'>
  readonly logger: Pick<Logger, 'warn'>
  readonly system: Pick<System, 'now' | 'newId' | 'randomBytes'>
}

/** Parts that have rows of their own and that every area may use. */
export interface SharedParts {
  readonly jobs: Jobs
  readonly mail: Mail
  /** Keeps mails and text messages for development; `undefined` in every other installation. */
  readonly outbox: DevOutbox | undefined
  readonly printer: Printer
  /** What the parts do without requests. */
  readonly feature: Feature
}

/** Background jobs, the mails of the product itself with the outbox of development, the printer, and the keys of accounts. */
export function composeSharedParts(parts: SharedPartsDeps): SharedParts {
  const { config, database, boss, mailer, secretKey, sealing, logger, system } = parts
  const { newId, randomBytes } = system
  const jobs = createJobs({ boss, db: database.system, newId, lanes: jobLanes })
  const outbox = config.devOutbox ? createDevOutbox(database.system, system.now) : undefined
  const deps = { jobs, box: createSecretBox(secretKey, 'mails', randomBytes), mailer, outbox, newId }
  return {
    jobs,
    mail: createMail(deps),
    outbox,
    printer: createPrinter(),
    feature: {
      jobs: [mailJobHandler({ ...deps, warn: (message, details) => logger.warn(details, message) })],
      ...(outbox === undefined
        ? {}
        : { groups: { devOutbox: servedOutbox(outbox) }, maintenance: [{ name: 'dev-outbox', run: () => outbox.deleteExpired() }] }),
      purge: (executor, accountId) => sealing.destroyAccountKey(executor, accountId),
    },
  }
}
