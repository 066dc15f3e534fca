import type { OFREPApi } from '@openfeature/ofrep-core'
import type { EvaluationContext, Provider, ResolutionDetails } from '@openfeature/server-sdk'

export interface OfrepSettings {
  /** Without the path of the protocol, such as `http://localhost:8016`. */
  readonly url: string
  readonly token: string | undefined
  readonly timeoutMs: number
}

/** Makes a provider of OpenFeature that evaluates each flag at a server of OFREP, the OpenFeature Remote Evaluation Protocol. */
export async function createOfrepProvider({ url, token, timeoutMs }: OfrepSettings, fetch: typeof globalThis.fetch): Promise<Provider> {
  const { OFREPApi: Api, handleEvaluationError, toResolutionDetails } = await import('@openfeature/ofrep-core')
  const headers: [string, string][] = token === undefined ? [] : [['authorization', `Bearer ${token}`]]
  const api: OFREPApi = new Api({ baseUrl: url, timeoutMs, headers }, spread(fetch))

  async function resolve<T extends boolean | string | number>(flag: string, fallback: T, context: EvaluationContext) {
    const result = await api.postEvaluateFlag(flag, { context })
    const details: ResolutionDetails<T> =
      result.httpStatus === 200 ? toResolutionDetails(result.value, fallback) : handleEvaluationError(result.value, fallback)
    return details
  }

  return {
    metadata: { name: 'OFREP' },
    runsOn: 'server',
    resolveBooleanEvaluation: resolve,
    resolveStringEvaluation: resolve,
    resolveNumberEvaluation: resolve,
    resolveObjectEvaluation: async (_flag, value) => ({ value, reason: 'DEFAULT' }),
    onClose: async () => api.close(),
  }
}

/** The library passes a Request, and `fetch` of operators' addresses takes its parts. */
function spread(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    if (!(input instanceof Request)) return await fetch(input, init)
    const { url, method, headers } = input
    return await fetch(url, { method, headers, body: await input.text(), ...init })
  }
}
