import { describe, expect, test } from 'vitest'
import { checkMessage } from './check-message.ts'
import type { MailMessage } from './mailer.ts'
import { box, messageTo } from './testing-mailer.ts'

function faultOf(more: Partial<MailMessage>): string | undefined {
  try {
    checkMessage(messageTo('ada@example.org', more))
    return undefined
  } catch (error) {
    expect(error).toMatchObject({ name: 'MailError', failure: 'invalid' })
    return String(error)
  }
}

test('a plain message has no fault', () => {
  expect(faultOf({ headers: { 'X-Order': '1', 'List-Unsubscribe': '<https://example.com>' }, subject: 'Grüße\tund so' })).toBeUndefined()
})

describe('what would begin another header is refused', () => {
  test.each([
    ['the subject', { subject: 'Hello\r\nBcc: eve@evil.example' }],
    ['the subject, with a bare line feed', { subject: 'Hello\nBcc: eve@evil.example' }],
    ['the subject, with a NUL', { subject: 'Hello\u0000' }],
    ['the value of a header', { headers: { 'X-A': 'a\r\nBcc: eve@evil.example' } }],
    ['the name of a header', { headers: { 'X-A: 1\r\nBcc': 'eve@evil.example' } }],
    ['the name of a header, with a colon', { headers: { 'Bcc:': 'eve@evil.example' } }],
    ['an address', { to: [box('ada@example.org>\r\nRCPT TO:<eve@evil.example')] }],
    ['an address that is more than one', { replyTo: [box('Ada <ada@example.org>')] }],
    ['the sender', { from: box('ada@example.org\n') }],
    ['a name', { cc: [box('ada@example.org', 'Ada\r\nBcc: eve@evil.example')] }],
    ['a filename', { attachments: [{ filename: 'a\r\nX: 1', content: Buffer.of() }] }],
    ['a media type', { attachments: [{ filename: 'a', contentType: 'text/plain\r\nX: 1', content: Buffer.of() }] }],
  ])('in %s', (_where, more) => {
    expect(faultOf(more)).toBeDefined()
  })
})

test.each([
  'From',
  'sender',
  'BCC',
  'Message-ID',
  'Content-Type',
  'Content-Transfer-Encoding',
  'MIME-Version',
  'Received',
  'DKIM-Signature',
  'Resent-To',
])('the header %s is the mail’s own', (name) => {
  expect(faultOf({ headers: { [name]: 'x' } })).toContain(name)
})

test.each([
  ['no recipient', { to: [] }],
  ['neither text nor HTML', { text: undefined }],
  ['an attachment without a name', { attachments: [{ filename: '', content: Buffer.of() }] }],
  ['an invalid media type', { attachments: [{ filename: 'a', contentType: 'pdf', content: Buffer.of() }] }],
])('a message with %s is refused', (_what, more) => {
  expect(faultOf(more)).toBeDefined()
})

test('a hundred recipients are the most, counted over all lists', () => {
  const boxes = (count: number) => Array.from({ length: count }, (_, index) => box(`a${index}@example.org`))
  expect(faultOf({ to: boxes(50), cc: boxes(25), bcc: boxes(25) })).toBeUndefined()
  expect(faultOf({ to: boxes(50), cc: boxes(25), bcc: boxes(26) })).toContain('101')
})

test('a mail of more than 25 MiB is refused before anything is sent', () => {
  const half = Buffer.alloc(13 * 1024 * 1024)
  expect(faultOf({ attachments: [{ filename: 'a', content: half }] })).toBeUndefined()
  expect(faultOf({ attachments: [1, 2].map(() => ({ filename: 'a', content: half })) })).toContain('26214400')
})

test('a key that could not stand in a Message-ID is a bug of the caller', () => {
  expect(() => checkMessage(messageTo('ada@example.org', { key: 'a@b' }))).toThrow('cannot name a mail')
})
