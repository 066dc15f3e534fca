import type { Json } from '#core/json.ts'
import type { EffectFunction } from '#durable/ports/effects.ts'
import { startProvider, type TestProvider } from '#effects/http/authentication/testing-provider.ts'
import { createHttpFunctions } from '#effects/http-functions.ts'
import type { HttpPort } from '#effects/http/index.ts'
import { type EverythingServer, startEverything } from '#effects/mcp/testing-everything.ts'
import { createScriptFunction, createScriptPool } from '#effects/script/index.ts'

/** Servers that all scenarios share because their start is slow. Each is started on first use. */
export interface Stage {
  /** A real OAuth 2.0 and OpenID Connect server. */
  provider(): Promise<TestProvider>
  /** The reference server of MCP. */
  everything(): Promise<EverythingServer>
  /** The functions with outside effects, over the given port. */
  functions(http: HttpPort): Readonly<Record<string, EffectFunction>>
  close(): Promise<void>
}

export function createStage(): Stage {
  let provider: Promise<TestProvider> | undefined
  let everything: Promise<EverythingServer> | undefined
  const scripts = createScriptPool({ workersMax: 1, limits: { timeoutMs: 3_000 } })
  let ids = 0
  return {
    provider: () => (provider ??= startProvider()),
    everything: () => (everything ??= startEverything()),
    functions(http) {
      const limits = { timeoutMs: 10_000, timeoutMsMax: 10_000, maxResponseBytes: 1_000_000 }
      const randomId = () => `an-id-of-this-test-${++ids}`
      const services = createHttpFunctions({ http, clock: () => Date.now(), randomId, limits, version: '1.2.3' })
      return { ...Object.fromEntries(services), script: createScriptFunction({ pool: scripts }) }
    },
    async close() {
      await Promise.all([scripts.close(), provider?.then((one) => one.close()), everything?.then((one) => one.close())])
    },
  }
}

/** A function of the default catalog that returns its arguments. */
export const givesBack: EffectFunction = async (call): Promise<Json> => call.arguments
