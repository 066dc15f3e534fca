import type { JsonObject } from '@millrace/engine'
import { describe, expect, test } from 'vitest'
import type { DueMail } from './mail-store.ts'
import { messageOf } from './mail-text.ts'

const link = 'https://millrace.example/approve/mla_x'
const run = 'https://millrace.example/runs/exec_x'

function messageFor(args: JsonObject = {}, more: Partial<DueMail> = {}) {
  const mail: DueMail = {
    id: '0192f3b4-7d1e-7c22-9a57-1f4a6c0d9e11',
    accountId: 'a',
    approvalId: 'b',
    executionId: 'x',
    step: 0,
    locale: undefined,
    zone: undefined,
    kind: 'link',
    email: 'ada@example.com',
    name: 'Ada Lovelace',
    sealedToken: undefined,
    attempts: 1,
    arguments: { title: 'Release', approvers: ['ada@example.com'], ...args },
    openedAt: new Date('2026-03-01T12:00:00Z'),
    workflow: 'deploy',
    ...more,
  }
  return messageOf(mail, { decide: mail.kind === 'link' ? link : undefined, run })
}

describe('the mail', () => {
  test('the mail of one row has the same text at any time', () => {
    expect(messageFor()).toEqual(messageFor())
    expect(messageFor().key).toBe('approval-0192f3b4-7d1e-7c22-9a57-1f4a6c0d9e11')
  })

  test('a mail contains the question, the workflow and the link', () => {
    const { to, subject, text } = messageFor({ description: 'Look twice.' })
    expect(to).toEqual([{ name: 'Ada Lovelace', address: 'ada@example.com' }])
    expect(subject).toBe('Approval needed: Release')
    expect(text?.split('\n\n')).toEqual([
      'Your approval is needed: Release',
      'Workflow: deploy',
      'Look twice.',
      `Open the question:\n${link}`,
      expect.stringContaining('can be answered once'),
      expect.stringContaining('automatically'),
    ])
  })

  test.each([
    ['reject', 'rejected'],
    ['approve', 'approved'],
  ])('says that the deadline will %s', (onDeadline, word) => {
    const { text, html } = messageFor({ deadline: 'P1D', onDeadline }, { zone: 'Europe/Berlin' })
    for (const form of [text, html])
      expect(form).toMatch(new RegExp(`Without a decision until Monday,? 2 March 2026 at 13:00 CET it will be ${word}\\.`))
  })

  test('details are fields for people, in text and HTML', () => {
    const details = {
      invoiceNo: 4711,
      urgent: true,
      note: null,
      tags: ['new', 'eu'],
      customer: { name: 'Harbour <GmbH>', address: { city: 'Hamburg' } },
      lines: [
        { sku: 'A', price: { net: 1, currency: 'EUR' } },
        { sku: 'B', sizes: [1, 2] },
      ],
      due: '2026-03-31',
      period: '2026-13-31',
      placed: '2026-03-01T09:30:00Z',
      none: {},
    }
    const { text, html } = messageFor({ details }, { zone: 'Europe/Berlin' })
    const facts = [
      'Invoice no: 4711',
      'Urgent: yes',
      'Note: –',
      'Tags: new, eu',
      'Customer › Name: Harbour <GmbH>',
      'Customer › Address › City: Hamburg',
      'Lines 1: Sku: A, Price: (Net: 1, Currency: EUR)',
      'Lines 2: Sku: B, Sizes: (1, 2)',
      'Due: 31 March 2026',
      'Period: 2026-13-31',
    ]
    expect(text).toContain(facts.join('\n'))
    expect(text).toMatch(/Placed: Sunday,? 1 March 2026 at 10:30 CET\nNone: –/)
    expect(html).toMatch(/<th[^>]*>Customer › Name<\/th><td><bdi>Harbour &lt;GmbH&gt;<\/bdi>/)
  })

  test('a recipient reads Arabic, from right to left, with the time of their zone', () => {
    const { subject, text, html } = messageFor({ deadline: 'P1D', details: { paid: false } }, { locale: 'ar-SA', zone: 'Asia/Riyadh' })
    expect(subject).toBe('موافقة مطلوبة: Release')
    expect(text).toMatch(/2 مارس 2026 .*15:00/)
    expect(text).toContain('Paid: لا')
    expect(html).toContain('<html lang="ar" dir="rtl">')
  })

  test('a mail of an escalation says that others have not decided, and has a link', () => {
    const { text, html } = messageFor({}, { step: 1 })
    expect(text).toContain('The people who were asked before have not decided.')
    for (const form of [text, html]) expect(form).toContain(link)
  })

  test('a reminder asks for no decision, and leads to the run', () => {
    const { subject, text, html } = messageFor({}, { kind: 'notice', step: 1 })
    expect(subject).toBe('Not decided yet: Release')
    expect(text).not.toMatch(/approve\/|approval is needed|asked before/)
    for (const form of [text, html]) expect(form).toContain(run)
  })

  test('a mail truncates long details at a character boundary', () => {
    const { text = '' } = messageFor({ details: { long: '💥'.repeat(20_000) } })
    expect(text.length).toBeLessThan(11_000)
    expect(text).toContain('more behind the link')
    expect(text.isWellFormed()).toBe(true)
  })

  test('a line break in a name does not reach the header of the mail', () => {
    expect(messageFor({}, { name: 'Ada\r\nBcc: eve@evil.example' }).to[0]?.name).toBe('Ada  Bcc: eve@evil.example')
  })
})
