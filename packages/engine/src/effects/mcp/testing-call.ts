import type { Json } from '#core/json.ts'
import { WorkflowError } from '#core/error.ts'
import type { EffectCall, EffectFunction } from '#durable/ports/effects.ts'
import { fetchPort } from '#effects/http/testing-port.ts'
import { createMcpFunction, type McpFunctionDeps } from './mcp-function.ts'

export interface TestCallOptions {
  readonly deps?: Partial<McpFunctionDeps>
  readonly call?: Partial<EffectCall>
}

/** `call: mcp` over real HTTP, with a clock that stands still. */
export function mcpFunction(deps: Partial<McpFunctionDeps> = {}): EffectFunction {
  return createMcpFunction({
    http: fetchPort,
    clock: () => Date.parse('2026-01-01T00:00:00Z'),
    randomId: () => 'a-fixed-id-for-this-test',
    limits: { timeoutMs: 10_000, timeoutMsMax: 20_000, maxResponseBytes: 1_000_000 },
    version: '1.2.3',
    ...deps,
  })
}

/** Performs `call: mcp` over real HTTP; the arguments get a transport to the endpoint unless they have one. */
export function callingMcp(endpoint: Json, args: Readonly<Record<string, Json>>, options: TestCallOptions = {}): Promise<Json> {
  return mcpFunction(options.deps)({
    accountId: 'account',
    executionId: 'execution',
    arguments: { transport: { http: { endpoint } }, ...args },
    input: {},
    secrets: {},
    idempotencyKey: 'key-1',
    signal: new AbortController().signal,
    ...options.call,
  })
}

/** The error that a call failed with; throws when it did not fail as a workflow can catch it. */
export async function failureOf(calling: Promise<unknown>): Promise<WorkflowError> {
  const [outcome] = await Promise.allSettled([calling])
  if (outcome.status === 'rejected' && outcome.reason instanceof WorkflowError) return outcome.reason
  throw new Error('the call did not fail as a workflow can catch it', {
    cause: outcome.status === 'rejected' ? outcome.reason : outcome.value,
  })
}
