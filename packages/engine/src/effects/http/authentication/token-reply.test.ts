import { describe, expect, test } from 'vitest'
import { readTokenReply } from './token-reply.ts'

const now = 1_000_000_000
const reply = (status: number, fields: unknown, headers: Readonly<Record<string, string>> = {}): Parameters<typeof readTokenReply>[0] => ({
  status,
  headers,
  body: Buffer.from(typeof fields === 'string' ? fields : JSON.stringify(fields)),
  url: 'https://id.test/token',
})
const jwt = (claims: object): string => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sig`

describe('a token', () => {
  test('with its refresh token', () => {
    expect(readTokenReply(reply(200, { access_token: 'a', refresh_token: 'r', token_type: 'bearer' }), [], now).value).toEqual({
      accessToken: 'a',
      refreshToken: 'r',
    })
  })

  test.each([
    ['thirty seconds before its end', { expires_in: 3_600 }, 3_570_000],
    ['a tenth before its end, when it is short-lived', { expires_in: 60 }, 54_000],
    ['as text', { expires_in: '3600' }, 3_570_000],
    ['at once, when it does not live', { expires_in: 0 }, 0],
    ['after a default time, without a lifetime', {}, 270_000],
    ['after a default time, with an invalid lifetime', { expires_in: 'soon' }, 270_000],
    ['after what the token itself says', { access_token: jwt({ exp: (now + 600_000) / 1000 }) }, 570_000],
  ])('is renewed %s', (_, fields, lifeMs) => {
    expect(readTokenReply(reply(200, { access_token: 'a', ...fields }), [], now).expiresAtMs).toBe(now + lifeMs)
  })
})

describe('issuers', () => {
  test.each([
    ['the access token', { access_token: jwt({ iss: 'https://id.test' }) }],
    ['the id token', { access_token: 'opaque', id_token: jwt({ iss: 'https://id.test' }) }],
  ])('a listed issuer in %s is accepted', (_, fields) => {
    expect(() => readTokenReply(reply(200, fields), ['https://other.test', 'https://id.test'], now)).not.toThrow()
  })

  test.each([
    ['another issuer', { access_token: jwt({ iss: 'https://evil.test' }) }, 'of the issuer "https://evil.test"'],
    ['no issuer', { access_token: jwt({}) }, 'without an issuer'],
    ['an opaque token', { access_token: 'opaque' }, 'without an issuer'],
    ['broken claims', { access_token: 'e30.!!!.sig' }, 'without an issuer'],
  ])('%s is refused', (_, fields, message) => {
    expect(() => readTokenReply(reply(200, fields), ['https://id.test'], now)).toThrow(
      expect.objectContaining({ kind: 'authentication', message: expect.stringContaining(message) }),
    )
  })
})

describe('refusals', () => {
  test.each([400, 401, 403])('%d is an authentication error with the words of the server', (status) => {
    expect(() => readTokenReply(reply(status, { error: 'invalid_client', error_description: 'who are you' }), [], now)).toThrow(
      expect.objectContaining({
        kind: 'authentication',
        message: expect.stringContaining(`answered ${status} (invalid_client: who are you)`),
      }),
    )
  })

  test.each([404, 429, 500, 503, 302])('%d is a communication error that can be retried', (status) => {
    expect(() => readTokenReply(reply(status, '<html>', { 'retry-after': '3' }), [], now)).toThrow(
      expect.objectContaining({ kind: 'communication', retryAfterMs: 3_000, error: expect.objectContaining({ status }) }),
    )
  })

  test.each([['text'], [{}], [{ access_token: 5 }], [{ access_token: '' }], [{ access_token: 'a\r\nX: y' }], ['[]'], ['']])(
    '%j has no token',
    (fields) => {
      expect(() => readTokenReply(reply(200, fields), [], now)).toThrow(expect.objectContaining({ kind: 'communication' }))
    },
  )

  test('a token that must be bound to a key is refused', () => {
    expect(() => readTokenReply(reply(200, { access_token: 'a', token_type: 'DPoP' }), [], now)).toThrow('a token of type "DPoP"')
  })
})
