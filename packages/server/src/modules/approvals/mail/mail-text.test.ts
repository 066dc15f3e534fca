import type { JsonObject } from '@millrace/engine'
import { describe, expect, test } from 'vitest'
import type { DueMail } from './mail-store.ts'
import { messageOf } from './mail-text.ts'

const link = 'https://millrace.example/api/v1/approvals/mla_x'

function messageFor(args: JsonObject = {}, more: Partial<DueMail> = {}) {
  const mail: DueMail = {
    id: '0192f3b4-7d1e-7c22-9a57-1f4a6c0d9e11',
    accountId: 'a',
    approvalId: 'b',
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
  return messageOf(mail, mail.kind === 'link' ? link : undefined)
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
      link,
      expect.stringContaining('can be answered once'),
    ])
  })

  test.each([
    ['reject', 'rejected'],
    ['approve', 'approved'],
  ])('says that the deadline will %s', (onDeadline, word) => {
    expect(messageFor({ deadline: 'P1D', onDeadline }).text).toContain(
      `Without a decision until 2026-03-02T12:00:00.000Z it will be ${word}.`,
    )
  })

  test('a mail without a link asks for no decision', () => {
    const { subject, text } = messageFor({}, { kind: 'notice' })
    expect(subject).toBe('Not decided yet: Release')
    expect(text).not.toMatch(/https?:|asked for your approval/)
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
