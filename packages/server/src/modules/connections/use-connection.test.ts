import { httpConnectionKinds } from '@millrace/contract'
import type { EffectCall, Json } from '@millrace/engine'
import { standardError } from '@millrace/engine'
import { expect, test } from 'vitest'
import type { OutgoingRequest } from '#platform/net/guarded-fetch.ts'
import type { Settings, UsableConnection } from './model.ts'
import { type ConnectionInUse, createUseConnection } from './use-connection.ts'

const url = 'https://crm.example.com'
const settings: Settings = {
  kind: 'oauth2',
  grant: 'client_credentials',
  url,
  tokenUrl: `${url}/token`,
  clientId: 'millrace',
  clientAuthentication: 'post',
  scopes: [],
}
const signal = new AbortController().signal
const call: EffectCall = {
  accountId: 'account',
  executionId: 'execution',
  arguments: { connection: 'crm' },
  input: null,
  secrets: {},
  idempotencyKey: 'key',
  signal,
}

/** A service whose token "token one" ends after a number of requests; it has "token two" then. */
function crm(requestsOfOne: number, renew = () => Promise.resolve('token two')) {
  const requests: string[] = []
  const accepted: string[] = []
  const http = {
    request({ method, url: to, headers }: OutgoingRequest) {
      requests.push(`${method} ${to.slice(url.length)} ${headers['authorization']}`)
      const isTaken = headers['authorization'] === (requests.length > requestsOfOne ? 'Bearer token two' : 'Bearer token one')
      return Promise.resolve({ status: isTaken ? 200 : 401, headers: {}, body: new Uint8Array(), url: to })
    },
  }
  const access = {
    accept: (id: string) => void accepted.push(id),
    async open(_accountId: string, _key: object, rejected?: string): Promise<UsableConnection & { readonly id: string }> {
      const accessToken = rejected === undefined ? 'token one' : await renew()
      return { id: 'crm', name: 'crm', settings, secrets: {}, accessToken }
    },
  }
  const send = ({ http: port }: ConnectionInUse, method: string, path: string) =>
    port.request({ method, url: `${url}${path}`, headers: {}, followRedirects: false, timeoutMs: 1, maxResponseBytes: 1 }, signal)
  return { requests, accepted, send, use: createUseConnection({ access, httpOf: () => http }) }
}

test('a request that is refused because its token has ended is sent again, and nothing that was done before', async () => {
  const { use, send, requests, accepted } = crm(1)
  const output = await use(call, httpConnectionKinds, async (connection): Promise<Json> => {
    await send(connection, 'POST', '/orders')
    const second = await Promise.all([send(connection, 'POST', '/mails'), send(connection, 'GET', '/orders')])
    return { statuses: second.map(({ status }) => status), echo: 'token one, token two' }
  })
  expect(output).toEqual({ statuses: [200, 200], echo: '***, ***' })
  expect(requests.toSorted()).toEqual([
    'GET /orders Bearer token one',
    'GET /orders Bearer token two',
    'POST /mails Bearer token one',
    'POST /mails Bearer token two',
    'POST /orders Bearer token one',
  ])
  expect(accepted).toEqual(['crm'])
})

test('an effect whose token cannot be renewed fails with the reason, and is not repeated', async () => {
  const reason = standardError('authentication', 'The grant was revoked.')
  const { use, send, requests, accepted } = crm(1, () => Promise.reject(reason))
  const performed = use(call, httpConnectionKinds, async (connection) => {
    await send(connection, 'POST', '/orders')
    const { status } = await send(connection, 'POST', '/mails')
    throw standardError('communication', `It responded ${status}.`)
  })
  await expect(performed).rejects.toBe(reason)
  expect(requests).toEqual(['POST /orders Bearer token one', 'POST /mails Bearer token one'])
  expect(accepted).toEqual([])
})

test('a service that refuses every token is asked twice for one request', async () => {
  const { use, send, requests, accepted } = crm(0, () => Promise.resolve('token three'))
  const output = await use(call, httpConnectionKinds, async (connection) => (await send(connection, 'GET', '/orders')).status)
  expect([output, requests.length, accepted]).toEqual([401, 2, []])
})
