import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSecretBox } from '#platform/auth/secret-box.ts'
import { newId } from '#platform/ids.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import { testMailer } from '#platform/mail/testing-mailer.ts'
import { startSmtpServer } from '#platform/mail/testing-smtp-server.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { createApprovalProcessor, type ApprovalProcessorDeps } from './approval-processor.ts'

let db: TestDatabase
let nowMs: number
const open: { close(): void }[] = []
beforeEach(async () => {
  db = await createTestDatabase()
  nowMs = Date.UTC(2026, 2, 1, 12)
})
afterEach(async () => {
  for (const each of open.splice(0)) each.close()
  await db.drop()
})

const accountId = newId()
const key = randomBytes(32)
const hour = 3_600_000

/** A processor on the test's clock, with the messages that it sent and its warnings. */
function processorWith(mailer: Mailer | undefined, more: Partial<ApprovalProcessorDeps> = {}) {
  const delivered: { position: string; value: unknown }[] = []
  const warnings: unknown[] = []
  const events: unknown[] = []
  const made = createApprovalProcessor({
    db: db.database.system,
    engine: {
      sendMessage: async ({ executionId, position, value }) => {
        const { numDeletedRows } = await db.database.system
          .deleteFrom('waits')
          .where('execution_id', '=', executionId)
          .where('position', '=', position)
          .executeTakeFirst()
        if (numDeletedRows === 1n) delivered.push({ position, value })
        return numDeletedRows === 1n
      },
    },
    mailer,
    box: createSecretBox(key, 'approval-links', randomBytes),
    linkOf: (token) => `http://millrace.example/approve/${token}`,
    runOf: (executionId) => `http://millrace.example/runs/${executionId}`,
    audit: async (_tx, { event, details }) => void events.push([event, details]),
    now: () => nowMs,
    newId,
    randomBytes,
    warn: (message, details) => void warnings.push([message, details]),
    ...more,
  })
  return { ...made, delivered, warnings, events }
}

function mailerTo(port: number): Mailer {
  const mailer = testMailer(port)
  open.push(mailer)
  return mailer
}

/** Opens a wait as the engine does. */
async function opens(args: object, position = '/do/0/ask'): Promise<void> {
  await sql`insert into waits (execution_id, position, account_id, topic, arguments, opened_at)
    values (${newId()}, ${position}, ${accountId}, 'approve', ${JSON.stringify({ title: 'Release', approvers: ['ada@example.org'], ...args })}, ${new Date(nowMs)})`.execute(
    db.database.system,
  )
}

async function mails() {
  const { rows } = await sql<{
    email: string
    attempts: number
    sent_at: Date | null
    failure: string | null
    next_attempt_at: Date | null
  }>`
    select email, attempts, sent_at, failure, next_attempt_at from approval_mails order by id`.execute(db.database.system)
  return rows
}

async function states(): Promise<readonly string[]> {
  const { rows } = await sql<{ state: string }>`select state from approvals order by id`.execute(db.database.system)
  return rows.map(({ state }) => state)
}

