import type { ServerResponse } from 'node:http'
import type { Json } from '#core/json.ts'
import { WorkflowError } from '#core/error.ts'
import type { HttpRequest } from '#effects/http/index.ts'
import { fetchPort } from '#effects/http/testing-port.ts'
import { type Received, sendJson, startServer } from '#effects/http/testing-server.ts'
import { createOpenApiFunction } from './openapi-function.ts'

export interface ApiOptions {
  readonly handle?: (request: Received, response: ServerResponse) => void
  /** Headers of the document's reply. */
  readonly headers?: Readonly<Record<string, string>>
  readonly clock?: () => number
  readonly maxResponseBytes?: number
}

export interface TestApi {
  /** What was asked for, as the function asked for it, before it was led to the local server. */
  readonly asked: readonly HttpRequest[]
  /** What the local server got but for the document. */
  readonly received: readonly Received[]
  /** Calls an operation; `more` are further arguments, and parts of the effect's call under `$`. */
  call(operationId: string, parameters?: Json, more?: Readonly<Record<string, Json>>, effect?: EffectParts): Promise<Json>
  /** The request that the operation made, the document's not counted. */
  last(): Received
  /** The address that the last request went to. */
  target(): string
  close(): Promise<void>
}

export interface EffectParts {
  readonly accountId?: string
  readonly secrets?: Readonly<Record<string, Json>>
  readonly input?: Json
  readonly signal?: AbortSignal
}

export const documentUrl = 'http://documents.test/v1/openapi.json'

/** Serves a document and an API of any host from a real server; the API answers with an empty object by default. */
export async function startApi(document: Json | string, options: ApiOptions = {}): Promise<TestApi> {
  const received: Received[] = []
  const server = await startServer((request, response) => {
    if (request.headers['x-test-host'] === new URL(documentUrl).host && request.url.startsWith('/v1/openapi.json')) {
      const type = typeof document === 'string' ? 'application/yaml' : 'application/json'
      response.writeHead(200, { 'content-type': type, ...options.headers })
      response.end(typeof document === 'string' ? document : JSON.stringify(document))
      return
    }
    received.push(request)
    if (options.handle === undefined) sendJson(response, 200, {})
    else options.handle(request, response)
  })
  const asked: HttpRequest[] = []
  const openapi = createOpenApiFunction({
    http: {
      request: async (request, signal) => {
        asked.push(request)
        const { host, pathname, search } = new URL(request.url)
        const headers = { ...request.headers, 'x-test-host': host }
        const reply = await fetchPort.request({ ...request, headers, url: `${server.origin}${pathname}${search}` }, signal)
        return { ...reply, url: request.url }
      },
    },
    clock: options.clock ?? (() => 0),
    randomId: () => 'a-fixed-id-for-this-test',
    limits: { timeoutMs: 5_000, maxResponseBytes: options.maxResponseBytes ?? 4_000_000 },
  })
  return {
    asked,
    received,
    call: (operationId, parameters, more = {}, effect = {}) =>
      openapi({
        accountId: 'account',
        executionId: 'execution',
        arguments: { document: { endpoint: documentUrl }, operationId, ...(parameters === undefined ? {} : { parameters }), ...more },
        input: {},
        secrets: {},
        idempotencyKey: 'the-key',
        signal: new AbortController().signal,
        ...effect,
      }),
    last: () => known(received.at(-1)),
    target: () => known(asked.at(-1)).url,
    close: () => server.close(),
  }
}

/** The error that a call ended in, as a workflow sees it. */
export async function failure(calling: Promise<unknown>): Promise<WorkflowError['data']> {
  const [outcome] = await Promise.allSettled([calling])
  if (outcome.status === 'rejected' && outcome.reason instanceof WorkflowError) return outcome.reason.data
  throw new Error('the call did not fail as a workflow can catch it', { cause: outcome })
}

/** The kind of an error: the last segment of its type. */
export function kindOf(error: WorkflowError['data']): string {
  return error.type.split('/').at(-1) ?? ''
}

/** A document with one operation, `op`, and whatever is put beside it. */
export function documentWith(operation: Json, more: Readonly<Record<string, Json>> = {}, path = '/things', method = 'post'): Json {
  const op = typeof operation === 'object' && operation !== null ? operation : {}
  return {
    openapi: '3.0.3',
    info: { title: 'Things', version: '1' },
    servers: [{ url: 'https://api.test' }],
    paths: { [path]: { [method]: { operationId: 'op', responses: {}, ...op } } },
    ...more,
  }
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('nothing was asked for')
  return value
}
