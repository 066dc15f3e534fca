import type { EndpointObject } from '@millrace/dsl'
import { immediateTemplate } from '#compile/expression.ts'
import { standardError, WorkflowError } from '#core/error.ts'
import { type Json, type JsonObject, textsIn } from '#core/json.ts'
import { createStrand, type Scope } from '#core/scope.ts'
import { Work } from '#core/work.ts'
import { callHttp, createCredentialCache } from '#effects/http/index.ts'
import { type HttpEffectDeps, toWorkflowError } from '#effects/http/effect-call.ts'

export interface ResourceRequest {
  readonly endpoint: EndpointObject
  /** For the expressions of its authentication, which see nothing else. */
  readonly secrets: JsonObject
  readonly signal: AbortSignal
}

/** Fetches text by GET, with the authentication of the endpoint. Raises WorkflowError on failure. */
export type FetchResource = (request: ResourceRequest) => Promise<string>

/** For what a definition takes from elsewhere when it is published: functions, schemas, scripts. */
export function createResourceFetcher({ http, clock, randomId, limits }: HttpEffectDeps): FetchResource {
  const credentials = createCredentialCache(clock)
  return async ({ endpoint, secrets, signal }) => {
    const evaluated = evaluate(endpoint, secrets, clock())
    const args = {
      method: 'get',
      endpoint: evaluated,
      output: 'raw',
      redirect: false,
      headers: { accept: 'application/yaml, application/json, text/plain, */*' },
    }
    const body = await callHttp(args, {
      http,
      signal,
      idempotencyKey: randomId(),
      uriVariables: {},
      authentication: () => undefined,
      secret: async (name) => (Object.hasOwn(secrets, name) ? secrets[name] : undefined),
      sensitive: textsIn(secrets),
      credentials,
      clock,
      randomId,
      limits,
    }).catch((error: unknown) => {
      throw toWorkflowError(error)
    })
    return textOf(body)
  }
}

function textOf(base64: Json): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(typeof base64 === 'string' ? base64 : '', 'base64'))
  } catch (error) {
    throw new WorkflowError(standardError('validation', 'the document is not text in UTF-8').data, { cause: error })
  }
}

function evaluate(template: Json, secrets: JsonObject, nowMs: number): Json {
  const execution = { id: '', definition: null, input: null, startedAtMs: nowMs, runtime: {}, secrets, nowMs }
  const strand = createStrand(execution, new Work())
  const place = { strand, path: '', locals: undefined, steps: undefined, run: { iteration: [], attempt: 1 }, isForeign: false }
  const scope: Scope = { place, task: undefined, startedAtMs: nowMs, rawInput: null, input: null, rawOutput: undefined, output: undefined }
  return immediateTemplate(template, { locals: [], clock: { nowMs } })(null, scope)
}
