import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const path = '/api/v1/triggers'
const yearly = { cron: '0 0 1 1 *' }
const sends = 'do:\n  - send: { set: { to: "${ .customer.email }", text: "${ .note // \\"none\\" }" } }\n'
const ofEvents = 'do:\n  - send: { set: { to: "${ .orderId }", kind: "${ .subject }" } }\n'
const checked = `input:
  schema:
    document: { type: object, required: [total], properties: { total: { type: number } } }
do:
  - echo: { set: { got: "\${ .total }" } }
`

let server: TestServer
let account: TestAccount
beforeAll(async () => {
  server = await createTestServer()
  account = await server.registerAccount()
})
afterAll(() => server.close())

async function workflowOf(tasks: string, publish = true): Promise<string> {
  return (await account.client.workflows.create({ body: { definition: documentOf(tasks), publish } })).id
}

const create = (workflowId: string, body: object) => account.send('POST', path, { workflowId, name: 'x', ...body })

/** The paths of the warnings in the reply of a creation. */
async function warned(workflowId: string, body: object): Promise<unknown> {
  const made = await create(workflowId, body)
  expect([made.status, made.body.errors]).toEqual([200, undefined])
  return made.body.warnings.map(({ path: part }: { readonly path: string }) => part)
}

describe('a trigger that does not give what its workflow reads', () => {
  let workflowId: string
  let byEvent: string
  beforeAll(async () => {
    workflowId = await workflowOf(sends)
    byEvent = await workflowOf(ofEvents, false)
  })

  test.each<readonly [name: string, body: object]>([
    ['a schedule without an input', { kind: 'schedule', schedule: yearly }],
    ['an input of a schedule', { kind: 'schedule', schedule: yearly, input: { customer: { name: 'Ada' } } }],
    ['a request as a whole', { kind: 'webhook', webhook: {} }],
    ['a mapping of a request', { kind: 'webhook', webhook: {}, mapping: '{ customer: .customer }' }],
    ['an item of a watch', { kind: 'watch', watch: { source: 'feed', url: 'https://example.com/feed.xml' } }],
    ['a mapping of an input', { kind: 'schedule', schedule: yearly, input: { a: 1 }, mapping: '{ customer: .input }' }],
  ])('%s is warned of', async (_, body) => {
    expect(await warned(workflowId, body)).toEqual(['customer.email'])
  })

  test.each<readonly [name: string, body: object]>([
    ['an input that has it', { kind: 'schedule', schedule: yearly, input: { customer: { email: 'a@example.com' } } }],
    ['the body of a request', { kind: 'webhook', webhook: {}, mapping: '.body' }],
    ['a mapping that gives it', { kind: 'webhook', webhook: {}, mapping: '{ customer: { email: .body.mail } }' }],
    ['the form of a person', { kind: 'manual' }],
    ['an event, which may have any attributes', { kind: 'event', event: { types: ['order'] } }],
    ['the data of an event', { kind: 'event', event: { types: ['order'] }, mapping: '.data' }],
  ])('%s is not', async (_, body) => {
    expect(await warned(workflowId, body)).toEqual([])
  })

  test('the body of a request is warned of where the workflow reads the request', async () => {
    const whole = await workflowOf('do:\n  - send: { set: { to: "${ .body.email }", note: "${ .body.note // 1 }" } }\n')
    const webhook = { kind: 'webhook', webhook: {} }
    expect(await warned(whole, { ...webhook, mapping: '.body' })).toEqual(['body.email'])
    expect(await warned(whole, webhook)).toEqual([])
    expect(await warned(whole, { ...webhook, mapping: '{ body: .body }' })).toEqual([])
    const mail = await workflowOf('do:\n  - send: { set: { text: "${ .body }", to: "${ .from.email }" } }\n')
    expect(await warned(mail, { ...webhook, mapping: '.body' })).toEqual([])
  })

  test('an event has no attribute with a capital letter; what a draft reads counts until the workflow is published', async () => {
    expect(await warned(byEvent, { kind: 'event', event: { types: ['order'] } })).toEqual(['orderId'])
  })

  test('the warning names the task, and follows the workflow and the trigger', async () => {
    const changing = await workflowOf(sends)
    const { id, warnings } = (await create(changing, { kind: 'schedule', schedule: yearly, input: {} })).body
    expect(warnings).toEqual([
      {
        code: 'input_not_given',
        path: 'customer.email',
        task: 'send',
        pointer: '/do/0/send',
        message: expect.stringContaining('.customer.email'),
      },
    ])
    const fixed = await account.send('PATCH', `${path}/${id}`, { input: { customer: { email: 'a@example.com' } } })
    expect(fixed.body.warnings).toEqual([])
    const definition = documentOf(ofEvents)
    expect((await account.send('PUT', `/api/v1/workflows/${changing}`, { definition, publish: true })).status).toBe(200)
    const shown = (await account.send('GET', `${path}/workflow/${changing}`)).body.data[0]
    expect(shown.warnings.map((one: { readonly path: string }) => one.path)).toEqual(['orderId', 'subject'])
    expect((await account.send('GET', path)).body.data[0]).not.toHaveProperty('warnings')
  })

  test('what a workflow requires to run lists what it reads', async () => {
    const { body } = await account.send('GET', `/api/v1/workflows/${workflowId}/execution-requirements`)
    expect(body.reads).toEqual([
      { path: 'customer.email', needed: true, task: 'send', pointer: '/do/0/send' },
      { path: 'note', needed: false, task: 'send', pointer: '/do/0/send' },
    ])
  })
})

describe('the input of a trigger of a workflow with an input schema', () => {
  const refused = { status: 422, body: { code: 'input_invalid', errors: [{ pointer: '/input/total' }] } }

  test('is refused at the part that does not match, when it is made and when it is changed', async () => {
    const workflowId = await workflowOf(checked)
    expect(await create(workflowId, { kind: 'schedule', schedule: yearly, input: { total: 'much' } })).toMatchObject(refused)
    expect(await create(workflowId, { kind: 'manual', input: { total: 'much' } })).toMatchObject(refused)
    const { id, warnings } = (await create(workflowId, { kind: 'schedule', schedule: yearly, input: { total: 1 } })).body
    expect(warnings).toEqual([])
    const change = (body: object) => account.send('PATCH', `${path}/${id}`, body)
    expect(await change({ input: { total: 'much' } })).toMatchObject(refused)
    expect((await change({ input: { total: 'much' }, mapping: '{ total: 2 }' })).status).toBe(200)
    expect(await change({ mapping: null })).toMatchObject(refused)
    expect((await change({ name: 'y' })).status).toBe(200)
  })

  test('is not checked before the workflow is published', async () => {
    const workflowId = await workflowOf(checked, false)
    expect((await create(workflowId, { kind: 'schedule', schedule: yearly, input: { total: 'much' } })).status).toBe(200)
  })
})
