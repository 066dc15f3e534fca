import { createSign, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { callHttp } from '#effects/http/call-http.ts'
import { type TestContextOptions, testContext } from '#effects/http/testing-context.ts'
import { failureOf } from '#effects/http/testing-outcome.ts'
import { secret, startProvider, type TestProvider, tokenExchange } from './testing-provider.ts'

let provider: TestProvider

beforeAll(async () => {
  provider = await startProvider()
})

afterAll(() => provider.close())

/** The provider lives in real time, and single-use ids must not repeat between tests. */
const live = (options: TestContextOptions = {}): ReturnType<typeof testContext> =>
  testContext({ clock: Date.now, randomId: randomUUID, ...options })

function call(oauth2: Readonly<Record<string, Json>>, context = live()): Promise<Json> {
  const policy = { authority: provider.authority, grant: 'client_credentials', ...oauth2 }
  return callHttp({ method: 'get', endpoint: { uri: provider.api, authentication: { oauth2: policy } } }, context)
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function assertion(audience: string): string {
  const issuedAt = Math.floor(Date.now() / 1000)
  const claims = { iss: 'by-key', sub: 'by-key', aud: audience, jti: randomUUID(), iat: issuedAt, exp: issuedAt + 60 }
  const signed = `${encode({ alg: 'ES256' })}.${encode(claims)}`
  return `${signed}.${createSign('sha256').update(signed).sign({ key: provider.clientKey, dsaEncoding: 'ieee-p1363' }, 'base64url')}`
}

describe('the client proves who it is to a real authorization server', () => {
  test('by client_secret_basic, with a secret full of signs', async () => {
    expect(await call({ client: { id: 'by-basic', secret, authentication: 'client_secret_basic' } })).toMatchObject({ client: 'by-basic' })
  })

  test('by client_secret_post, which is the default', async () => {
    expect(await call({ client: { id: 'by-post', secret } })).toMatchObject({ client: 'by-post' })
    expect(await call({ client: { id: 'by-post', secret, authentication: 'client_secret_post' } })).toMatchObject({ client: 'by-post' })
  })

  test('by client_secret_jwt', async () => {
    expect(await call({ client: { id: 'by-jwt', secret, authentication: 'client_secret_jwt' } })).toMatchObject({ client: 'by-jwt' })
  })

  test('by private_key_jwt, with an assertion that the author brings', async () => {
    const client = { id: 'by-key', assertion: assertion(provider.authority), authentication: 'private_key_jwt' }
    expect(await call({ client })).toMatchObject({ client: 'by-key' })
  })

  test('by nothing, where that is enough', async () => {
    const client = { id: 'public', authentication: 'none' }
    expect(await call({ client, grant: 'password', username: 'ann', password: 'pass word&' })).toMatchObject({ client: 'public' })
  })
})

describe('grants', () => {
  const client = { id: 'by-post', secret }

  test('client_credentials with scopes', async () => {
    expect(await call({ client, scopes: ['api', 'read'] })).toMatchObject({ scope: 'api read' })
  })

  test('password', async () => {
    expect(await call({ client, grant: 'password', username: 'ann', password: 'pass word&', scopes: ['api'] })).toMatchObject({
      scope: 'api',
    })
  })

  test('token exchange, with subject, actor, audiences and the short names of token types', async () => {
    const subject = { token: 'subject-token', type: 'access_token' }
    const actor = { token: 'actor-token', type: 'urn:ietf:params:oauth:token-type:jwt' }
    const output = await call({ client, grant: tokenExchange, subject, actor, scopes: ['api'], audiences: ['one', 'two'] })
    expect(output).toMatchObject({ scope: 'api actor-token one two' })
  })

  test('a token endpoint that the policy names, relative or absolute', async () => {
    expect(await call({ client, endpoints: { token: 'oauth2/token' } })).toMatchObject({ client: 'by-post' })
    expect(await call({ client, endpoints: { token: `${provider.authority}/oauth2/token` } })).toMatchObject({ client: 'by-post' })
    await expect(call({ client, endpoints: { token: '/elsewhere' } })).rejects.toMatchObject({
      kind: 'communication',
      error: { status: 404 },
    })
  })

  test('an authority with a variable of the input', async () => {
    const authority = provider.authority.replace('test', '{realm}')
    expect(await call({ client, authority }, live({ uriVariables: { realm: 'test' } }))).toMatchObject({ client: 'by-post' })
  })

  test('the token of one authority is not sent to the API in the name of another', async () => {
    const context = live()
    const authority = provider.authority.replace('test', '{realm}')
    await call({ client, authority }, { ...context, uriVariables: { realm: 'test' } })
    const failure = call({ client, authority }, { ...context, uriVariables: { realm: 'other' } })
    await expect(failure).rejects.toMatchObject({ kind: 'communication', error: { status: 404 } })
  })

  test('a policy out of a secret', async () => {
    const context = live({ secrets: { idp: { authority: provider.authority, grant: 'client_credentials', client } } })
    const endpoint = { uri: provider.api, authentication: { oauth2: { use: 'idp' } } }
    expect(await callHttp({ method: 'get', endpoint }, context)).toMatchObject({ client: 'by-post' })
  })
})

describe('tokens are kept', () => {
  const client = { id: 'by-post', secret }

  test('so that a second call asks for none', async () => {
    const context = live()
    const before = provider.issued.length
    expect(await call({ client }, context)).toEqual(await call({ client }, context))
    expect(provider.issued).toHaveLength(before + 1)
  })

  test('so that calls at the same time share one request', async () => {
    const context = live()
    const before = provider.issued.length
    const outputs = await Promise.all(Array.from({ length: 20 }, () => call({ client }, context)))
    expect(new Set(outputs.map((output) => JSON.stringify(output))).size).toBe(1)
    expect(provider.issued).toHaveLength(before + 1)
  })

  test('but not for another scope, client or secret', async () => {
    const context = live()
    const before = provider.issued.length
    await call({ client, scopes: ['api'] }, context)
    await call({ client, scopes: ['read'] }, context)
    await call({ client: { id: 'by-basic', secret, authentication: 'client_secret_basic' } }, context)
    expect(provider.issued).toHaveLength(before + 3)
    await expect(call({ client: { id: 'by-post', secret: 'wrong' }, scopes: ['api'] }, context)).rejects.toMatchObject({
      kind: 'authentication',
    })
  })

  test('until shortly before they expire', async () => {
    let now = Date.now()
    const context = live({ clock: () => now })
    const before = provider.issued.length
    await call({ client }, context)
    now += 569_000
    await call({ client }, context)
    expect(provider.issued).toHaveLength(before + 1)
    now += 2_000
    await call({ client }, context)
    expect(provider.issued).toHaveLength(before + 2)
  })

  test('until the server refuses one, which is then replaced in the same call', async () => {
    const context = live()
    const first = await call({ client }, context)
    await provider.revoke(String(Object(first)['token']))
    const second = await call({ client }, context)
    expect(second).toMatchObject({ client: 'by-post' })
    expect(second).not.toEqual(first)
  })

  test('and one caller who goes away does not take the token from the others', async () => {
    const controller = new AbortController()
    const context = live()
    const leaving = call({ client }, { ...context, signal: controller.signal })
    const staying = call({ client }, context)
    controller.abort(new Error('cancelled'))
    await expect(leaving).rejects.toThrow('cancelled')
    expect(await staying).toMatchObject({ client: 'by-post' })
  })
})

describe('refusals', () => {
  test('of the client are an authentication error that says what the server said', async () => {
    const failure = await failureOf(call({ client: { id: 'by-post', secret: 'wrong secret' } }))
    expect(failure.error).toMatchObject({ type: expect.stringContaining('/errors/authentication'), status: 401 })
    expect(failure.error.detail).toContain('invalid_client')
    expect(failure.error.detail).not.toContain('wrong secret')
  })

  test('of the person are an authentication error without the password', async () => {
    const failure = await failureOf(call({ client: { id: 'by-post', secret }, grant: 'password', username: 'ann', password: 'guess-1234' }))
    expect(failure.error.detail).toContain('invalid_grant: wrong password ***')
  })

  test('are not kept: the next call asks again', async () => {
    const context = live()
    const client = { id: 'by-key', assertion: 'no.assertion.atall', authentication: 'private_key_jwt' }
    await expect(call({ client }, context)).rejects.toMatchObject({ kind: 'authentication' })
    await expect(call({ client }, context)).rejects.toMatchObject({ kind: 'authentication' })
  })
})
