import { describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { prepareCall } from '#effects/http/arguments.ts'
import { createTextMask } from '#core/secret-mask.ts'
import { type TestContextOptions, testContext } from '#effects/http/testing-context.ts'
import { createAuthenticator } from './policy.ts'

const context = (options: TestContextOptions = {}): ReturnType<typeof testContext> & { mask: ReturnType<typeof createTextMask> } => ({
  ...testContext(options),
  mask: createTextMask([]),
})

async function headersOf(policy: Json, options: TestContextOptions = {}): Promise<unknown> {
  const ctx = context(options)
  const call = prepareCall({ method: 'get', endpoint: 'http://h.test/' }, ctx)
  return (await createAuthenticator(policy, ctx))?.authorize(call)
}

const basic = (credentials: string): unknown => ({ authorization: `Basic ${Buffer.from(credentials).toString('base64')}` })

describe('basic', () => {
  test.each([
    ['ann', 'secret', 'ann:secret'],
    ['ann', 'with:colon', 'ann:with:colon'],
    ['Zoë', 'ü☃', 'Zoë:ü☃'],
    ['', '', ':'],
  ])('%s and %s', async (username, password, credentials) => {
    expect(await headersOf({ basic: { username, password } })).toEqual(basic(credentials))
  })

  test('a password that YAML takes for a number', async () => {
    expect(await headersOf({ basic: { username: 'admin', password: 1234 } })).toEqual(basic('admin:1234'))
  })
})

describe('bearer', () => {
  test('the token as it is, without the line end that files have', async () => {
    expect(await headersOf({ bearer: { token: 'abc.def\n' } })).toEqual({ authorization: 'Bearer abc.def' })
  })

  test.each(['', ' ', 'a b', 'a\r\nX-Evil: 1', 'ü'])('%j is no token', async (token) => {
    await expect(headersOf({ bearer: { token } })).rejects.toThrow('characters that no token has')
  })
})

describe('named policies', () => {
  const authentications = { pets: { bearer: { token: 'abcd' } }, loop: { use: 'pets' }, odd: 'text' }

  test('are looked up', async () => {
    expect(await headersOf({ use: 'pets' }, { authentications })).toEqual({ authorization: 'Bearer abcd' })
  })

  test.each([
    ['missing', 'There is no authentication policy "missing"'],
    ['odd', 'There is no authentication policy "odd"'],
    ['loop', 'The authentication policy "loop" refers to another one'],
    [7, '"authentication.use" must be the name'],
  ])('%s is a configuration error', async (use, message) => {
    await expect(headersOf({ use }, { authentications })).rejects.toMatchObject({
      kind: 'configuration',
      message: expect.stringContaining(message),
    })
  })
})

describe('policies out of secrets', () => {
  test.each<[string, Json]>([
    ['an object', { username: 'ann', password: 'pass' }],
    ['JSON text', '{"username":"ann","password":"pass"}'],
  ])('%s', async (_, secret) => {
    expect(await headersOf({ basic: { use: 'login' } }, { secrets: { login: secret } })).toEqual(basic('ann:pass'))
  })

  test('a bearer token as plain text', async () => {
    expect(await headersOf({ bearer: { use: 'key' } }, { secrets: { key: 'abcd' } })).toEqual({ authorization: 'Bearer abcd' })
  })

  test('by way of a named policy', async () => {
    const options = { authentications: { a: { bearer: { use: 'key' } } }, secrets: { key: { token: 'abcd' } } }
    expect(await headersOf({ use: 'a' }, options)).toEqual({ authorization: 'Bearer abcd' })
  })

  test('a secret that is not there, or not for this workflow, is an authorization error', async () => {
    const failure = headersOf({ basic: { use: 'login' } })
    await expect(failure).rejects.toMatchObject({
      kind: 'authorization',
      error: { status: 403, type: expect.stringContaining('/errors/authorization') },
    })
  })

  test.each<[Json]>([['plain text'], [7], [['a']], ['[1]']])('the secret %j cannot be a login, and is not repeated', async (secret) => {
    await expect(headersOf({ basic: { use: 'login' } }, { secrets: { login: secret } })).rejects.toThrow(
      /^The secret "login" must contain an object with the settings of "basic" authentication\.$/,
    )
  })

  test('everything in a secret is masked', async () => {
    const ctx = context({ secrets: { login: { username: 'ann-login', password: 'pass-word', note: ['a-note'] } } })
    await createAuthenticator({ basic: { use: 'login' } }, ctx)
    expect(ctx.mask.text('ann-login pass-word a-note')).toBe('*** *** ***')
  })
})

describe('what is no policy', () => {
  test.each<[Json, string]>([
    ['basic', 'must be an object'],
    [{}, 'must have one of basic, bearer, digest, oauth2, oidc'],
    [{ kerberos: {} }, 'must have one of'],
    [{ basic: { username: 'a', password: 'b' }, bearer: { token: 'c' } }, 'has both basic and bearer'],
    [{ basic: 'ann' }, '"basic" authentication must be an object'],
    [{ basic: { username: 'ann' } }, '"basic" authentication needs "password"'],
    [{ basic: { username: 'a:b', password: 'c' } }, 'cannot contain a colon'],
    [{ basic: { username: ['a'], password: 'c' } }, '"username" of "basic" authentication must be a string'],
    [{ bearer: {} }, '"bearer" authentication needs "token"'],
    [{ digest: { username: 'ann' } }, '"digest" authentication needs "password"'],
    [{ basic: { use: 7 } }, '"basic.use" must be the name of a secret'],
  ])('%j', async (policy, message) => {
    await expect(headersOf(policy)).rejects.toMatchObject({ kind: 'configuration', message: expect.stringContaining(message) })
  })

  test('no policy gives no authenticator', async () => {
    expect(await createAuthenticator(undefined, context())).toBeUndefined()
  })
})
