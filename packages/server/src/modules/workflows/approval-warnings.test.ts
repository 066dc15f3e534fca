import { createClient } from '@millrace/client'
import { workflows as workflowGroup } from '@millrace/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMember } from '#testing/approvals.ts'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer, type TestServer } from '#testing/server.ts'

const path = '/api/v1/workflows'
let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

test('an approval that no person can decide is a warning, until another user can', async () => {
  const alone = await server.registerAccount()
  const asking = (args: string) => documentOf(`do:\n  - ask:\n      call: approve\n      with: { title: Pay?, ${args} }\n`)
  const warningsOf = async (args: string) =>
    (await alone.send('POST', '/api/v1/workflows', { definition: asking(args) })).body.warnings.map(
      ({ code, pointer, message }: { code: string; pointer: string; message: string }) => [code, pointer, message],
    )
  const place = '/do/0/ask/with/approvers'
  const excluded = ['starter_only_approval', place, expect.stringContaining(`Only ${alone.email}`)]
  expect(await warningsOf('approvers: [{ role: admin }]')).toEqual([excluded])
  const absent = ['unanswerable_approval', place, expect.stringContaining('No user')]
  const unknown = ['unknown_approver', `${place}/0`, expect.stringContaining('usr_01h455vb4pex5vsknk084sn02q')]
  expect(await warningsOf('approvers: [usr_01h455vb4pex5vsknk084sn02q]')).toEqual([absent, unknown])
  expect(await warningsOf('approvers: [{ role: admin }], excludeStarter: false')).toEqual([])
  expect(await warningsOf("approvers: '${ .people }'")).toEqual([])
  await sql`insert into users (id, account_id, email, role, created_at) values (gen_random_uuid(), ${alone.accountId}, ${`second-${alone.email}`}, 'admin', now())`.execute(
    server.database.system,
  )
  expect(await warningsOf('approvers: [{ role: admin }]')).toEqual([])
  const outsider = 'someone@elsewhere.example'
  const unsent = ['unanswerable_approval', place, expect.stringContaining('sends no mail')]
  expect(await warningsOf(`approvers: [${outsider}]`)).toEqual([unsent, ['missing_mail', `${place}/0`, expect.any(String)]])
})

test('an approval that requires more people than can decide it is a warning', async () => {
  const account = await server.registerAccount()
  const second = await addMember(server, account)
  const warningsOf = async (args: string) =>
    (
      await account.send('POST', path, {
        definition: documentOf(`do:\n  - ask:\n      call: approve\n      with: { title: Pay?, ${args} }\n`),
      })
    ).body.warnings.map(({ code, pointer, message }: { code: string; pointer: string; message: string }) => [code, pointer, message])
  const both = `approvers: [${account.email}, ${second.email}]`
  const few = (message: string) => ['too_few_approvers', '/do/0/ask/with/required', expect.stringContaining(message)]
  const started = ['starter_only_approval', '/do/0/ask/with/approvers', expect.stringContaining('2 people have to approve')]
  expect(await warningsOf(both)).toEqual([])
  expect(await warningsOf(`${both}, required: 2, excludeStarter: false`)).toEqual([])
  expect(await warningsOf(`${both}, required: 3`)).toEqual([few('3 people have to approve, and only 2 can decide')])
  expect(await warningsOf(`${both}, required: 2`)).toEqual([started])
  const third = await addMember(server, account)
  expect(await warningsOf(`${both}, required: 2`)).toEqual([])
  expect(await warningsOf(`${both}, required: 3, escalation: [{ after: P1D, approvers: [${third.id}] }], excludeStarter: false`)).toEqual(
    [],
  )
  const lost = 'usr_01jd0000000000000000000000'
  const [all] = await warningsOf(`approvers: [${second.email}, ${lost}], required: all`)
  expect(all).toEqual(few(`no person decides for ${lost}`))
  await sql`update users set role = 'viewer' where account_id = ${account.accountId} and id <> ${account.userId}`.execute(
    server.database.system,
  )
  expect(await warningsOf(`approvers: [${account.email}]`)).toMatchObject([
    ['starter_only_approval', expect.any(String), expect.any(String)],
  ])
})

