import { expect, test } from 'vitest'
import { startSmtpServer } from '#platform/mail/testing-smtp-server.ts'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer } from '#testing/server.ts'

const mails = documentOf(`do:
  - inform:
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
    // No mail confirms the address of the user.
    MILLRACE_FLAGS: ',',
    MILLRACE_MAIL_FROM: 'Millrace <flows@example.com>',
  })
  const account = await server.registerAccount()
  const { id } = await account.client.workflows.create({ body: { definition: mails } })
  const answer = await account.send('POST', `/api/v1/execute/${id}/run`, ada)
  expect([answer.status, answer.body]).toEqual([
    200,
    { messageId: expect.stringMatching(/^<[\w-]+@example\.com>$/), accepted: ['ada@example.org'], rejected: [] },
  ])
  expect(smtp.deliveries).toMatchObject([
    { from: 'flows@example.com', recipients: ['ada@example.org'], user: 'mill', mail: { subject: 'Welcome, Ada' } },
  ])
})

test('a mail above the quota of the account fails its task with the time of the next attempt', async () => {
  await using smtp = await startSmtpServer()
  await using server = await createTestServer({
    MILLRACE_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    MILLRACE_SMTP_TLS: 'off',
    // No mail confirms the address of the user.
    MILLRACE_FLAGS: ',',
    MILLRACE_MAIL_FROM: 'Millrace <flows@example.com>',
    MILLRACE_MAILS_PER_ACCOUNT: '3/5',
  })
  const account = await server.registerAccount()
  const loop = (email: string, times: number) =>
    documentOf(`do:
  - loop:
      for: { in: '\${ [range(${times})] }' }
      do: [${email}]
`)
  const email = '{ inform: { call: email, with: { to: ada@example.org, subject: Hello, text: Hello } } }'
  const greedy = await account.client.workflows.create({ body: { definition: loop(email, 4) } })
  const refused = await account.send('POST', `/api/v1/execute/${greedy.id}/run`, {})
  expect(refused.body).toMatchObject({ code: 'execution_faulted', error: { status: 429, title: 'Mail quota used up' } })
  expect(refused.body.error.detail).toMatch(/3 recipients in 5 s.*Try again in [1-5] s/)
  expect(smtp.deliveries).toHaveLength(3)
  const retry = 'catch: { errors: { with: { status: 429 } }, retry: { limit: { attempt: { count: 3 } } } }'
  const patient = await account.client.workflows.create({
    body: { definition: loop(`{ patient: { try: [${email}], ${retry} } }`, 3) },
  })
  expect((await account.send('POST', `/api/v1/execute/${patient.id}/run`, {})).status).toBe(200)
  expect(smtp.deliveries).toHaveLength(6)
})

test('without a server a workflow that sends mail faults, and says what is to be set', async () => {
  await using server = await createTestServer()
  const account = await server.registerAccount()
  const { id } = await account.client.workflows.create({ body: { definition: mails } })
  const answer = await account.send('POST', `/api/v1/execute/${id}/run`, ada)
  expect(answer).toMatchObject({ status: 422, body: { code: 'execution_faulted' } })
  expect(answer.body.error.type).toMatch(/configuration$/)
  expect(answer.body.error.detail).toContain('MILLRACE_SMTP_URL')
})
