import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { MailError } from '#platform/mail/mail-error.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { createMailTrouble } from './mail-trouble.ts'

let scene: TestDatabase
beforeAll(async () => {
  scene = await createTestDatabase()
})
afterAll(() => scene.drop())
beforeEach(() => sql`delete from mail_trouble`.execute(scene.database.system))

const minuteMs = 60_000

function watched() {
  const clock = { at: Date.UTC(2026, 0, 1) }
  const notices: number[] = []
  const trouble = createMailTrouble({
    db: scene.database.system,
    now: () => clock.at,
    notify: async (_tx, { failures }) => void notices.push(failures),
    onError: (error) => {
      throw error
    },
  })
  return { clock, notices, trouble }
}

const unreachable = new MailError('unreachable', 'The connection failed.')
const refused = new MailError('authentication', 'Wrong password.', { replyCode: 535 })

test('a mail server that is away for less than five minutes is no notice, and one that is away longer is one a day', async () => {
  const { clock, notices, trouble } = watched()
  for (let count = 0; count < 5; count++) {
    await trouble.failed(unreachable)
    clock.at += minuteMs
  }
  expect(notices).toEqual([])
  for (let count = 0; count < 3; count++) await trouble.failed(unreachable)
  expect(notices).toEqual([6])
  clock.at += 24 * 60 * minuteMs
  await trouble.failed(unreachable)
  expect(notices).toEqual([6, 9])
})

test('a login that is refused three times is a notice at once', async () => {
  const { notices, trouble } = watched()
  for (let count = 0; count < 4; count++) await trouble.failed(refused)
  expect(notices).toEqual([3])
})

test('a mail that is sent begins the count anew', async () => {
  const { notices, trouble } = watched()
  for (let count = 0; count < 2; count++) await trouble.failed(refused)
  await trouble.sent()
  expect(await trouble.read()).toBeUndefined()
  for (let count = 0; count < 2; count++) await trouble.failed(refused)
  expect([notices, await trouble.read()]).toEqual([[], undefined])
})

test('failures of several processes at the same time are all counted, and are one notice', async () => {
  const { notices, trouble } = watched()
  await Promise.all(Array.from({ length: 8 }, () => trouble.failed(refused)))
  expect([notices, (await trouble.read())?.failures]).toEqual([[3], 8])
})
