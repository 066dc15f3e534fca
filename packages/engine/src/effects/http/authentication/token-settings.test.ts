import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '#core/json.ts'
import { createTextMask } from '#core/secret-mask.ts'
import { parseTokenSettings, type TokenSettings } from './token-settings.ts'

const policy: JsonObject = { authority: 'https://id.test', grant: 'client_credentials', client: { id: 'app', secret: 'app-secret' } }
const parse = (more: Readonly<Record<string, Json>> = {}): TokenSettings =>
  parseTokenSettings({ ...policy, ...more }, 'oauth2', createTextMask([]))

const token = (name: string): Json => ({ token: name, type: 'jwt' })

describe('what is accepted', () => {
  test('the defaults are those of the reference', () => {
    expect(parse()).toMatchObject({
      client: { authentication: 'client_secret_post' },
      encoding: 'application/x-www-form-urlencoded',
      issuers: [],
      scopes: [],
      audiences: [],
    })
  })

  test('a single scope or audience counts as a list', () => {
    expect(parse({ scopes: 'api', audiences: 'a' })).toMatchObject({ scopes: ['api'], audiences: ['a'] })
  })

  test('short names of token types are spelled out, others stay', () => {
    expect(parse({ subject: { token: 't', type: 'id_token' } }).subject?.type).toBe('urn:ietf:params:oauth:token-type:id_token')
    expect(parse({ subject: { token: 't', type: 'urn:x:y' } }).subject?.type).toBe('urn:x:y')
  })

  test('a client without a secret, where none is needed', () => {
    expect(parse({ client: { id: 'app' } }).client.secret).toBeUndefined()
    expect(parse({ client: { authentication: 'none' } }).client.id).toBeUndefined()
  })

  test('everything secret is masked', () => {
    const mask = createTextMask([])
    const client = { id: 'app', secret: 'the-secret', assertion: 'the-assertion' }
    parseTokenSettings(
      { ...policy, client, password: 'the-password', subject: token('the-subject'), actor: token('the-actor') },
      'oidc',
      mask,
    )
    expect(mask.text('the-secret the-assertion the-password the-subject the-actor')).toBe('*** *** *** *** ***')
  })
})

describe('what is refused', () => {
  const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange'
  test.each<[Readonly<Record<string, Json>>, string]>([
    [{ authority: null }, '"oauth2" authentication needs "authority"'],
    [{ grant: null }, '"oauth2" authentication needs "grant"'],
    [{ grant: 'implicit' }, '"oauth2.grant" is "implicit"; it must be one of client_credentials, password'],
    [{ grant: 'authorization_code' }, 'needs a person with a browser'],
    [{ client: null }, '"oauth2.client.id" is missing'],
    [{ client: 'app' }, '"client" of "oauth2" authentication must be an object'],
    [{ client: { id: 'app', authentication: 'tls' } }, '"oauth2.client.authentication" is "tls"'],
    [{ client: { id: 'app', authentication: 'client_secret_basic' } }, '"oauth2.client.secret" is missing'],
    [
      { client: { id: 'app', authentication: 'client_secret_jwt' } },
      '"oauth2.client.secret" is missing, and so is "oauth2.client.assertion"',
    ],
    [{ client: { id: 'app', secret: 's', authentication: 'private_key_jwt' } }, '"oauth2.client.assertion" is missing'],
    [{ request: { encoding: 'text/plain' } }, '"oauth2.request.encoding" is "text/plain"'],
    [{ scopes: [1] }, '"scopes" of "oauth2" authentication must be a list of strings'],
    [{ grant: 'password', username: 'ann' }, 'needs "oauth2.username" and "oauth2.password"'],
    [{ grant: 'refresh_token' }, 'needs "oauth2.subject" with the token and its type'],
    [{ grant: exchange }, 'needs "oauth2.subject" with the token and its type'],
    [{ subject: { token: 't' } }, '"oauth2.subject" authentication needs "type"'],
    [{ actor: { type: 'jwt' } }, '"oauth2.actor" authentication needs "token"'],
  ])('%j', (more, message) => {
    expect(() => parse(more)).toThrow(expect.objectContaining({ kind: 'configuration', message: expect.stringContaining(message) }))
  })
})
