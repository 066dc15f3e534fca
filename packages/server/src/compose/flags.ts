import { createLoop } from '@millrace/engine'
import { flagsOf } from '#config/default-flags.ts'
import { flagNames } from '#config/flags.ts'
import type { Config } from '#config/read-config.ts'
import { toTypeId } from '#platform/ids.ts'
import { createWebFetch } from '#platform/net/web-fetch.ts'
import type { Logger } from './logger.ts'
import type { System } from './system.ts'

/** The flags of the API, by the configuration or by a provider. */
export interface Flags {
  /** Whether a flag is on for callers without an account. */
  has(flag: string): boolean
  /** Whether it is on for an account; `undefined` where all accounts have the flags of the installation. */
  readonly hasFor?: ((flag: string, accountId: string) => Promise<boolean>) | undefined
}

export interface FlagsDeps {
  readonly logger: Logger
  readonly system: Pick<System, 'clock' | 'newId'>
}

const timeoutMs = 10_000

/** Reads the flags, before anything is served. @param running collects what has to be stopped. */
export async function openFlags(config: Config, { logger, system }: FlagsDeps, running: AsyncDisposableStack): Promise<Flags> {
  const configured = flagsOf(config)
  const settings = config.flagProvider
  if (settings === undefined) return configured
  const [{ createOfrepProvider }, { createRemoteFlags }] = await Promise.all([
    import('#platform/flags/ofrep-provider.ts'),
    import('#platform/flags/remote-flags.ts'),
  ])
  const web = createWebFetch()
  running.defer(() => web.close())
  const { url, refreshMs } = settings
  const provider = await createOfrepProvider({ url, token: settings.token?.reveal(), timeoutMs }, web.fetch)
  running.defer(() => provider.onClose?.())
  const flags = await createRemoteFlags({
    provider,
    domain: system.newId(),
    flags: flagNames,
    configured,
    cachedMs: refreshMs,
    clock: system.clock,
    onChange: (change, reason) =>
      change === 'failed'
        ? logger.warn({ url, reason }, 'flag provider failed: using the last known or configured values')
        : logger.info({ url }, 'flags are evaluated by the provider again'),
  })
  const read = Promise.withResolvers<void>()
  const loop = createLoop(refreshMs, async () => {
    await flags.refresh()
    read.resolve()
    return false
  })
  loop.start()
  running.defer(() => loop.stop())
  await read.promise
  return { has: flags.has, hasFor: (flag, accountId) => flags.hasFor(flag, toTypeId('acct', accountId)) }
}
