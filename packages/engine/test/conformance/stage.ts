import type { Json } from '#core/json.ts'
import type { EffectFunction } from '#durable/ports/effects.ts'
import { startProvider, type TestProvider } from '#effects/http/authentication/testing-provider.ts'
import { createHttpFunctions } from '#effects/http-functions.ts'
import type { HttpPort } from '#effects/http/index.ts'
import { type EverythingServer, startEverything } from '#effects/mcp/testing-everything.ts'
import { createScriptFunction, createScriptPool } from '#effects/script/index.ts'

/** What scenarios share because it takes long to start: it is started when a scenario first asks for it. */
export interface Stage {
  /** A real OAuth 2.0 and OpenID Connect server. */
  provider(): Promise<TestProvider>
  /** The reference server of MCP. */
  everything(): Promise<EverythingServer>
  /** All that calls something, over the given port. */
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

/** A function of a default catalog that gives back what it is called with. */
export const givesBack: EffectFunction = async (call): Promise<Json> => call.arguments
