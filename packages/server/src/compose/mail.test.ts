import { expect, test } from 'vitest'
import { startSmtpServer } from '#platform/mail/testing-smtp-server.ts'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer } from '#testing/server.ts'

const tells = documentOf(`do:
  - tell:
      call: email
      with:
        to: \${ .email }
        subject: \${ "Welcome, \\(.name)" }
        text: Good to have you.
`)

const ada = { input: { name: 'Ada', email: 'Ada Lovelace <ada@example.org>' } }

test('a workflow sends a mail through the server that the operator has set', async () => {
  await using smtp = await startSmtpServer({
    onAuth: ({ username, password }, _session, callback) =>
      password === 'p@ss word' ? callback(null, { user: username }) : callback(new Error('no')),
  })
  await using server = await createTestServer({
    MILLRACE_SMTP_URL: `smtp://mill:p%40ss%20word@127.0.0.1:${smtp.port}`,
    MILLRACE_SMTP_TLS: 'off',
    MILLRACE_MAIL_FROM: 'Millrace <flows@example.com>',
  })
  const account = await server.registerAccount()
  const { id } = await account.client.workflows.create({ body: { definition: tells } })
  const answer = await account.send('POST', `/api/v1/execute/${id}/run`, ada)
  expect([answer.status, answer.body]).toEqual([
    200,
    { messageId: expect.stringMatching(/^<[\w-]+@example\.com>$/), accepted: ['ada@example.org'], rejected: [] },
  ])
  expect(smtp.deliveries).toMatchObject([
    { from: 'flows@example.com', recipients: ['ada@example.org'], user: 'mill', mail: { subject: 'Welcome, Ada' } },
  ])
})

test('without a server a workflow that sends mail faults, and says what is to be set', async () => {
  await using server = await createTestServer()
  const account = await server.registerAccount()
  const { id } = await account.client.workflows.create({ body: { definition: tells } })
  const answer = await account.send('POST', `/api/v1/execute/${id}/run`, ada)
  expect(answer).toMatchObject({ status: 422, body: { code: 'execution_faulted' } })
  expect(answer.body.error.type).toMatch(/configuration$/)
  expect(answer.body.error.detail).toContain('MILLRACE_SMTP_URL')
})
