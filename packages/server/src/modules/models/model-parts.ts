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
        // Not every runtime lists its models; one that says so is there.
        const listed = await requestModels(endpoint, web, signal)
        await listed?.body?.cancel()
      } catch (error) {
        throw new Error(`${sentence(failureOf(error).message)}.`, { cause: error })
      }
    },
  }))
}

/**
 * Requests the list of models of an endpoint, which costs no tokens. Undefined: it does not list them. Throws EndpointError, or what prevented the request.
 * @param query such as `?limit=1000`
 */
export async function requestModels(endpoint: ModelEndpoint, web: Pick<WebFetch, 'fetch'>, signal: AbortSignal, query = '') {
  const response = await web.fetch(`${endpoint.url}/models${query}`, { headers: headersOf(endpoint), signal })
  if (response.ok) return response
  await response.body?.cancel()
  if (response.status === 404 || response.status === 405) return undefined
  throw new EndpointError(response)
}

/** The credential of an endpoint. */
export function headersOf({ kind, key }: ModelEndpoint): Record<string, string> {
  if (key === undefined) return {}
  return kind === 'anthropic'
    ? { 'x-api-key': key.reveal(), 'anthropic-version': '2023-06-01' }
    : { authorization: `Bearer ${key.reveal()}` }
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
