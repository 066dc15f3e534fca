import { describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { createTextMask } from '#core/secret-mask.ts'
import { testContext } from '#effects/http/testing-context.ts'
import { tokenRequest } from './token-request.ts'
import { parseTokenSettings } from './token-settings.ts'

const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange'

function request(policy: Readonly<Record<string, Json>>, refreshToken?: string): ReturnType<typeof tokenRequest> {
  const mask = createTextMask([])
  const given = { authority: 'https://id.test', grant: 'client_credentials', client: { authentication: 'none' }, ...policy }
  const endpoint = { url: 'https://id.test/token', audience: 'https://id.test' }
  return tokenRequest(parseTokenSettings(given, 'oauth2', mask), endpoint, refreshToken, { ...testContext(), mask })
}

const params = (policy: Readonly<Record<string, Json>>, refreshToken?: string): [string, string][] => [
  ...new URLSearchParams(String(request(policy, refreshToken).body)),
]

describe('the parameters of each grant', () => {
  test('client_credentials', () => {
    expect(params({})).toEqual([['grant_type', 'client_credentials']])
  })

  test('password', () => {
    expect(params({ grant: 'password', username: 'ann', password: 'p w&=' })).toEqual([
      ['grant_type', 'password'],
      ['username', 'ann'],
      ['password', 'p w&='],
    ])
  })

  test('refresh_token, the configured one until there is a later one', () => {
    const policy = { grant: 'refresh_token', subject: { token: 'configured', type: 'refresh_token' } }
    expect(params(policy)).toContainEqual(['refresh_token', 'configured'])
    expect(params(policy, 'rotated')).toContainEqual(['refresh_token', 'rotated'])
  })

  test('token exchange, with an actor and without', () => {
    const subject = { token: 's', type: 'access_token' }
    expect(params({ grant: exchange, subject })).toEqual([
      ['grant_type', exchange],
      ['subject_token', 's'],
      ['subject_token_type', 'urn:ietf:params:oauth:token-type:access_token'],
    ])
    expect(params({ grant: exchange, subject, actor: { token: 'a', type: 'jwt' } }).slice(3)).toEqual([
      ['actor_token', 'a'],
      ['actor_token_type', 'urn:ietf:params:oauth:token-type:jwt'],
    ])
  })

  test('scopes are one parameter, audiences one each', () => {
    expect(params({ scopes: ['a', 'b'], audiences: ['x', 'y'] }).slice(1)).toEqual([
      ['scope', 'a b'],
      ['audience', 'x'],
      ['audience', 'y'],
    ])
  })
})

test('a token request follows no redirects, which would carry the secret elsewhere', () => {
  expect(request({})).toMatchObject({ method: 'POST', url: 'https://id.test/token', followRedirects: false })
})

test('as JSON, what occurs once is text and what occurs several times a list', () => {
  const sent = request({ request: { encoding: 'application/json' }, scopes: ['a', 'b'], audiences: ['x', 'y'] })
  expect(sent.headers['content-type']).toBe('application/json')
  expect(JSON.parse(String(sent.body))).toEqual({ grant_type: 'client_credentials', scope: 'a b', audience: ['x', 'y'] })
})
