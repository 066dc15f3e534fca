import type { Client, StandardSchemaV1, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { isObject, type JsonObject } from '#core/json.ts'
import type { TextMask } from '#core/secret-mask.ts'
import type { PreparedMcpCall } from './arguments.ts'
import type { McpCallContext } from './context.ts'
import { explain, timeoutFailure } from './failures.ts'
import { type HttpTransport, openHttpTransport } from './http-transport.ts'
import { acceptableVersions } from './protocol-version.ts'

/**
 * Performs one request in a session of its own, and returns the result as the server sent it.
 *
 * Throws HttpCallError or WorkflowError for what a workflow can catch, and the signal's reason when it is aborted.
 * Source: MCP 2025-06-18, Lifecycle.
 */
export async function requestInSession(call: PreparedMcpCall, ctx: McpCallContext & { readonly mask: TextMask }): Promise<JsonObject> {
  // Loaded on demand: it takes 0.1 s and 30 MB.
  const sdk = await import('@modelcontextprotocol/client')
  const timeout = new AbortController()
  const leaving = new AbortController()
  const calling = AbortSignal.any([ctx.signal, timeout.signal])
  const limits = { ...ctx.limits, timeoutMs: call.timeoutMs }
  const line = openHttpTransport(call.endpoint, { ...ctx, limits, calling, leaving: leaving.signal })
  const transport = new sdk.StreamableHTTPClientTransport(call.endpoint.url, { fetch: line.fetch })
  const supportedProtocolVersions = acceptableVersions(call.protocolVersion)
  const client = new sdk.Client(call.client, { supportedProtocolVersions, jsonSchemaValidator: noValidator })
  const timer = setTimeout(() => timeout.abort(), call.timeoutMs)
  try {
    return await sendRequest(client, transport, call, calling, ctx.idempotencyKey)
  } catch (error) {
    ctx.signal.throwIfAborted()
    throw timeout.signal.aborted ? timeoutFailure(call) : explain(error, call, line, ctx.clock(), sdk)
  } finally {
    clearTimeout(timer)
    await endSession(client, transport, line, leaving)
  }
}

async function sendRequest(
  client: Client,
  transport: StreamableHTTPClientTransport,
  call: PreparedMcpCall,
  signal: AbortSignal,
  idempotencyKey: string,
): Promise<JsonObject> {
  const { method, parameters: params, endpoint } = call
  // The client has its own timeout, one minute by default; the call's timeout must end first.
  const options = { signal, timeout: call.timeoutMs + 1_000 }
  await client.connect(transport, options)
  const headers = 'idempotency-key' in endpoint.headers ? {} : { 'idempotency-key': idempotencyKey }
  return client.request({ method, ...(params === undefined ? {} : { params }) }, anyObject, { ...options, headers })
}

/** Accepts every object: the client's own schemas would refuse results of newer servers. */
const anyObject: StandardSchemaV1<unknown, JsonObject> = {
  '~standard': {
    version: 1,
    vendor: 'millrace',
    validate: (value) => (isResult(value) ? { value } : { issues: [{ message: 'the result is not an object' }] }),
  },
}

function isResult(value: unknown): value is JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The client parsed it from JSON, and types it as unknown.
  return isObject(value as JsonObject)
}

/** The client's default validator compiles a server's schemas to JavaScript. Results are not validated by schemas of servers. */
const noValidator = {
  getValidator: (): never => {
    throw new Error('Schemas of servers are not compiled.')
  },
}

/** Ends the session at the server. The call's outcome is known by then; it waits at most `leaveMs` and does not change. */
async function endSession(
  client: Client,
  transport: StreamableHTTPClientTransport,
  line: HttpTransport,
  leaving: AbortController,
): Promise<void> {
  const timer = setTimeout(() => leaving.abort(), leaveMs)
  await Promise.allSettled([transport.terminateSession(), line.idle()])
  clearTimeout(timer)
  leaving.abort()
  await client.close()
}

/** A cancelled call must end within a second. */
const leaveMs = 700
