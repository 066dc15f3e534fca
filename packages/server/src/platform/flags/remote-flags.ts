import { ErrorCode, OpenFeature, type Provider } from '@openfeature/server-sdk'
import { LRUCache } from 'lru-cache'

/** Flags that a provider of OpenFeature evaluates, with the configuration as fall-back. */
export interface RemoteFlags {
  /** Evaluates all flags for the installation again. Does not reject. */
  refresh(): Promise<void>
  /** For callers without an account: what the last refresh has found. */
  has(flag: string): boolean
  /** For an account; evaluated at most once in `cachedMs`. Does not reject. */
  hasFor(flag: string, accountId: string): Promise<boolean>
}

export interface RemoteFlagsDeps {
  readonly provider: Provider
  /** Names the client of this server among those of the process. */
  readonly domain: string
  readonly flags: readonly string[]
  /** The flags that are on where the provider has never answered, or does not know them. */
  readonly configured: ReadonlySet<string>
  readonly cachedMs: number
  /** Milliseconds on a monotonic clock. */
  readonly clock: () => number
  /** Called when the provider fails, and for the first refresh without a failure after that. */
  readonly onChange: (change: 'failed' | 'recovered', reason: string | undefined) => void
}

interface Known {
  readonly value: boolean
  readonly until: number
}

/** What one evaluation found. */
interface Evaluation {
  readonly value: boolean
  /** Why the provider did not evaluate the flag; undefined when it did, or was not asked. */
  readonly failure: string | undefined
}

/** Values of flags by account. */
const valuesMax = 20_000
/** While the provider is away it is not asked, so that requests do not wait for its timeout one after the other. */
const pauseMs = 30_000
/** The codes of a provider that is away. Others concern one flag. */
const awayCodes: ReadonlySet<ErrorCode> = new Set([ErrorCode.GENERAL, ErrorCode.PROVIDER_NOT_READY, ErrorCode.PROVIDER_FATAL])

/** Keeps the last value of each flag and account: while the provider is away nothing changes. */
export async function createRemoteFlags(deps: RemoteFlagsDeps): Promise<RemoteFlags> {
  const { provider, domain, flags, configured, cachedMs, clock, onChange } = deps
  await OpenFeature.setProviderAndWait(domain, provider)
  const client = OpenFeature.getClient(domain)
  const installation = new Map<string, boolean>()
  const accounts = new LRUCache<string, Known>({ maxSize: valuesMax, sizeCalculation: () => 1 })
  const running = new Map<string, Promise<boolean>>()
  let pausedAt: number | undefined
  let hasFailed = false

  const isPaused = () => pausedAt !== undefined && clock() - pausedAt < pauseMs

  function report(failure: string | undefined): void {
    const fails = failure !== undefined
    if (fails !== hasFailed) onChange(fails ? 'failed' : 'recovered', failure)
    hasFailed = fails
  }

  async function evaluate(flag: string, accountId: string | undefined, last: boolean | undefined): Promise<Evaluation> {
    const fallback = configured.has(flag)
    if (isPaused()) return { value: last ?? fallback, failure: undefined }
    const context = accountId === undefined ? { targetingKey: 'installation' } : { targetingKey: accountId, account: accountId }
    const { value, errorCode, errorMessage } = await client.getBooleanDetails(flag, fallback, context)
    if (errorCode === undefined || errorCode === ErrorCode.FLAG_NOT_FOUND) return { value, failure: undefined }
    if (awayCodes.has(errorCode)) pausedAt = clock()
    return { value: last ?? fallback, failure: `${flag}: ${errorCode} ${errorMessage ?? ''}`.trimEnd() }
  }

  async function evaluateFor(key: string, flag: string, accountId: string): Promise<boolean> {
    const { value, failure } = await evaluate(flag, accountId, accounts.get(key)?.value)
    // A flag that is wrong for one account is not reported, since the next refresh would report a recovery.
    if (failure !== undefined && isPaused()) report(failure)
    accounts.set(key, { value, until: clock() + cachedMs })
    return value
  }

  return {
    async refresh() {
      let first: string | undefined
      for (const flag of flags) {
        const { value, failure } = await evaluate(flag, undefined, installation.get(flag))
        installation.set(flag, value)
        first ??= failure
      }
      if (first !== undefined || !isPaused()) report(first)
    },
    has: (flag) => installation.get(flag) ?? configured.has(flag),
    async hasFor(flag, accountId) {
      const key = `${accountId} ${flag}`
      const known = accounts.get(key)
      if (known !== undefined && clock() < known.until) return known.value
      const started = running.get(key) ?? evaluateFor(key, flag, accountId).finally(() => running.delete(key))
      running.set(key, started)
      return await started
    },
  }
}
