import type { WebFetch } from '#platform/net/web-fetch.ts'
import { EndpointError, failureOf } from './failure.ts'
import type { ModelEndpoint } from './model.ts'

interface ModelPart {
  readonly name: string
  readonly configured: true
  readonly probe: (signal: AbortSignal) => Promise<void>
}

/** Models as parts whose health can be read. */
export function modelParts(endpoints: readonly ModelEndpoint[], web: WebFetch): readonly ModelPart[] {
  return endpoints.map((endpoint) => ({
    name: endpoint.name,
    configured: true,
    async probe(signal) {
      try {
        await probeEndpoint(endpoint, web, signal)
      } catch (error) {
        throw new Error(`${sentence(failureOf(error).message)}.`, { cause: error })
      }
    },
  }))
}

/** Lists the models of an endpoint, which costs no tokens. Throws EndpointError, or what prevented the request. */
export async function probeEndpoint(endpoint: ModelEndpoint, web: WebFetch, signal: AbortSignal): Promise<void> {
  const response = await web.fetch(`${endpoint.url}/models`, { headers: headersOf(endpoint), signal })
  await response.body?.cancel()
  // Not every runtime lists its models; one that says so is there.
  if (!response.ok && response.status !== 404 && response.status !== 405) throw new EndpointError(response)
}

/** The credential of an endpoint. */
export function headersOf({ kind, key }: ModelEndpoint): Record<string, string> {
  if (key === undefined) return {}
  return kind === 'anthropic'
    ? { 'x-api-key': key.reveal(), 'anthropic-version': '2023-06-01' }
    : { authorization: `Bearer ${key.reveal()}` }
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
