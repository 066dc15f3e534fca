import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtInFunctions } from '#catalog/built-in-functions.ts'
import { startSmtpServer, type TestSmtpServer } from '#platform/mail/testing-smtp-server.ts'
import { addMember, approvalsOf, endedExecution, mailingTo, type Member } from '#testing/approvals.ts'
import { startHttpStandIn } from '#testing/http-stand-in.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { createTemplates } from './catalogue.ts'
import type { TemplateRun } from './testing/template-run.ts'
import { templateRuns } from './testing/template-runs.ts'

let smtp: TestSmtpServer
let models: ModelStandIn
/** What the language model answers. */
let answerOfModel = ''
let server: TestServer
let account: TestAccount
let other: TestAccount
let members: readonly Member[]
beforeAll(async () => {
  smtp = await startSmtpServer()
  models = await startModelStandIn(() => ({ content: answerOfModel }))
  const environment = { MILLRACE_MODEL_URL: models.url, MILLRACE_MODEL_NAME: 'small', MILLRACE_MAILS_PER_ACCOUNT: '10000/3600' }
  server = await createTestServer({ ...mailingTo(smtp), ...environment })
  account = await server.registerAccount()
  other = await server.registerAccount()
  members = [await addMember(server, account), await addMember(server, account)]
})
afterAll(async () => {
  await server.close()
  await models.stop()
  await smtp[Symbol.asyncDispose]()
})

let runs = 0

/** Imports a template and runs it to its end, with the services that it calls stood in and its approvals decided. */
async function run(id: string, { parameters, input, answers = {}, model = '', decide, event }: TemplateRun) {
  answerOfModel = model
  await using service = await startHttpStandIn(({ method, path }) => {
    const answer = answers[`${method} ${path.split('?')[0]}`] ?? {}
    return typeof answer === 'number' ? { status: answer } : { body: answer }
  })
  const approvers = members.map(({ email }) => email)
  const given = { url: service.url, first: approvers[0] ?? '', second: approvers[1] ?? '' }
  const name = `run ${++runs} ${id}`
  const body = { name, parameters: parameters(given), publish: true }
  const imported = await account.send('POST', `/api/v1/templates/${id}/import`, body)
  expect([imported.status, imported.body.errors ?? imported.body.diagnostics]).toEqual([200, undefined])
  const params = { id: String(imported.body.workflow.id) }
  const started = await account.client.workflows.execute({ params, body: { input: input(given) } })
  if (event !== undefined) await account.send('POST', '/api/v1/events', event)
  if (decide !== undefined) {
    const [asked] = await approvalsOf(account, started.id, 1)
    const needed = typeof asked?.required === 'number' ? asked.required : 1
    for (const member of members.slice(0, decide === 'approve' ? needed : 1))
      await member.decide({ executionId: started.id, approvalId: asked?.id ?? '' }, { decision: decide, reason: 'Because.' })
  }
  const { state, output, error } = await endedExecution(account, started.id)
  const requests = service.requests.map(({ method, path }) => `${method} ${path}`).toSorted()
  return { state, output, error, requests, given, service }
}

const cases = Object.entries(templateRuns).flatMap(([id, list]) => list.map((wanted) => [id, wanted.what, wanted] as const))

test.each(cases)('%s, imported and run: %s', async (id, _what, wanted) => {
  const before = smtp.deliveries.length
  const { state, output, error, requests, given } = await run(id, wanted)
  expect([state, error?.title], JSON.stringify(error)).toEqual(
    wanted.error === undefined ? ['completed', undefined] : ['faulted', wanted.error],
  )
  if (wanted.error === undefined) expect(output).toMatchObject(wanted.output(given))
  if (wanted.requests !== undefined) expect(requests).toEqual(wanted.requests.toSorted())
  const mails = smtp.deliveries.slice(before).map(({ recipients, mail }) => `${recipients.join(', ')}: ${mail.subject ?? ''}`)
  for (const mail of wanted.mails ?? []) expect(mails).toContain(mail)
})

