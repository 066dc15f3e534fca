import { Fault } from '@millrace/contract'
import type { WebFetch } from '#platform/net/web-fetch.ts'
import * as z from 'zod'

export interface LocalRuntimeDeps {
  /** Root of the runtime's API; undefined if none is configured. */
  readonly url: string | undefined
  readonly web: WebFetch
  /** Milliseconds of a monotonic clock. */
  readonly clock: () => number
}

const Version = z.object({ version: z.string().max(100) })
const ModelList = z.object({
  models: z.array(
    z.object({
      name: z.string(),
      size: z.number().optional(),
      details: z.object({ parameter_size: z.string().optional(), quantization_level: z.string().optional() }).partial().optional(),
    }),
  ),
})
const LoadedList = z.object({ models: z.array(z.object({ name: z.string() })) })

const timeoutMs = 5_000
const modelsMax = 200

export type LocalRuntime = ReturnType<typeof createLocalRuntime>

/**
 * Reads the state of a local model runtime by the API of Ollama. Fault `model_not_configured` without one.
 *
 * Source: https://github.com/ollama/ollama/blob/main/docs/api.md
 */
export function createLocalRuntime({ url, web, clock }: LocalRuntimeDeps) {
  async function read<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    if (url === undefined) {
      const detail =
        'The installation has no local model runtime. Its operator sets MILLRACE_LOCALMODEL_URL to its address, such as http://127.0.0.1:11434.'
      throw new Fault('model_not_configured', { detail })
    }
    try {
      const response = await web.fetch(`${url}${path}`, { signal: AbortSignal.timeout(timeoutMs) })
      if (!response.ok) throw new Error(`it responded with ${response.status}`)
      return schema.parse(await response.json())
    } catch (error) {
      const detail = 'The local model runtime does not respond as one. Check MILLRACE_LOCALMODEL_URL and that the runtime runs.'
      throw new Fault('model_unavailable', { detail, cause: error, retryAfterSeconds: 10 })
    }
  }

  async function ping() {
    const startedAt = clock()
    const { version } = await read('/api/version', Version)
    return { reachable: true as const, version, latencyMs: Math.round((clock() - startedAt) * 100) / 100 }
  }

  return {
    ping,

    async status() {
      const [base, { models }, { models: loaded }] = await Promise.all([ping(), read('/api/tags', ModelList), read('/api/ps', LoadedList)])
      const inMemory = new Set(loaded.map(({ name }) => name))
      return {
        ...base,
        models: models.slice(0, modelsMax).map(({ name, size, details }) => ({
          name,
          sizeBytes: size ?? null,
          parameters: details?.parameter_size ?? null,
          quantization: details?.quantization_level ?? null,
          loaded: inMemory.has(name),
        })),
      }
    },
  }
}
