import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { createSecretBox } from './secret-box.ts'
import { createSigningKeys, signingKeyLifeDefault } from './signing-keys.ts'

const secretKey = randomBytes(32)
const { signsMs, publishedAheadMs, verifiesAfterMs } = signingKeyLifeDefault

let postgres: TestDatabase
let at: number
beforeAll(async () => {
  postgres = await createTestDatabase()
})
afterAll(() => postgres.drop())
beforeEach(async () => {
  await sql`delete from signing_keys`.execute(postgres.database.system)
  at = Date.UTC(2026, 0, 1)
})

/** The keys as one process of the installation has them. */
function start(key = secretKey) {
  return createSigningKeys({
    db: postgres.database.system,
    box: createSecretBox(key, 'signing-keys', randomBytes),
    now: () => new Date(at),
  })
}

async function published(keys: ReturnType<typeof start>): Promise<readonly string[]> {
  return (await keys.jwks()).keys.map(({ kid }) => kid)
}

test('two processes sign with one key, and each verifies what the other signed', async () => {
  const [one, other] = [start(), start()]
  const { kid } = await one.current()
  expect((await other.current()).kid).toBe(kid)
  expect((await other.find(kid))?.export({ format: 'jwk' })).toEqual((await one.find(kid))?.export({ format: 'jwk' }))
})

test('processes that start at the same time make one key', async () => {
  // Connections are made beforehand: else their making would put the processes in a row.
  await Promise.all(Array.from({ length: 5 }, () => sql`select pg_sleep(0.05)`.execute(postgres.database.system)))
  const kids = await Promise.all(Array.from({ length: 5 }, async () => (await start().current()).kid))
  expect(new Set(kids).size).toBe(1)
  const { rows } = await sql<{ readonly count: number }>`select count(*)::int as count from signing_keys`.execute(postgres.database.system)
  expect(rows).toEqual([{ count: 1 }])
})

test('the next key is published before it signs, and the last one verifies after it has signed', async () => {
  const keys = start()
  const first = await keys.current()
  at += signsMs - publishedAheadMs - 1
  expect(await published(keys)).toEqual([first.kid])
  at += 1
  expect((await keys.current()).kid).toBe(first.kid)
  const [, next] = await published(keys)
  expect(next).toBeDefined()
  at += publishedAheadMs
  expect((await keys.current()).kid).toBe(next)
  expect(await keys.find(first.kid)).toBeDefined()
  at += verifiesAfterMs
  expect(keys.isValid(first.kid)).toBe(false)
  expect(await keys.find(first.kid)).toBeUndefined()
  expect(await start().find(first.kid)).toBeUndefined()
})

test('a process that saw nothing of a rotation verifies with the new key', async () => {
  const [one, other] = [start(), start()]
  await other.current()
  await one.current()
  at += signsMs
  const { kid } = await one.current()
  expect(other.isValid(kid)).toBe(false)
  expect(await other.find(kid)).toBeDefined()
})

test('after a year without a process there is a key again', async () => {
  const before = await start().current()
  at += 365 * 24 * 60 * 60 * 1000
  const keys = start()
  expect((await keys.current()).kid).not.toBe(before.kid)
})

test('keys whose time is over are deleted', async () => {
  await start().current()
  at += 2 * signsMs
  await start().current()
  const { rows } = await sql<{ readonly count: number }>`select count(*)::int as count from signing_keys`.execute(postgres.database.system)
  expect(rows).toEqual([{ count: 1 }])
})

test('after a change of the secret key a new key signs, and the old one still verifies', async () => {
  const before = await start().current()
  const keys = start(randomBytes(32))
  const after = await keys.current()
  expect(after.kid).not.toBe(before.kid)
  expect(await keys.find(before.kid)).toBeDefined()
})

test('a private key does not lie in the database in the clear', async () => {
  const { privateKey } = await start().current()
  const { rows } = await sql<{ readonly private_key: Buffer }>`select private_key from signing_keys`.execute(postgres.database.system)
  const { d = '' } = privateKey.export({ format: 'jwk' })
  expect(rows[0]?.private_key.includes(Buffer.from(d, 'base64url'))).toBe(false)
})

test('the published document contains no private key', async () => {
  const { keys } = await start().jwks()
  expect(keys).toEqual([
    { kty: 'OKP', crv: 'Ed25519', x: expect.stringMatching(/^[\w-]{43}$/), kid: expect.any(String), alg: 'EdDSA', use: 'sig' },
  ])
})

test('an unknown key id is no key', async () => {
  expect(await start().find('made up')).toBeUndefined()
  expect(await start().find('__proto__')).toBeUndefined()
})
