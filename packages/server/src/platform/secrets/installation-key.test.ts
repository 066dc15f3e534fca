import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#testing/database.ts'
import { checkInstallationKey, matchesInstallationKey } from './installation-key.ts'

test('a database that was sealed under another key refuses a process until the new key is accepted', async () => {
  await using own = await createTestDatabase()
  const db = own.database.system
  const [first, second] = [randomBytes(32), randomBytes(32)]
  const options = { now: new Date(), acceptNew: false }
  expect(await matchesInstallationKey(db, first)).toBe(true)
  await checkInstallationKey(db, { ...options, secretKey: first })
  await checkInstallationKey(db, { ...options, secretKey: first })
  await expect(checkInstallationKey(db, { ...options, secretKey: second })).rejects.toThrow('sealed under another secret key')
  expect(await matchesInstallationKey(db, second)).toBe(false)
  await checkInstallationKey(db, { ...options, secretKey: second, acceptNew: true })
  await expect(checkInstallationKey(db, { ...options, secretKey: first })).rejects.toThrow('--accept-new-key')
})

test('of two processes that start with different keys at once one is refused', async () => {
  await using own = await createTestDatabase()
  const db = own.database.system
  const checks = [randomBytes(32), randomBytes(32)].map((secretKey) =>
    checkInstallationKey(db, { secretKey, now: new Date(), acceptNew: false }),
  )
  const results = await Promise.allSettled(checks)
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})
