import { Fault } from '@millrace/contract'
import { EndpointError, failureOf } from '#modules/models/failure.ts'
import type { ModelEndpoint } from '#modules/models/model.ts'
import { probeEndpoint } from '#modules/models/model-parts.ts'
import type { WebFetch } from '#platform/net/web-fetch.ts'
import type { AccountModelTest } from './account-model.ts'

const timeoutMs = 15_000

/** Lists the models of an endpoint with its key. The problem that it reports has neither the key nor anything that the endpoint sent. */
export async function testEndpoint(endpoint: ModelEndpoint, web: WebFetch): Promise<AccountModelTest> {
  try {
    await probeEndpoint(endpoint, web, AbortSignal.timeout(timeoutMs))
    return { state: 'ready', problem: undefined }
  } catch (error) {
    if (error instanceof Fault) return { state: 'failed', problem: error.message }
    const isRefused = error instanceof EndpointError && (error.statusCode === 401 || error.statusCode === 403)
    const { message } = failureOf(error)
    return { state: isRefused ? 'unauthorized' : 'failed', problem: `${message.charAt(0).toUpperCase()}${message.slice(1)}.` }
  }
}