test('every template is run by a test, here or in from-template.test.ts', async () => {
  const elsewhere = [
    'answer-in-time',
    'call-with-retry',
    'clean-contacts',
    'daily-report',
    'fastest-of-two',
    'invoice',
    'invoice-batch',
    'order-checks',
  ]
  const alsoElsewhere = ['order-processing', 'paged-import', 'poll-until-ready', 'trip-booking', 'webhook-relay']
  const templates = await createTemplates(builtInFunctions).list()
  expect(templates.length).toBeGreaterThanOrEqual(40)
  expect(templates.map(({ id }) => id).toSorted()).toEqual([...elsewhere, ...alsoElsewhere, ...Object.keys(templateRuns)].toSorted())
})

test('templates are listed by category and words, and read with README, drawing and permissions', async () => {
  const list = async (query: string) => (await account.send('GET', `/api/v1/templates?${query}`)).body
  const all = await list('limit=30')
  const rest = await list(`limit=30&cursor=${all.nextCursor}`)
  const ids = [...all.data, ...rest.data].map(({ id }: { id: string }) => id)
  expect([ids, rest.nextCursor]).toEqual([(await createTemplates(builtInFunctions).list()).map(({ id }) => id).toSorted(), null])
  const found = await list('q=MODEL%20ticket&category=ai')
  expect(found).toMatchObject({ data: [{ id: 'ai-triage', secrets: [] }], categories: [{ name: 'ai', count: 1 }] })
  const { body } = await account.send('GET', '/api/v1/templates/ai-triage')
  expect(body.permissions).toMatchObject({ hosts: ['tickets.example.com'], functions: ['http', 'model'] })
  expect(body.readme).toContain('| `ticketUrl` | url | yes |')
  const { readme } = (await account.send('GET', '/api/v1/templates/price-watch')).body
  expect(readme).toContain('| `articles` | array of object { url, below } | yes |')
  expect(body.drawing).toContain('ask  call model')
  expect(body.definitionText).not.toContain('parameters:')
})

test('an import without its parameters names each that is missing, unknown or does not fit, and creates nothing', async () => {
  const parameters = { approver: 'ada', bookingUrl: '${ $secrets.KEY }', limit: 'ten', other: 1 }
  const wrong = await other.send('POST', '/api/v1/templates/invoice-approval/import', { parameters })
  expect([wrong.status, wrong.body.code]).toEqual([422, 'parameters_invalid'])
  const pointers = wrong.body.errors.map(({ pointer }: { pointer: string }) => pointer)
  expect(pointers).toEqual(['/parameters/other', '/parameters/approver', '/parameters/bookingUrl', '/parameters/limit'])
  const missing = await other.send('POST', '/api/v1/workflows/from-template/invoice-approval', {})
  expect(missing.body.errors).toHaveLength(2)
  expect((await other.client.workflows.list()).data).toEqual([])
})

test('an import records its origin, and comments and labels survive while the parameters of the template are gone', async () => {
  const given = { systems: ['https://a.example.com'], report: 'it@example.com' }
  const { body } = await other.send('POST', '/api/v1/templates/employee-offboarding/import', { parameters: given })
  expect(body).toMatchObject({
    workflow: { state: 'draft', name: 'Offboard an employee' },
    origin: { kind: 'template', source: 'employee-offboarding', version: '1.0.0' },
    requirements: { ready: true },
  })
  expect(body.workflow.source).toMatch(/^# Access is closed everywhere/)
  expect(body.workflow.definition.document.metadata).toBeUndefined()
  const labelled = await other.send('POST', '/api/v1/templates/support-ticket/import', {
    parameters: { ticketUrl: 'https://a.example.com' },
  })
  expect(labelled.body.workflow.definition.document.metadata).toEqual({ labels: { customer: '${ .email }' } })
})
