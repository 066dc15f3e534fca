import type { EffectCall, JsonObject } from '@millrace/engine'
import { expect, test } from 'vitest'
import type { UseConnection } from '#modules/connections/index.ts'
import type { OutgoingRequest } from '#platform/net/guarded-fetch.ts'
import { createHttpConnector } from './http-connector.ts'

const signal = new AbortController().signal

/** The request that the function sends for some arguments, with a connection to an address. */
async function sentFor(url: string, args: JsonObject): Promise<OutgoingRequest> {
  const sent: OutgoingRequest[] = []
  const http = {
    request(request: OutgoingRequest) {
      sent.push(request)
      return Promise.resolve({ status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"ok":true}'), url })
    },
  }
  const settings = { kind: 'bearer', url } as const
  const use: UseConnection = (call, _kinds, perform) => perform({ name: 'shop', settings, secrets: {}, accessToken: undefined, http }, call)
  const limits = { timeoutMs: 1_000, timeoutMsMax: 1_000, maxResponseBytes: 1_000 }
  const [request] = createHttpConnector({ use, effects: { clock: Date.now, randomId: () => 'x'.repeat(16), limits } }).functions
  const call: EffectCall = {
    accountId: 'account',
    executionId: 'execution',
    arguments: { connection: 'shop', ...args },
    input: { id: 'of the input' },
    secrets: {},
    idempotencyKey: 'key',
    signal,
  }
  expect(await request?.perform(call)).toEqual({ ok: true })
  const [only] = sent
  if (only === undefined) throw new Error('nothing was sent')
  return only
}

test.each([
  ['https://shop.example', undefined, 'https://shop.example/'],
  ['https://shop.example/v2', '', 'https://shop.example/v2'],
  ['https://shop.example/v2/', 'orders', 'https://shop.example/v2/orders'],
  ['https://shop.example/v2', '/orders/7?full=1', 'https://shop.example/v2/orders/7?full=1'],
  ['https://shop.example/v2', '?page=2', 'https://shop.example/v2?page=2'],
  ['https://shop.example/v2', '/orders/{id}', 'https://shop.example/v2/orders/%7Bid%7D'],
  ['https://shop.example/v2', '/a:b/c', 'https://shop.example/v2/a:b/c'],
])('below %s, the path %s is %s', async (url, path, address) => {
  expect((await sentFor(url, path === undefined ? {} : { path })).url).toBe(address)
})

test.each(['https://elsewhere.example/', '//elsewhere.example/orders', 'file:///etc/passwd'])('the address %s is no path', async (path) => {
  await expect(sentFor('https://shop.example', { path })).rejects.toThrow('it is not an address')
})

test.each(['/orders/..', 'orders/../admin', '/./orders', '/orders/%2E%2e', 'a\\..\\b'])('the path %j leads elsewhere', async (path) => {
  await expect(sentFor('https://shop.example/v2', { path })).rejects.toThrow('which would lead to another resource')
})

test('method, query, headers and body are those of the arguments', async () => {
  const args = { method: 'put', path: '/o', query: { a: '1 2' }, headers: { 'x-trace': 'one' }, body: { total: 7 } }
  expect(await sentFor('https://shop.example', args)).toMatchObject({
    method: 'PUT',
    url: 'https://shop.example/o?a=1%202',
    headers: { 'x-trace': 'one', 'content-type': 'application/json', 'idempotency-key': 'key' },
    body: '{"total":7}',
  })
})
