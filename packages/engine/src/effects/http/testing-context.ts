import type { Json } from '#core/json.ts'
import { createCredentialCache } from '#effects/http/authentication/credential-cache.ts'
import type { HttpCallContext } from './context.ts'
import { fetchPort } from './testing-port.ts'

export interface TestContextOptions extends Partial<Omit<HttpCallContext, 'authentication' | 'secret'>> {
  readonly authentications?: Readonly<Record<string, Json>>
  readonly secrets?: Readonly<Record<string, Json>>
}

/** A context over real HTTP with a clock that stands still and ids that count. */
export function testContext(options: TestContextOptions = {}): HttpCallContext {
  const { authentications = {}, secrets = {}, ...rest } = options
  const clock = rest.clock ?? (() => Date.parse('2026-01-01T00:00:00Z'))
  let ids = 0
  return {
    http: fetchPort,
    signal: new AbortController().signal,
    idempotencyKey: 'key-1',
    uriVariables: {},
    authentication: (name) => authentications[name],
    secret: async (name) => secrets[name],
    credentials: createCredentialCache(clock),
    clock,
    randomId: () => `random-id-${String(++ids).padStart(8, '0')}`,
    limits: { timeoutMs: 5_000, maxResponseBytes: 1_000_000 },
    ...rest,
  }
}
