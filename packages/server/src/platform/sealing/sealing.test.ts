import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import type { RootKey } from '#platform/secrets/root-keys.ts'
import { createSealing } from './sealing.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.drop())

const rootsOf = (current: RootKey, ...earlier: readonly RootKey[]) => ({
  current: () => Promise.resolve(current),
  of: (version: number) => Promise.resolve([current, ...earlier].find((root) => root.version === version)),
})

const secret = randomBytes(32)
const sealing = createSealing({ roots: rootsOf({ version: 1, secret }), randomBytes })
const place = { table: 'user_totp', column: 'secret', row: 'a' }
const plain = Buffer.from('the plain text')

async function sealed(accountId: string): Promise<Buffer> {
  return db.database.account(accountId, (tx) => sealing.seal(tx, accountId, place, plain))
}

test('a sealed value is opened under its account and place, and under no other', async () => {
  const [one, two] = [newId(), newId()]
  const value = await sealed(one)
  await sealed(two)
  const open = (accountId: string, where = place) => sealing.open(db.database.system, accountId, where, value)
  expect(value.includes(plain)).toBe(false)
  expect(await open(one)).toEqual(plain)
  expect(await open(two)).toBeUndefined()
  expect(await open(one, { ...place, row: 'b' })).toBeUndefined()
  expect(await open(one, { ...place, column: 'other' })).toBeUndefined()
})

test('a changed byte anywhere makes a sealed value unreadable', async () => {
  const accountId = newId()
  const value = await sealed(accountId)
  for (let at = 0; at < value.length; at++) {
    const changed = Buffer.from(value)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(await sealing.open(db.database.system, accountId, place, changed), `byte ${at}`).toBeUndefined()
  }
})

test('values that are sealed at the same time for a new account have one key', async () => {
  const accountId = newId()
  const values = await Promise.all(Array.from({ length: 8 }, () => sealed(accountId)))
  for (const value of values) expect(await sealing.open(db.database.system, accountId, place, value)).toEqual(plain)
})

test('nothing of an account can be opened after its key was destroyed, even with a new key', async () => {
  const accountId = newId()
  const value = await sealed(accountId)
  await sealing.destroyAccountKey(db.database.system, accountId)
  expect(await sealing.open(db.database.system, accountId, place, value)).toBeUndefined()
  await sealed(accountId)
  expect(await sealing.open(db.database.system, accountId, place, value)).toBeUndefined()
})

test('a new key of the installation seals new accounts, and the earlier one still opens old ones', async () => {
  const accountId = newId()
  const value = await sealed(accountId)
  const rotated = createSealing({ roots: rootsOf({ version: 2, secret: randomBytes(32) }, { version: 1, secret }), randomBytes })
  expect(await rotated.open(db.database.system, accountId, place, value)).toEqual(plain)
  const young = newId()
  await rotated.seal(db.database.system, young, place, plain)
  const { rows } = await sql<{ sealed_by: number }>`select sealed_by from account_keys where account_id = ${young}`.execute(
    db.database.system,
  )
  expect(rows).toEqual([{ sealed_by: 2 }])
  await expect(sealing.open(db.database.system, young, place, Buffer.of(1, 2))).rejects.toThrow('version 2 of the root key')
})

test('the transaction of a prepared root key reads none, however long it waited for its connection', async () => {
  let reads = 0
  const roots = rootsOf({ version: 1, secret })
  const counting = createSealing({ roots: { ...roots, current: () => (reads++, roots.current()) }, randomBytes })
  const accountId = newId()
  const root = await counting.prepare()
  const value = await db.database.system.transaction().execute((tx) => counting.seal(tx, accountId, place, plain, root))
  expect(reads).toBe(1)
  expect(await sealing.open(db.database.system, accountId, place, value)).toEqual(plain)
})

test('a key that another installation sealed is an error and not an empty value', async () => {
  const accountId = newId()
  const value = await sealed(accountId)
  const foreign = createSealing({ roots: rootsOf({ version: 1, secret: randomBytes(32) }), randomBytes })
  await expect(foreign.open(db.database.system, accountId, place, value)).rejects.toThrow('has changed')
})
