import { randomUUID } from 'node:crypto'
import { validateDefinition } from '@millrace/dsl'
import { compileWorkflow, type Json, runLocally } from '@millrace/engine'
import { expect, test } from 'vitest'
import { catalog } from '#catalog/catalog.ts'
import { testMailer } from '#platform/mail/testing-mailer.ts'
import { startSmtpServer } from '#platform/mail/testing-smtp-server.ts'
import { documentOf } from '#testing/definitions.ts'
import { createEmailFunction } from './email-function.ts'

/** Runs tasks that may call `email`, with a mailer to the server at the port. */
async function runOf(tasks: string, input: Json, port: number) {
  const { definition, diagnostics } = validateDefinition(documentOf(tasks), { functions: catalog })
  if (definition === undefined) throw new Error(JSON.stringify(diagnostics))
  const mailer = testMailer(port)
  const none = () => Promise.reject(new Error('no other workflow is run'))
  const run = runLocally(compileWorkflow(definition, { functions: catalog }), input, {
    functions: new Map([['email', createEmailFunction(mailer)]]),
    definitions: { load: none, resolve: none },
    reporter: { warn: (message) => expect.unreachable(message) },
    secrets: {},
    now: () => Date.now(),
    newId: randomUUID,
    version: '0.0.0',
  })
  const end = await run.end
  mailer.close()
  return end
}

const sends = `do:
  - send:
      call: email:1.0.0@default
      with: { to: '\${ .email }', subject: '\${ "Welcome, \\(.name)" }', text: Good to have you. }
`

test('a workflow sends a mail made of its input', async () => {
  await using server = await startSmtpServer()
  const end = await runOf(sends, { name: 'Ada', email: 'Ada <ada@example.org>' }, server.port)
  expect(end).toMatchObject({ kind: 'ended', state: 'completed', output: { accepted: ['ada@example.org'], rejected: [] } })
  expect(server.deliveries).toMatchObject([{ recipients: ['ada@example.org'], mail: { subject: 'Welcome, Ada' } }])
})

test('arguments that become invalid at run time fail before a mail is sent', async () => {
  await using server = await startSmtpServer()
  const end = await runOf(sends, { name: 'Ada\r\nBcc: eve@evil.example', email: 'ada@example.org' }, server.port)
  expect(end).toMatchObject({ state: 'faulted', error: { status: 400, detail: expect.stringContaining('/subject') } })
  expect(server.connections()).toBe(0)
})

test('a mail that the server takes later is sent by trying again', async () => {
  let refusals = 2
  await using server = await startSmtpServer({
    onMailFrom(_address, _session, callback) {
      callback(refusals-- > 0 ? Object.assign(new Error('Come back later'), { responseCode: 451 }) : null)
    },
  })
  const tasks = `do:
  - patient:
      try:
        - send: { call: email, with: { to: ada@example.org, subject: Hello, text: Hello } }
      catch:
        errors: { with: { status: 503 } }
        retry: { delay: { milliseconds: 1 }, limit: { attempt: { count: 3 } } }
`
  const end = await runOf(tasks, {}, server.port)
  expect(end).toMatchObject({ state: 'completed', output: { messageId: server.deliveries[0]?.mail.messageId } })
  expect(server.deliveries).toHaveLength(1)
})
