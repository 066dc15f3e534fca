import { expect, test } from 'vitest'
import { startKernel } from '#testing/kernel.ts'
import { servedJwks } from './serve-jwks.ts'

const jwk = { kty: 'OKP', crv: 'Ed25519', x: 'x', kid: 'k', alg: 'EdDSA', use: 'sig' } as const
const groups = { jwks: servedJwks({ jwks: async () => ({ keys: [jwk] }) }) }

test('the keys are served at the well-known place without a credential, in their own media type', async () => {
  await using kernel = await startKernel({ groups })
  const response = await kernel.fetch('/.well-known/jwks.json')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^application\/jwk-set\+json\b/)
  expect(response.headers.get('cache-control')).toBe('public, max-age=600')
  expect(response.headers.get('x-request-id')).not.toBeNull()
  expect(await response.json()).toEqual({ keys: [jwk] })
})

test('asking for the keys counts like any request', async () => {
  const two = { limit: 2, windowSeconds: 60 }
  await using kernel = await startKernel({ groups, config: { rateLimits: { global: two, auth: two, refresh: two, execution: two } } })
  const statuses: number[] = []
  for (let i = 0; i < 3; i++) statuses.push((await kernel.fetch('/.well-known/jwks.json')).status)
  expect(statuses).toEqual([200, 200, 429])
})
