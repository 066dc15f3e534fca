import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSecretBox } from '#platform/auth/secret-box.ts'
import { mailJobHandler } from './mail-job.ts'

test.each([
  ['a mail of the installation', {}, 'own:account-1'],
  ['a mail that a user wrote', { isOfUsers: true }, 'account-1'],
])('%s counts towards its own limit', async (_what, more, counted) => {
  const box = createSecretBox(randomBytes(32), 'mails', randomBytes)
  const envelope = { accountId: 'account-1', to: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>', ...more }
  const sealed = box.seal(Buffer.from(JSON.stringify(envelope)), 'mail-1').toString('base64')
  const senders: string[] = []
  const send = async ({ accountId }: { readonly accountId: string }) => {
    senders.push(accountId)
    return { messageId: '1', accepted: [], rejected: [] }
  }
  const handler = mailJobHandler({ box, mailer: { send, close: () => undefined }, outbox: undefined, warn: () => undefined })
  const attempt = { id: '1', attempt: 1, signal: new AbortController().signal, report: async () => undefined }
  await handler.handle({ key: 'mail-1', sealed }, attempt)
  expect(senders).toEqual([counted])
})
