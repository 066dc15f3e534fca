import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { createTextMask } from '#core/secret-mask.ts'
import { testContext } from '#effects/http/testing-context.ts'
import { type ClientProof, proveClient } from './client-authentication.ts'
import { parseTokenSettings } from './token-settings.ts'

const now = Date.parse('2026-01-01T00:00:00Z')

function prove(client: Readonly<Record<string, Json>>, mask = createTextMask([]), ids = testContext()): ClientProof {
  const settings = parseTokenSettings({ authority: 'https://id.test', grant: 'client_credentials', client }, 'oauth2', mask)
  return proveClient(settings, 'https://id.test', { ...ids, clock: () => now, mask })
}

function claimsOf(proof: ClientProof): Record<string, unknown> {
  const [, payload = ''] = proof.params['client_assertion']?.split('.') ?? []
  return JSON.parse(Buffer.from(payload, 'base64url').toString())
}

describe('client_secret_basic', () => {
  test('form-encodes both halves, so that a colon or a percent sign splits nothing', () => {
    const proof = prove({ id: 'my:app', secret: 'a b%c:d+ü', authentication: 'client_secret_basic' })
    expect(proof.params).toEqual({})
    const [, credentials = ''] = proof.headers['authorization']?.split(' ') ?? []
    expect(Buffer.from(credentials, 'base64').toString()).toBe('my%3Aapp:a+b%25c%3Ad%2B%C3%BC')
  })

  test('is masked as it travels', () => {
    const mask = createTextMask([])
    const proof = prove({ id: 'app', secret: 'the secret', authentication: 'client_secret_basic' }, mask)
    expect(mask.text(`sent ${proof.headers['authorization']}`)).toBe('sent Basic ***')
  })
})

describe('client_secret_post and none', () => {
  test('stand in the body', () => {
    expect(prove({ id: 'app', secret: 's' })).toEqual({ headers: {}, params: { client_id: 'app', client_secret: 's' } })
    expect(prove({ id: 'app' })).toEqual({ headers: {}, params: { client_id: 'app' } })
    expect(prove({ id: 'app', authentication: 'none' })).toEqual({ headers: {}, params: { client_id: 'app' } })
    expect(prove({ authentication: 'none' })).toEqual({ headers: {}, params: {} })
  })

  test('none does not send a secret that is there', () => {
    expect(JSON.stringify(prove({ id: 'app', secret: 'the secret', authentication: 'none' }))).not.toContain('the secret')
  })
})

describe('client_secret_jwt', () => {
  const client = { id: 'app', secret: 'the secret', authentication: 'client_secret_jwt' }

  test('signs with the secret and does not send it', () => {
    const proof = prove(client)
    const [header, payload, signature] = proof.params['client_assertion']?.split('.') ?? []
    expect(signature).toBe(createHmac('sha256', 'the secret').update(`${header}.${payload}`).digest('base64url'))
    expect(JSON.parse(Buffer.from(header ?? '', 'base64url').toString())).toEqual({ alg: 'HS256', typ: 'JWT' })
    expect(JSON.stringify(proof)).not.toContain('the secret')
    expect(proof.params['client_assertion_type']).toBe('urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
  })

  test('names the client, is for the issuer alone and good for a minute', () => {
    expect(claimsOf(prove(client))).toMatchObject({ iss: 'app', sub: 'app', aud: 'https://id.test', iat: now / 1000, exp: now / 1000 + 60 })
  })

  test('has an id of its own each time', () => {
    const ids = testContext()
    expect(claimsOf(prove(client, createTextMask([]), ids))['jti']).not.toBe(claimsOf(prove(client, createTextMask([]), ids))['jti'])
  })
})

test.each([
  { authentication: 'private_key_jwt' },
  { authentication: 'client_secret_jwt' },
  { authentication: 'client_secret_jwt', secret: 'the secret' },
])('%j sends the assertion that the policy brings', (client) => {
  const mask = createTextMask([])
  const proof = prove({ id: 'app', assertion: 'head.body.sign', ...client }, mask)
  expect(proof.params).toMatchObject({ client_id: 'app', client_assertion: 'head.body.sign' })
  expect(mask.text('head.body.sign')).toBe('***')
})
