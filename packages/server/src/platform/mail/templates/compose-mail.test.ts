import { expect, test } from 'vitest'
import { composeMail, mailLocaleOf } from './compose-mail.ts'

const hostile = `<script>alert(1)</script> & "quotes' `

test('no text of a mail becomes markup', () => {
  const mail = composeMail('en', {
    subject: `Hello ${hostile}`,
    blocks: [
      { paragraph: hostile },
      { code: hostile },
      { link: { label: hostile, url: `https://e.example/${hostile}` } },
      { facts: [[hostile, hostile]] },
    ],
  })
  expect(mail.html).not.toContain('<script>')
  expect(mail.html).not.toMatch(/href="[^"]*'/)
  expect(mail.text).toContain(hostile)
})

test('a link that is not http has no target', () => {
  const mail = composeMail('en', { subject: 'x', blocks: [{ link: { label: 'go', url: 'javascript:alert(1)' } }] })
  expect(mail.html).toContain('href="#"')
})

test('line breaks in a subject are replaced, so that it adds no header', () => {
  expect(composeMail('en', { subject: 'a\r\nBcc: b@example.com', blocks: [] }).subject).toBe('a Bcc: b@example.com')
})

test('an Arabic mail is written from right to left, and both forms have every part', () => {
  const mail = composeMail('ar', { subject: 'رمز', blocks: [{ paragraph: 'رمزك' }, { code: '123456' }, { facts: [['الوقت', '12:00']] }] })
  expect(mail.html).toContain('<html lang="ar" dir="rtl">')
  for (const part of ['رمزك', '123456', 'الوقت', '12:00']) for (const form of [mail.html, mail.text]) expect(form).toContain(part)
})

test('every Arabic language tag gets Arabic mails, and every other one English', () => {
  expect(['ar', 'ar-SA', 'AR-eg', 'arn', 'de', undefined].map(mailLocaleOf)).toEqual(['ar', 'ar', 'ar', 'en', 'en', 'en'])
})
