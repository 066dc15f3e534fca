import { expect, test } from 'vitest'
import { createPasswordHasher, passwordCostDefault } from './password-hasher.ts'

const cost = { memoryKib: 64, passes: 1, lanes: 1 }

test('a password is right exactly as it was given, and in no other form', async () => {
  const hasher = createPasswordHasher({ cost })
  const password = ' Zürich Ω 🔑 naïve '
  const known = await hasher.hash(password)
  expect(await hasher.verify(known, password)).toBe(true)
  for (const other of [password.trim(), password.toLowerCase(), password.normalize('NFD'), `${password} `, password.slice(0, -1)])
    expect(await hasher.verify(known, other)).toBe(false)
})

test('a long password counts to its last character', async () => {
  const hasher = createPasswordHasher({ cost })
  const long = 'long '.repeat(51)
  const known = await hasher.hash(`${long}a`)
  expect(await hasher.verify(known, `${long}a`)).toBe(true)
  expect(await hasher.verify(known, `${long}b`)).toBe(false)
})

test('without a hash no password is right, not even the one of the decoy', async () => {
  const hasher = createPasswordHasher({ cost })
  expect(await hasher.verify(undefined, 'no password has this hash')).toBe(false)
})

test('hashes are Argon2id at least as costly as OWASP asks, and salted', async () => {
  expect(passwordCostDefault.memoryKib * passwordCostDefault.passes).toBeGreaterThanOrEqual(19 * 1024 * 2)
  const hasher = createPasswordHasher()
  const [one, other] = await Promise.all([hasher.hash('the same'), hasher.hash('the same')])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/)
  expect(one).not.toBe(other)
})

test('a hash of another cost is outdated, and verifies still', async () => {
  const before = await createPasswordHasher({ cost: { ...cost, passes: 2 } }).hash('a password')
  const hasher = createPasswordHasher({ cost })
  expect(hasher.isOutdated(before)).toBe(true)
  expect(hasher.isOutdated(await hasher.hash('a password'))).toBe(false)
  expect(await hasher.verify(before, 'a password')).toBe(true)
})

test('more callers than may wait are refused, and those who wait are served', async () => {
  const hasher = createPasswordHasher({ cost, concurrencyMax: 1, waitingMax: 2 })
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => hasher.hash('a password')))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'])
  expect(results[4]).toMatchObject({ reason: { code: 'overloaded' } })
  await expect(hasher.hash('a password')).resolves.toContain('$argon2id$')
})

test('a hash that fails gives its place free', async () => {
  const hasher = createPasswordHasher({ cost, concurrencyMax: 1, waitingMax: 0 })
  await expect(hasher.verify('not a hash', 'a password')).rejects.toThrow('Decoding')
  await expect(hasher.hash('a password')).resolves.toContain('$argon2id$')
})
