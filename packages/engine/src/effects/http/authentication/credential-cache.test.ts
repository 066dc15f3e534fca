import { expect, test } from 'vitest'
import { createCredentialCache } from './credential-cache.ts'

const entry = (name: string, expiresAtMs: number): { value: { accessToken: string; refreshToken: undefined }; expiresAtMs: number } => ({
  value: { accessToken: name, refreshToken: undefined },
  expiresAtMs,
})

test('its parts share a clock and nothing else', () => {
  let now = 0
  const cache = createCredentialCache(() => now)
  cache.tokens.put('key', entry('a', 10))
  cache.digests.put('key', { value: { challenge: {}, uses: 1 }, expiresAtMs: 20 })
  expect(cache.providers.peek('key')).toBeUndefined()
  now = 10
  expect(cache.tokens.peek('key')).toBeUndefined()
  expect(cache.digests.peek('key')).toEqual({ challenge: {}, uses: 1 })
})

test('two caches share nothing, so that a test or a process starts without credentials', () => {
  const first = createCredentialCache(() => 0)
  first.tokens.put('key', entry('a', 10))
  expect(createCredentialCache(() => 0).tokens.peek('key')).toBeUndefined()
})

test('the cache has at most ten thousand tokens', () => {
  const cache = createCredentialCache(() => 0)
  for (let index = 0; index <= 10_000; index++) cache.tokens.put(`key-${index}`, entry(`token-${index}`, 10))
  expect(cache.tokens.peek('key-0')).toBeUndefined()
  expect(cache.tokens.peek('key-1')).toMatchObject({ accessToken: 'token-1' })
  expect(cache.tokens.peek('key-10000')).toMatchObject({ accessToken: 'token-10000' })
})
