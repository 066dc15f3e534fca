import manifest from '#manifest' with { type: 'json' }
import type { Config } from '#config/read-config.ts'
import { createHealth, type Health, watchEventLoop } from '#modules/health/index.ts'
import { modelParts } from '#modules/models/index.ts'
import type { Infrastructure } from './infrastructure.ts'
import { readMigrations } from './migrations.ts'
import type { Host } from './host.ts'
import { mailTest } from './mail-test.ts'
import { originOf } from './origin.ts'
import { providerParts } from './provider-parts.ts'

/** Makes the health service and starts its measurements. */
export async function watchHealth(
  config: Config,
  host: Host,
  { database, enginePool, web, accountWeb, models, mailTrouble, isOut }: Infrastructure & { readonly isOut: () => boolean },
  running: AsyncDisposableStack,
): Promise<Health> {
  const eventLoop = watchEventLoop()
  running.defer(() => eventLoop.stop())
  const migrations = (await readMigrations()).map(({ number }) => number)
  const { clock, memory, now } = host.system
  return createHealth({
    db: database.system,
    isOut,
    pool() {
      const { system, account } = database.stats()
      return {
        total: system.open + account.open + enginePool.totalCount,
        idle: system.idle + account.idle + enginePool.idleCount,
        waiting: system.waiting + account.waiting + enginePool.waitingCount,
      }
    },
    eventLoop,
    memory,
    clock,
    mailTrouble: mailTrouble.read,
    testMail: mailTest(config.mail, { ...host, database }, mailTrouble.sent),
    modelsOf: async (accountId) => modelParts(await models.ownOf(accountId), accountWeb),
    installation: {
      version: manifest.version,
      startedAt: new Date(now()),
      address: originOf(config.http),
      roles: [...config.roles],
      home: config.home,
      migrations,
      models: modelParts(config.models.models, web),
      providers: providerParts(config, web),
    },
  })
}
