import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { callHttp } from '#effects/http/call-http.ts'
import { testContext } from '#effects/http/testing-context.ts'
import { sendJson, startServer, type TestServer } from '#effects/http/testing-server.ts'
import { secret, startProvider, type TestProvider } from './testing-provider.ts'

let provider: TestProvider
let impostor: TestServer
let document: unknown

beforeAll(async () => {
  provider = await startProvider()
  impostor = await startServer((request, response) => {
    if (request.url === '/.well-known/openid-configuration') sendJson(response, document === undefined ? 404 : 200, document ?? {})
    else if (request.url === '/token/') sendJson(response, 200, { access_token: 'token-of-the-impostor', id_token: idToken })
    else sendJson(response, 200, { authorization: request.headers.authorization })
  })
})

afterAll(() => Promise.all([provider.close(), impostor.close()]))

const idToken = `e30.${Buffer.from('{"iss":"https://id.test"}').toString('base64url')}.sig`

function call(policy: Readonly<Record<string, Json>>, uri = provider.api, context = testContext()): Promise<Json> {
  const oidc = { grant: 'client_credentials', client: { id: 'by-post', secret }, ...policy }
  return callHttp({ method: 'get', endpoint: { uri, authentication: { oidc } } }, context)
}

describe('a real provider', () => {
  test('the token endpoint of a provider is found by its authority', async () => {
    expect(await call({ authority: provider.authority })).toMatchObject({ client: 'by-post' })
    expect(await call({ authority: `${provider.authority}/` })).toMatchObject({ client: 'by-post' })
  })

  test('the token endpoint is found by the address of the configuration document too', async () => {
    expect(await call({ authority: `${provider.authority}/.well-known/openid-configuration` })).toMatchObject({ client: 'by-post' })
  })

  test('is asked for its configuration once', async () => {
    const context = testContext()
    let discoveries = 0
    const http = {
      request: (...[request, signal]: Parameters<typeof context.http.request>) => {
        if (request.url.includes('.well-known')) discoveries++
        return context.http.request(request, signal)
      },
    }
    await call({ authority: provider.authority, scopes: ['api'] }, provider.api, { ...context, http })
    await call({ authority: provider.authority, scopes: ['read'] }, provider.api, { ...context, http })
    expect(discoveries).toBe(1)
  })
})

describe('a provider that cannot be trusted', () => {
  test('is refused when it says that it is someone else', async () => {
    document = { issuer: 'https://id.test', token_endpoint: `${impostor.origin}/token/` }
    await expect(call({ authority: impostor.origin }, impostor.origin)).rejects.toMatchObject({ kind: 'authentication' })
  })

  test('is accepted under a name that the policy lists, its token endpoint taken to the letter', async () => {
    document = { issuer: 'https://id.test', token_endpoint: `${impostor.origin}/token/` }
    const output = await call({ authority: impostor.origin, issuers: ['https://id.test'] }, impostor.origin)
    expect(output).toEqual({ authorization: 'Bearer token-of-the-impostor' })
  })

  test.each<[unknown, string, number]>([
    [undefined, 'answered 404', 404],
    [{ issuer: 'x' }, 'names no issuer or no token endpoint', 502],
    [{ token_endpoint: 'http://h/' }, 'names no issuer or no token endpoint', 502],
    ['text', 'names no issuer or no token endpoint', 502],
  ])('with the document %j is a communication error', async (given, message, status) => {
    document = given
    const failure: unknown = await call({ authority: impostor.origin }, impostor.origin).catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind: 'communication', message: expect.stringContaining(message), error: { status } })
  })

  test('with a token endpoint that is no web address is a configuration error', async () => {
    document = { issuer: impostor.origin, token_endpoint: 'file:///etc/passwd' }
    await expect(call({ authority: impostor.origin }, impostor.origin)).rejects.toMatchObject({ kind: 'configuration' })
  })
})