test('an approver who is no user is a warning, which says who was removed, is probably mistyped, foreign or cannot get the mail', async () => {
  const account = await server.registerAccount()
  const warningsOf = async (send: (body: { definition: string }) => Promise<{ warnings: readonly object[] }>, args: string) =>
    (
      await send({
        definition: documentOf(`do:\n  - ask:\n      call: approve\n      with: { title: Pay?, excludeStarter: false, ${args} }\n`),
      })
    ).warnings
  const sending = await server.startSecond({ MILLRACE_SMTP_URL: 'smtp://127.0.0.1:9', MILLRACE_MAIL_FROM: 'flows@example.com' })
  const { workflows } = createClient({ baseUrl: sending.url, groups: { workflows: workflowGroup }, token: account.token })
  const mailing = (body: { definition: string }) => workflows.create({ body })
  const [name = '', domain = ''] = account.email.split('@')
  const meant = `Did you mean ${account.email}?`
  expect(await warningsOf(mailing, `approvers: [${account.email}, '\${ .boss }', { role: admin }]`)).toEqual([])
  const lee = await addMember(server, account)
  const asksLee = `approvers: [${lee.id}, ${lee.email}, { role: admin }]`
  expect(await warningsOf(mailing, asksLee)).toEqual([])
  await account.send('DELETE', `/api/v1/account/users/${lee.id}`)
  expect(await warningsOf(mailing, asksLee)).toMatchObject([
    {
      code: 'unknown_approver',
      pointer: '/do/0/ask/with/approvers/0',
      message: expect.stringMatching(/^Member \d+ was removed from this account on /),
    },
    { code: 'unknown_approver', pointer: '/do/0/ask/with/approvers/1', message: expect.stringContaining(`${lee.email} is no user`) },
  ])
  const never = 'usr_01jd0000000000000000000000'
  expect(await warningsOf(mailing, `approvers: [${never}, { role: admin }]`)).toMatchObject([
    { code: 'unknown_approver', message: expect.stringContaining(`has no user ${never}`) },
  ])
  expect(await warningsOf(mailing, `approvers: ["Ada <${name}s@${domain}>", "${name}@exmaple.com"]`)).toMatchObject([
    { code: 'doubtful_approver', pointer: '/do/0/ask/with/approvers/0', hint: meant },
    { code: 'doubtful_approver', pointer: '/do/0/ask/with/approvers/1', hint: meant },
  ])
  expect(await warningsOf(mailing, 'approvers: [manager@office]')).toMatchObject([
    { code: 'doubtful_approver', pointer: '/do/0/ask/with/approvers/0', message: expect.stringContaining('office has no dot') },
  ])
  const later = `approvers: [{ role: owner }], escalation: [{ after: P1D, approvers: [ada@elsewhere.example] }]`
  expect(await warningsOf(mailing, later)).toMatchObject([
    {
      code: 'outside_approver',
      pointer: '/do/0/ask/with/escalation/0/approvers/0',
      message: expect.stringContaining('elsewhere.example'),
    },
  ])
  expect(
    await warningsOf((body) => account.client.workflows.create({ body }), `approvers: [{ role: admin }, legal@${domain}]`),
  ).toMatchObject([{ code: 'missing_mail', pointer: '/do/0/ask/with/approvers/1', message: expect.stringContaining('cannot decide') }])
  const reminding = 'escalation: [{ after: PT1H, notify: [boss@example.net] }]'
  expect(await warningsOf((body) => account.client.workflows.create({ body }), `approvers: [{ role: admin }], ${reminding}`)).toMatchObject(
    [{ code: 'missing_mail', pointer: '/do/0/ask/with/escalation/0/notify/0', message: expect.stringContaining('no reminder') }],
  )
})
