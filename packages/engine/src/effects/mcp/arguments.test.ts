import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { HttpCallError } from '#effects/http/http-call-error.ts'
import { type PreparedMcpCall, prepareMcpCall } from './arguments.ts'
import { acceptableVersions, protocolVersions } from './protocol-version.ts'

const transport = { http: { endpoint: 'https://mcp.example.org/mcp' } }
const limits = { timeoutMs: 30_000, timeoutMsMax: 600_000, maxResponseBytes: 1_000 }

function prepare(args: Json, input: Json = {}): PreparedMcpCall {
  return prepareMcpCall(args, { uriVariables: input, randomId: () => 'a-fixed-id-for-this-test', limits, version: '1.2.3' })
}

function refusal(args: Json): HttpCallError {
  try {
    prepare(args)
  } catch (error) {
    if (error instanceof HttpCallError) return error
    throw error
  }
  throw new Error('the arguments were taken')
}

test('what is not given has defaults', () => {
  expect(prepare({ method: 'tools/list', transport })).toMatchObject({
    method: 'tools/list',
    parameters: undefined,
    protocolVersion: '2025-06-18',
    client: { name: 'millrace', version: '1.2.3' },
    timeoutMs: 30_000,
    endpoint: { url: new URL('https://mcp.example.org/mcp'), authentication: undefined },
  })
})

test('null is not given', () => {
  const empty = { parameters: null, protocolVersion: null, client: null, timeout: null }
  expect(prepare({ method: 'tools/list', transport, ...empty })).toEqual(prepare({ method: 'tools/list', transport }))
})

test('what is given is taken', () => {
  const args = {
    method: 'resources/read',
    parameters: { uri: 'demo://x', _meta: {} },
    protocolVersion: '2025-11-25',
    client: { name: 'me', version: '9' },
  }
  expect(prepare({ ...args, transport })).toMatchObject(args)
})

test.each([
  ['PT1M', 60_000],
  [{ seconds: 2, milliseconds: 500 }, 2_500],
  ['PT0.2S', 200],
  ['P1D', 600_000],
])('the timeout %j is %i ms', (timeout: Json, timeoutMs) => {
  expect(prepare({ method: 'tools/list', transport, timeout }).timeoutMs).toBe(timeoutMs)
})

test('the endpoint is a template of the input, and may be an object with an authentication', () => {
  const authentication = { bearer: { token: 'abc' } }
  const http = { endpoint: { uri: 'https://{host}/mcp/{tenant}?a=1', authentication } }
  const { endpoint } = prepare({ method: 'tools/list', transport: { http } }, { host: 'mcp.example.org', tenant: 'a/b' })
  expect(endpoint.url.href).toBe('https://mcp.example.org/mcp/a%2Fb?a=1')
  expect(endpoint.authentication).toEqual(authentication)
})

test('headers are those of the author, and no idempotency key that all messages of a session would share', () => {
  expect(prepare({ method: 'tools/list', transport }).endpoint.headers).toEqual({ accept: '*/*', 'user-agent': 'millrace' })
  const headers = { 'X-Tenant': 7, 'user-agent': 'me', 'Idempotency-Key': 'mine' }
  const { endpoint } = prepare({ method: 'tools/list', transport: { http: { ...transport.http, headers } } })
  expect(endpoint.headers).toEqual({ accept: '*/*', 'user-agent': 'me', 'x-tenant': '7', 'idempotency-key': 'mine' })
})

describe('a validation error names what is wrong:', () => {
  const good = { method: 'tools/list', transport }
  const over = (http: Json): Json => ({ method: 'tools/list', transport: { http } })
  test.each<[Json, RegExp]>([
    ['text', /must be an object/],
    [{ ...good, verb: 1 }, /no argument "verb"/],
    [{ transport }, /"method" is missing/],
    [{ ...good, method: 'tools/destroy' }, /"method" is "tools\/destroy", which is not supported; these are: tools\/list/],
    [{ ...good, parameters: 'text' }, /"parameters" must be an object/],
    [{ ...good, parameters: [] }, /"parameters" must be an object/],
    [{ ...good, method: 'tools/call' }, /tools\/call needs "parameters.name"/],
    [{ ...good, method: 'tools/call', parameters: { name: 7 } }, /tools\/call needs "parameters.name"/],
    [{ ...good, method: 'prompts/get', parameters: {} }, /prompts\/get needs "parameters.name"/],
    [{ ...good, method: 'resources/read', parameters: { name: 'x' } }, /resources\/read needs "parameters.uri"/],
    [{ ...good, protocolVersion: '2099-01-01' }, /"2099-01-01"; the versions spoken here are 2025-11-25, 2025-06-18/],
    [{ ...good, client: { name: 'me' } }, /"client" must be an object with a "name" and a "version"/],
    [{ ...good, timeout: 'soon' }, /"timeout" is "soon"; write a duration/],
    [{ ...good, timeout: 'PT0S' }, /longer than none/],
    [{ ...good, timeout: 30 }, /"timeout" is 30/],
    [{ method: 'tools/list' }, /"transport" must be an object/],
    [{ method: 'tools/list', transport: {} }, /"transport.http" must be an object/],
    [{ method: 'tools/list', transport: { ...transport, options: { retries: '3' } } }, /"transport.options.retries" cannot be heeded/],
    [over({}), /"endpoint" must be a URI/],
    [over({ endpoint: 'mcp' }), /"mcp" is not an absolute URL/],
    [over({ endpoint: 'ftp://example.org/' }), /http or https, not to "ftp"/],
    [over({ endpoint: 'https://me:secret@example.org/' }), /carries a user name or a password/],
    [over({ endpoint: 'https://example.org/', query: {} }), /no property "query"/],
    [over({ endpoint: 'https://example.org/', headers: { Accept: 'x' } }), /"accept" cannot be set: it belongs to the protocol/],
    [over({ endpoint: 'https://example.org/', headers: { 'Mcp-Session-Id': 'x' } }), /"mcp-session-id" cannot be set/],
    [over({ endpoint: 'https://example.org/', headers: { a: 'x\r\ny' } }), /no header can carry/],
    [
      over({
        endpoint: { uri: 'https://example.org/', authentication: { bearer: { token: 'x' } } },
        headers: { authorization: 'Bearer y' },
      }),
      /both an "authorization" header and an authentication policy/,
    ],
  ])('%j', (args, message) => {
    expect(refusal(args)).toMatchObject({ kind: 'validation', message: expect.stringMatching(message) })
  })
})

test('a server over stdio is a configuration error', () => {
  expect(refusal({ method: 'tools/list', transport: { stdio: { command: 'npx' } } })).toMatchObject({ kind: 'configuration' })
})

test('every version that is spoken is one that the client speaks', () => {
  expect(SUPPORTED_PROTOCOL_VERSIONS).toEqual(expect.arrayContaining([...protocolVersions]))
})

test('the version that is asked for is offered first', () => {
  expect(acceptableVersions('2025-03-26')).toEqual(['2025-03-26', '2025-11-25', '2025-06-18', '2024-11-05'])
})
