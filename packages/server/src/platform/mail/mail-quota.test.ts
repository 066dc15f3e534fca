import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { MailError } from './mail-error.ts'
import { limitMailer, type MailLimit } from './mail-quota.ts'
import type { Mailer, MailMessage } from './mailer.ts'
import { box, messageTo, never } from './testing-mailer.ts'

let scene: TestDatabase
beforeAll(async () => {
  scene = await createTestDatabase()
})
afterAll(() => scene.drop())
beforeEach(() => sql`delete from rate_limit_counters`.execute(scene.database.system))

function limited(limit: MailLimit, db = scene.database.system) {
  const sent: MailMessage[] = []
  const errors: unknown[] = []
  const mailer: Mailer = {
    async send(message) {
      sent.push(message)
      return { messageId: '<1@example.com>', accepted: [], rejected: [] }
    },
    close: () => undefined,
  }
  return { sent, errors, mailer: limitMailer(mailer, { db, limit, onError: (error) => void errors.push(error) }) }
}

async function refusalOf(sent: Promise<unknown>): Promise<MailError> {
  const error = await sent.catch((reason: unknown) => reason)
  if (error instanceof MailError) return error
  throw new Error('it was not refused', { cause: error })
}

describe('an account that has sent as many mails as it may', () => {
  test('an account over its quota sends no mail until the window ends, and the error says when', async () => {
    const { mailer, sent } = limited({ limit: 2, windowSeconds: 60 })
    for (let count = 0; count < 2; count++) await mailer.send(messageTo('ada@example.org'), never)
    const refusal = await refusalOf(mailer.send(messageTo('ada@example.org'), never))
    expect(refusal).toMatchObject({ failure: 'quota', temporary: true })
    expect(refusal.message).toMatch(/2 recipients in 60 s \(MILLRACE_MAILS_PER_ACCOUNT\).*Try again in (60|59) s/)
    expect(refusal.retryAfterMs).toBeGreaterThan(50_000)
    expect(sent).toHaveLength(2)
    await sql`update rate_limit_counters set ends_at = now()`.execute(scene.database.system)
    await mailer.send(messageTo('ada@example.org'), never)
    expect(sent).toHaveLength(3)
  })

  test('does not keep others from sending', async () => {
    const { mailer, sent } = limited({ limit: 1, windowSeconds: 60 })
    await mailer.send(messageTo('ada@example.org', { accountId: 'one' }), never)
    await mailer.send(messageTo('ada@example.org', { accountId: 'other' }), never)
    await refusalOf(mailer.send(messageTo('ada@example.org', { accountId: 'one' }), never))
    expect(sent).toHaveLength(2)
  })

  test('has sent to every recipient, whichever way; what is refused does not count', async () => {
    const { mailer, sent } = limited({ limit: 4, windowSeconds: 60 })
    const three = messageTo('a@example.org', { cc: [box('b@example.org')], bcc: [box('c@example.org')] })
    await mailer.send(three, never)
    await refusalOf(mailer.send(three, never))
    await mailer.send(messageTo('d@example.org'), never)
    expect(sent).toHaveLength(2)
  })

  test('is stopped however many mails go at the same time', async () => {
    const { mailer, sent } = limited({ limit: 5, windowSeconds: 60 })
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => mailer.send(messageTo('ada@example.org'), never)))
    expect([sent.length, all.filter(({ status }) => status === 'rejected').length]).toEqual([5, 15])
  })
})

test('a mail to more recipients than there may ever be is no mail to be tried again', async () => {
  const { mailer } = limited({ limit: 1, windowSeconds: 60 })
  const refusal = await refusalOf(mailer.send(messageTo('a@example.org', { cc: [box('b@example.org')] }), never))
  expect(refusal).toMatchObject({ failure: 'invalid', temporary: false, message: expect.stringContaining('this one has 2') })
})

test('a mail is sent when counting fails, with a warning to the operator', async () => {
  const other = await createTestDatabase()
  await other.drop()
  const { mailer, sent, errors } = limited({ limit: 1, windowSeconds: 60 }, other.database.system)
  await mailer.send(messageTo('a@example.org'), never)
  expect([sent.length, errors.length]).toEqual([1, 1])
})