describe('a mail', () => {
  test('a mail that the server defers is sent later as the same mail with the same link', async () => {
    let refusals = 2
    await using server = await startSmtpServer({
      onMailFrom(_address, _session, callback) {
        callback(refusals-- > 0 ? Object.assign(new Error('Come back later'), { responseCode: 451 }) : null)
      },
    })
    const { processDue, sendMails } = processorWith(mailerTo(server.port))
    await opens({})
    await processDue()
    await sendMails()
    expect(await mails()).toMatchObject([{ attempts: 1, sent_at: null, failure: expect.stringContaining('Come back later') }])
    await sendMails()
    expect(await mails()).toMatchObject([{ attempts: 1 }])
    nowMs += 30_000
    await sendMails()
    nowMs += 59_999
    await sendMails()
    expect(await mails()).toMatchObject([{ attempts: 2 }])
    nowMs += 1
    await sendMails()
    expect(await mails()).toMatchObject([{ attempts: 3, sent_at: new Date(nowMs), failure: null, next_attempt_at: null }])
    expect(server.deliveries).toHaveLength(1)
  })

  test('a mail whose process died while sending is sent again as the same mail', async () => {
    await using server = await startSmtpServer()
    const { processDue, sendMails } = processorWith(mailerTo(server.port))
    await opens({})
    await processDue()
    const sealed = await sql<{ sealed_token: Buffer }>`select sealed_token from approval_mails`.execute(db.database.system)
    await sendMails()
    // What the process would have noted is lost with it.
    await sql`update approval_mails set sent_at = null, sealed_token = ${sealed.rows[0]?.sealed_token}, next_attempt_at = ${new Date(nowMs + 300_000)}`.execute(
      db.database.system,
    )
    await sendMails()
    expect(server.deliveries).toHaveLength(1)
    nowMs += 300_000
    await sendMails()
    const [first, second] = server.deliveries
    expect(server.deliveries).toHaveLength(2)
    expect(second?.mail.messageId).toBe(first?.mail.messageId)
    expect(second?.mail.text).toBe(first?.mail.text)
  })

  test('a mail that the server refuses permanently is not retried, shows its failure, and delays no others', async () => {
    await using server = await startSmtpServer({
      onRcptTo: ({ address }, _session, callback) =>
        callback(address.startsWith('gone') ? Object.assign(new Error('No such mailbox'), { responseCode: 550 }) : null),
    })
    const { processDue, sendMails, warnings } = processorWith(mailerTo(server.port))
    await opens({ approvers: ['gone@example.org', 'ada@example.org'] })
    await processDue()
    await sendMails()
    expect(await mails()).toMatchObject([
      { email: 'gone@example.org', sent_at: null, next_attempt_at: null, failure: expect.stringContaining('No such mailbox') },
      { email: 'ada@example.org', failure: null, sent_at: new Date(nowMs) },
    ])
    expect(warnings).toEqual([])
  })

  test('a mail without a reachable server is retried for more than a day, and then abandoned', async () => {
    const { processDue, sendMails } = processorWith(mailerTo(1))
    await opens({})
    await processDue()
    let days = 0
    for (; days < 100 && (await mails())[0]?.next_attempt_at !== null; days++) {
      nowMs += hour
      await sendMails()
    }
    expect(days).toBeGreaterThan(24)
    expect(days).toBeLessThan(48)
    expect(await mails()).toMatchObject([{ sent_at: null, failure: expect.stringMatching(/./), next_attempt_at: null }])
  })

  test('a mail that is no longer needed is not sent', async () => {
    await using server = await startSmtpServer()
    const { processDue, sendMails } = processorWith(mailerTo(server.port))
    await opens({})
    await processDue()
    await sql`delete from waits`.execute(db.database.system)
    await processDue()
    await sendMails()
    expect(await states()).toEqual(['closed'])
    expect(server.deliveries).toEqual([])
    expect(await mails()).toMatchObject([{ next_attempt_at: null, sent_at: null, failure: null }])
  })

  test('an approval without a wait is closed together with its mails, or remains to be closed', async () => {
    const { processDue } = processorWith(mailerTo(1))
    await opens({})
    await processDue()
    await sql`delete from waits`.execute(db.database.system)
    await sql`alter table approval_mails add constraint refusal check (next_attempt_at is not null) not valid`.execute(db.database.system)
    await expect(processDue()).rejects.toThrow('refusal')
    await sql`alter table approval_mails drop constraint refusal`.execute(db.database.system)
    await processDue()
    expect(await states()).toEqual(['closed'])
    expect(await mails()).toMatchObject([{ next_attempt_at: null, sent_at: null }])
  })

  test('an installation without mail records that mails are not sent', async () => {
    const { processDue, sendMails } = processorWith(undefined)
    await opens({})
    await processDue()
    await sendMails()
    expect(await mails()).toMatchObject([{ next_attempt_at: null, failure: expect.stringContaining('MILLRACE_SMTP_URL') }])
  })

  test('each person gets one mail, in whatever way and stage they are named', async () => {
    await using server = await startSmtpServer()
    const userId = newId()
    await sql`insert into accounts (id, name) values (${accountId}, 'A') on conflict do nothing`.execute(db.database.system)
    await sql`insert into users (id, account_id, email, role, created_at) values (${userId}, ${accountId}, 'ada@example.org', 'admin', now())`.execute(
      db.database.system,
    )
    const { processDue, sendMails } = processorWith(mailerTo(server.port))
    await opens({ approvers: ['ADA@example.org', { role: 'admin' }], escalation: [{ after: 'PT1H', approvers: [{ role: 'viewer' }] }] })
    await processDue()
    await sendMails()
    nowMs += hour
    await processDue()
    await sendMails()
    expect(server.deliveries.map(({ recipients }) => recipients)).toEqual([['ada@example.org']])
  })
})

describe('the audit log', () => {
  test('has each escalation once with whom it asks, also when the stages begin again, and the deadline with what it decides', async () => {
    const { processDue, events } = processorWith(undefined)
    const escalation = [{ after: 'PT1H', approvers: [{ role: 'owner' }, 'bob@example.org'], notify: ['boss@example.org'] }]
    await opens({ escalation, deadline: 'PT3H', onDeadline: 'approve' })
    await processDue()
    expect(events).toEqual([])
    nowMs += hour
    await processDue()
    const escalated = ['approval.escalated', { asked: ['role:owner', 'bob@example.org'], notified: ['boss@example.org'] }]
    expect(events).toEqual([escalated])
    // As when an administrator replaces an approver.
    await sql`update approvals set steps = 0, due_at = ${new Date(nowMs)}`.execute(db.database.system)
    await processDue()
    expect(events).toEqual([escalated])
    nowMs += 2 * hour
    await processDue()
    expect(events).toEqual([escalated, ['approval.expired', { decision: 'approve' }]])
  })
})

