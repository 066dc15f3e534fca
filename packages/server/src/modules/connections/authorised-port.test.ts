import { describe, expect, test } from 'vitest'
import type { OutgoingRequest } from '#platform/net/guarded-fetch.ts'
import { authorisedPort } from './authorised-port.ts'
import type { Settings, UsableConnection } from './model.ts'

const signal = new AbortController().signal

function outgoing(url: string): OutgoingRequest {
  return {
    method: 'GET',
    url,
    headers: { accept: '*/*' },
    followRedirects: false,
    timeoutMs: 1_000,
    maxResponseBytes: 1_000,
  }
}

/** What arrives at the network of a request with the connection. */
async function sent(settings: Settings, url: string, more: Partial<UsableConnection> = {}, asked: Partial<OutgoingRequest> = {}) {
  const requests: OutgoingRequest[] = []
  const http = {
    async request(request: OutgoingRequest) {
      requests.push(request)
      return {
        status: 200,
        headers: {},
        body: new Uint8Array(),
        url: request.url,
      }
    },
  }
  const connection: UsableConnection = {
    name: 'crm',
    settings,
    secrets: {},
    accessToken: undefined,
    ...more,
  }
  await authorisedPort(http, connection).request({ ...outgoing(url), ...asked }, signal)
  return { request: requests[0] }
}

const url = 'https://api.example.com/v2'
const key = 'key of 4711/ü'
const apiKey = (place: 'header' | 'query' | 'path', keyName: string): Settings => ({
  kind: 'api-key',
  url,
  in: place,
  keyName,
})

describe('a request gets the credentials of', () => {
  test('an API key in a header', async () => {
    const { request } = await sent(apiKey('header', 'X-Key'), `${url}/orders`, { secrets: { key } })
    expect(request?.headers).toEqual({ accept: '*/*', 'x-key': key })
    expect(request?.url).toBe(`${url}/orders`)
  })

  test('an API key in the query, beside what is there', async () => {
    const secrets = { key }
    const first = await sent(apiKey('query', 'api_key'), `${url}/orders`, { secrets })
    expect(first.request?.url).toBe(`${url}/orders?api_key=key%20of%204711%2F%C3%BC`)
    const second = await sent(apiKey('query', 'api_key'), `${url}/orders?page=2`, { secrets })
    expect(second.request?.url).toBe(`${url}/orders?page=2&api_key=key%20of%204711%2F%C3%BC`)
  })

  test('an API key in the path, as one segment', async () => {
    const { request } = await sent(apiKey('path', 'bot'), `${url}/send`, { secrets: { key: '1:a/b' } })
    expect(request?.url).toBe(`${url}/bot1:a%2Fb/send`)
  })

  test('a bearer token', async () => {
    const { request } = await sent({ kind: 'bearer', url }, url, { secrets: { token: 'abc' } })
    expect(request?.headers['authorization']).toBe('Bearer abc')
  })

  test('a user with a password', async () => {
    const { request } = await sent({ kind: 'basic', url, username: 'ada' }, url, { secrets: { password: 'p:w' } })
    expect(request?.headers['authorization']).toBe(`Basic ${Buffer.from('ada:p:w').toString('base64')}`)
  })

  test('a token of OAuth, in place of what an author wrote', async () => {
    const settings: Settings = {
      kind: 'oauth2',
      url,
      grant: 'client_credentials',
      tokenUrl: url,
      clientId: 'a',
      clientAuthentication: 'basic',
      scopes: [],
    }
    const { request } = await sent(settings, `${url}/a`, { accessToken: 'fresh' })
    expect(request?.headers['authorization']).toBe('Bearer fresh')
  })
})

describe('a request is refused that leads', () => {
  test.each([
    ['to another host', 'https://evil.example/v2/orders'],
    ['to another port', 'https://api.example.com:8443/v2/orders'],
    ['to another protocol', 'http://api.example.com/v2/orders'],
    ['to another path', 'https://api.example.com/v3/orders'],
    ['out of the path by dots', 'https://api.example.com/v2/../admin'],
    ['to a path that only begins alike', 'https://api.example.com/v22/orders'],
    ['out of the path by dots before an encoded slash', 'https://api.example.com/v2/a/..%2f..%2fadmin'],
    ['out of the path by dots before an encoded backslash', 'https://api.example.com/v2/%5c..%5cadmin'],
    ['out of the path by dots before a parameter', 'https://api.example.com/v2/..;/admin'],
  ])('%s', async (_where, target) => {
    const secrets = { token: 'abc' }
    await expect(sent({ kind: 'bearer', url }, target, { secrets })).rejects.toMatchObject({
      reason: 'denied',
      message: expect.not.stringContaining('abc'),
    })
  })

  test('by a redirect out of the path of the same origin, which would take the credentials along', async () => {
    const { request } = await sent({ kind: 'bearer', url }, url, { secrets: { token: 'abc' } }, { followRedirects: true })
    await expect(request?.admitHop?.('https://api.example.com/admin')).rejects.toMatchObject({ reason: 'denied' })
    await expect(request?.admitHop?.(`${url}/orders`)).resolves.toBeUndefined()
    await expect(request?.admitHop?.('https://elsewhere.example/')).resolves.toBeUndefined()
  })

  test('over HTTP with a connection that is for something else', async () => {
    const settings: Settings = {
      kind: 'imap',
      host: 'mail.example.com',
      port: 993,
      encrypted: true,
      username: 'ada',
    }
    await expect(sent(settings, url)).rejects.toMatchObject({ reason: 'denied' })
  })
})