describe('time', () => {
  test('each stage begins once, even when several are overdue', async () => {
    const { processDue } = processorWith(undefined)
    const escalation = ['PT1H', 'PT2H', 'PT3H'].map((after, index) => ({ after, notify: [`boss${index}@example.org`] }))
    await opens({ escalation })
    await processDue()
    expect(await mails()).toHaveLength(1)
    nowMs += hour - 1
    await processDue()
    expect(await mails()).toHaveLength(1)
    nowMs += 1
    await processDue()
    await processDue()
    expect(await mails()).toHaveLength(2)
    nowMs += 10 * hour
    await processDue()
    expect((await mails()).map(({ email }) => email)).toEqual([
      'ada@example.org',
      'boss0@example.org',
      'boss1@example.org',
      'boss2@example.org',
    ])
  })

  test('a deadline takes effect on time, and its result is delivered once', async () => {
    const { processDue, delivered } = processorWith(undefined)
    await opens({ deadline: 'PT1H', onDeadline: 'approve' })
    await processDue()
    nowMs += hour - 1
    await processDue()
    expect([await states(), delivered]).toEqual([['open'], []])
    nowMs += 1
    await processDue()
    await processDue()
    expect(await states()).toEqual(['expired'])
    expect(delivered).toMatchObject([{ value: { approved: true, outcome: 'expired', answers: [] } }])
  })

  test('several processes begin each stage once and deliver each decision once', async () => {
    const processors = Array.from({ length: 4 }, () => processorWith(undefined))
    for (let count = 0; count < 30; count++) await opens({ deadline: 'PT1H' }, `/do/${count}/ask`)
    await Promise.all(processors.map(({ processDue }) => processDue()))
    expect(await mails()).toHaveLength(30)
    nowMs += hour
    await Promise.all(processors.map(({ processDue }) => processDue()))
    await Promise.all(processors.map(({ processDue }) => processDue()))
    expect(new Set(await states())).toEqual(new Set(['expired']))
    expect(processors.flatMap(({ delivered }) => delivered)).toHaveLength(30)
  })
})

describe('trouble', () => {
  test('an error with one approval is logged, and the others are processed', async () => {
    const { processDue, delivered, warnings } = processorWith(undefined)
    await opens({ deadline: 'PT1H' }, '/do/0/bad')
    await opens({ deadline: 'PT1H' }, '/do/0/good')
    await sql`update approvals set arguments = '{"title": 1, "approvers": ["a@b.c"], "escalation": [null], "deadline": "PT1H"}' where position = '/do/0/bad'`.execute(
      db.database.system,
    )
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`.execute(
      db.database.system,
    )
    await sql`create trigger refuse before update on approvals for each row when (new.position = '/do/0/bad' and new.state = 'expired') execute function refuse()`.execute(
      db.database.system,
    )
    nowMs += hour
    await processDue()
    expect(delivered.map(({ position }) => position)).toEqual(['/do/0/good'])
    expect(warnings).toMatchObject([['an approval could not be processed', { error: expect.objectContaining({ message: 'refused' }) }]])
    await sql`drop trigger refuse on approvals`.execute(db.database.system)
    nowMs += 60_000
    await processDue()
    expect(delivered.map(({ position }) => position)).toEqual(['/do/0/good', '/do/0/bad'])
  })

  test('a decision that the engine could not accept is delivered again later', async () => {
    const { processDue } = processorWith(undefined, { engine: { sendMessage: () => Promise.reject(new Error('not now')) } })
    await opens({ deadline: 'PT1H' })
    nowMs += hour
    await processDue()
    expect(await states()).toEqual(['expired'])
    const healthy = processorWith(undefined)
    nowMs += 60_000
    await healthy.processDue()
    expect(healthy.delivered).toHaveLength(1)
  })
})

test('stopping aborts running work and leaves it to the next process', async () => {
  const { promise: came, resolve } = Promise.withResolvers<void>()
  const mailer: Mailer = {
    send: (_message, signal) => {
      resolve()
      return new Promise((_done, fail) => signal.addEventListener('abort', () => fail(new Error('stopped'))))
    },
    close: () => undefined,
  }
  const stopping = processorWith(mailer)
  await opens({})
  await stopping.processDue()
  const sending = stopping.sendMails()
  await came
  await stopping.stop()
  await sending
  await using server = await startSmtpServer()
  await processorWith(mailerTo(server.port)).sendMails()
  expect(server.deliveries).toHaveLength(1)
})

test('waits of other topics open no approval', async () => {
  await sql`insert into waits (execution_id, position, account_id, topic, arguments, opened_at)
    values (${newId()}, '/do/0/other', ${accountId}, 'something', '{}', now())`.execute(db.database.system)
  await sql`delete from waits`.execute(db.database.system)
  const { rows } =
    await sql`select (select count(*)::int from approvals) as approvals, (select count(*)::int from approval_ends) as ends`.execute(
      db.database.system,
    )
  expect(rows).toEqual([{ approvals: 0, ends: 0 }])
})
