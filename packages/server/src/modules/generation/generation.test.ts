import type { ChatCompletionRequest, FixtureResponse } from '@copilotkit/aimock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { generatedBy, type ModelStandIn, startLocalRuntime, startModelStandIn } from '#testing/model-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

type Respond = (...args: Parameters<Parameters<typeof startModelStandIn>[0]>) => FixtureResponse

let standIn: ModelStandIn
let runtime: Awaited<ReturnType<typeof startLocalRuntime>>
let server: TestServer
let account: TestAccount
let respond: Respond

beforeAll(async () => {
  standIn = await startModelStandIn((request) => respond(request))
  runtime = await startLocalRuntime()
  server = await createTestServer({
    MILLRACE_MODEL_URL: standIn.url,
    MILLRACE_MODEL_NAME: 'test',
    MILLRACE_LOCALMODEL_URL: runtime.url,
  })
  account = await server.registerAccount()
})
beforeEach(() => standIn.mock.clearRequests())
afterAll(async () => {
  await server.close()
  await standIn.stop()
  runtime.stop()
})

const path = '/api/v1/ai/generate-workflow'
const document = (tasks: string) => `document: { dsl: '1.0.3', namespace: test, name: made, version: '1.0.0' }\n${tasks}`
const valid = document('do:\n  - note: { set: { noted: true } }\n')

/** Gives the replies one after the other. */
function replies(...each: readonly ReturnType<Respond>[]): void {
  let next = 0
  respond = () => each[Math.min(next++, each.length - 1)] ?? { content: '' }
}

const userTexts = (request: ChatCompletionRequest | undefined) =>
  (request?.messages ?? []).filter(({ role }) => role === 'user').map(({ content }) => JSON.stringify(content))

describe('generation', () => {
  test('gives a definition that can be created and run', async () => {
    replies(generatedBy(valid, { assumptions: ['None needed.'] }))
    const { status, body } = await account.send('POST', path, { description: 'Note something.' })
    expect([status, body.status, body.repairs, body.assumptions]).toEqual([200, 'generated', 0, ['None needed.']])
    expect(body.usage).toMatchObject({ model: 'default', calls: 1 })
    const created = await account.client.workflows.create({ body: { definition: body.definition } })
    expect(await account.client.execute.run({ params: { id: created.id }, body: {} })).toEqual({ noted: true })
  })

  test('a model knows the connections of the account, the functions of its connectors, and those that the request names', async () => {
    const user = await server.registerAccount()
    const operations = [
      { name: 'readOrder', summary: 'Reads an order.', method: 'get', path: '/orders/{id}', parameters: { id: { in: 'path' } } },
    ]
    const manifest = { connector: '1.0', title: 'Shop', servers: ['https://api.example.com'], operations }
    await user.send('POST', '/api/v1/connectors', { name: 'shop', kind: 'manifest', document: manifest })
    const settings = { kind: 'bearer', url: 'https://shop.example.com' }
    const made = await user.send('POST', '/api/v1/connections', { name: 'east', settings, secrets: { token: 'a token of the shop' } })
    expect([made.status, made.body.detail]).toEqual([200, undefined])
    const calls = document("do:\n  - read: { call: shop.readOrder, with: { connection: east, id: '7' } }\n")
    replies(generatedBy(calls))
    const { body } = await user.send('POST', path, { description: 'Read order 7 and post it to Slack.' })
    expect([body.status, body.repairs]).toEqual(['generated', 0])
    const [asked = ''] = userTexts(standIn.requests()[0])
    expect(asked).toContain('Connections: east.')
    expect(asked).toContain('call: shop.readOrder: Reads an order.')
    expect(asked).toContain('call: slack.postMessage')
    expect(asked).not.toContain('call: github.')
    expect(asked).not.toContain('shop.example.com')
  })

  test('with a model that compares meanings, a model knows functions that the request does not name, and none while it fails', async () => {
    const comparing = await server.startSecond({ MILLRACE_MODEL_EMBEDDING: 'vectors' })
    const user = await server.registerAccount()
    const headers = { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' }
    const functionsFor = async (description: string) => {
      replies(generatedBy(valid))
      standIn.mock.clearRequests()
      const sent = await fetch(`${comparing.url}${path}`, { method: 'POST', headers, body: JSON.stringify({ description }) })
      expect(sent.status).toBe(200)
      return (
        userTexts(standIn.requests()[0])
          .join('')
          .match(/call: [a-z0-9-]+\.\w+/g) ?? []
      )
    }
    expect(await functionsFor('Notify my colleagues.')).toHaveLength(12)
    standIn.mock.onEmbedding(/.*/, { error: { message: 'Out of order' }, status: 400 })
    expect(await functionsFor('Notify my customers.')).toEqual([])
    await comparing.close()
  })

  test.each([
    ['text without JSON', { content: 'I would love to help!' }],
    ['JSON of another form', { content: '{"workflow": {}}' }],
    ['YAML that cannot be parsed', generatedBy('document: [')],
    ['a task that does not exist', generatedBy(document('do:\n  - a: { sett: { b: 1 } }\n'))],
    ['an expression that is not jq', generatedBy(document('do:\n  - a: { set: { b: "${ .a | }" } }\n'))],
    ['a function that does not exist', generatedBy(document('do:\n  - a: { call: sendSlack, with: {} }\n'))],
    [
      'an invented address',
      generatedBy(document('do:\n  - a: { call: http, with: { method: get, endpoint: https://api.invented.io/x } }\n')),
    ],
  ])('repairs %s', async (_case, broken) => {
    replies(broken, generatedBy(`\`\`\`yaml\n${valid}\`\`\``))
    const { body } = await account.send('POST', path, { description: 'Note something.' })
    expect(body).toMatchObject({ status: 'generated', repairs: 1, definition: valid })
    expect(userTexts(standIn.requests()[1])[1]).toContain('cannot be used')
  })

  test('corrects a definition by edits, and shows the model what they refer to until they can be used', async () => {
    const draft = document('do:\n  # Kept.\n  - a: { sett: { b: 1 } }\n')
    const edited = (search: string) => generatedBy('', { edits: [{ search, replace: 'set:' }] })
    replies(generatedBy(draft), edited('sets:'), edited('sett'), edited('sett:'))
    const { body } = await account.send('POST', path, { description: 'Note something.' })
    expect(body).toMatchObject({ repairs: 3, definition: draft.replace('sett', 'set') })
    const [, , , last] = standIn.requests()
    expect(last?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant', 'user'])
    expect(JSON.stringify(last?.messages[2])).toContain('# Kept.')
    expect(userTexts(last)[1]).toContain('4 |   - a: { sett')
    expect(userTexts(last)[2]).toContain('Return all of them again')
  })

  test('returns the findings of the validator to the model', async () => {
    replies(generatedBy(document('do:\n  - a: { sett: { b: 1 } }\n')), generatedBy(valid))
    await account.send('POST', path, { description: 'Note something.' })
    expect(userTexts(standIn.requests()[1])[1]).toMatch(/line 3 \(\/do\/0\/a/)
  })

  test('ends after four attempts with the last draft and its findings', async () => {
    replies(generatedBy(document('do:\n  - a: { sett: { b: 1 } }\n')))
    const { body } = await account.send('POST', path, { description: 'Note something.' })
    expect(body).toMatchObject({ status: 422, code: 'model_output_invalid', definition: expect.stringContaining('sett') })
    expect(body.diagnostics.length).toBeGreaterThan(0)
    expect(standIn.requests()).toHaveLength(4)
  })

  test('asks back when something is missing', async () => {
    replies(generatedBy('', { questions: ['Which address?'] }))
    const { body } = await account.send('POST', path, { description: 'Send it.' })
    expect(body).toMatchObject({ status: 'questions', definition: null, questions: ['Which address?'] })
  })

  test('names an address that the model keeps inventing, and a secret that does not exist', async () => {
    const tasks =
      'use: { secrets: [ shopKey ] }\ndo:\n  - a: { call: http, with: { method: get, endpoint: https://api.invented.io/x, headers: { k: "${ $secrets.shopKey }" } } }\n'
    replies(generatedBy(document(tasks)))
    const { body } = await account.send('POST', path, { description: 'Read it.' })
    expect(body.requirements.map(({ kind, name }: { kind: string; name: string }) => [kind, name])).toEqual([
      ['secret', 'shopKey'],
      ['endpoint', 'api.invented.io'],
    ])
  })

  test('shows a model the names of secrets and variables, and no value', async () => {
    await account.send('POST', '/api/v1/variables', { name: 'crmKey', kind: 'secret', value: 'value-that-stays-here' })
    await account.send('POST', '/api/v1/variables', { name: 'region', kind: 'text', value: 'eu-value-too' })
    replies(generatedBy(valid))
    await account.send('POST', path, { description: 'Note something.', sample: { a: 1 } })
    const sent = JSON.stringify(standIn.requests())
    for (const name of ['crmKey', 'region']) expect(sent).toContain(name)
    for (const value of ['value-that-stays-here', 'eu-value-too']) expect(sent).not.toContain(value)
  })

  test('is the same at both paths, and a repetition with its key asks no model again', async () => {
    replies(generatedBy(valid))
    const send = () => account.send('POST', '/api/v1/ai-assist/generate-workflow', { description: 'Note.' }, { 'idempotency-key': 'once' })
    expect((await send()).body.definition).toBe(valid)
    expect((await send()).body.definition).toBe(valid)
    expect(standIn.requests()).toHaveLength(1)
  })
})

describe('assistance', () => {
  const assist = (body: object) => account.send('POST', '/api/v1/ai-assist', body)
  const changed = (definition: string) => ({ content: JSON.stringify({ definition, explanation: 'Done.' }) })

  test('an edit is a valid definition with the difference', async () => {
    replies(changed(valid.replace('true', 'false')))
    const { body } = await assist({ action: 'edit', definition: valid, instruction: 'Note false.' })
    expect(body).toMatchObject({ action: 'edit', text: 'Done.', definition: valid.replace('true', 'false') })
    expect(body.diff).toContain('-  - note: { set: { noted: true } }\n+  - note: { set: { noted: false } }')
  })

  test('an edit by pieces keeps every other byte, and its form is in the prompt', async () => {
    const before = `# Owner: sales   \n${valid}\n# End\n\n`
    replies({ content: JSON.stringify({ edits: [{ search: 'true', replace: 'false' }], definition: '', explanation: 'Done.' }) })
    const { body } = await assist({ action: 'edit', definition: before, instruction: 'Note false.' })
    expect(body).toMatchObject({ definition: before.replace('true', 'false'), repairs: 0 })
    expect(body.diff.split('\n').filter((line: string) => /^[-+]/.test(line))).toHaveLength(2)
    expect(userTexts(standIn.requests()[0])[0]).toContain('occur in the definition exactly once')
  })

  test('a fix begins with the findings of the validator, and takes a saved workflow', async () => {
    replies(changed(valid))
    await assist({ action: 'fix', definition: document('do:\n  - a: { sett: { b: 1 } }\n') })
    expect(userTexts(standIn.requests()[0])[0]).toContain('The validator found')
    const { id } = await account.client.workflows.create({ body: { definition: valid.replace('name: made', 'name: saved') } })
    expect((await assist({ action: 'document', workflowId: id })).status).toBe(200)
    expect(userTexts(standIn.requests()[1])[0]).toContain('name: saved')
    const other = await server.registerAccount()
    expect((await other.send('POST', '/api/v1/ai-assist', { action: 'explain', workflowId: id })).status).toBe(404)
  })

  test('an expression is compiled and evaluated with the sample before it is returned', async () => {
    const written = (expression: string) => ({ content: JSON.stringify({ expression, explanation: 'Adds.' }) })
    replies(written('.items | ad('), written('.items | error("no")'), written('${ .items | add }'))
    const { body } = await assist({ action: 'expression', instruction: 'The sum', sample: { items: [1, 2, 3] } })
    expect(body).toMatchObject({ expression: '.items | add', result: 6, repairs: 2 })
  })

  test.each([
    [{ action: 'edit', definition: 'do: []' }, '/instruction'],
    [{ action: 'explain' }, '/definition'],
    [{ action: 'explain', definition: 'a', workflowId: 'wf_01h455vb4pex5vsknk084sn02q' }, '/workflowId'],
  ])('%j is refused at %s', async (body, pointer) => {
    expect((await assist(body)).body).toMatchObject({ status: 400, errors: [{ pointer }] })
  })
})

test('the health of models and of assistance names the model and what is wrong', async () => {
  expect((await account.send('GET', '/api/v1/health/models')).body).toMatchObject({
    status: 'ok',
    data: [{ name: 'default', reachable: true }],
  })
  expect((await account.send('GET', '/api/v1/ai-assist/health')).body).toMatchObject({
    status: 'ok',
    configured: true,
    roles: { fast: ['default'], speech: [] },
  })
  await using broken = await createTestServer({ MILLRACE_MODEL_URL: 'http://127.0.0.1:9/v1', MILLRACE_MODEL_NAME: 'gone' })
  const user = await broken.registerAccount()
  const { body } = await user.send('GET', '/api/v1/ai-assist/health')
  expect(body).toMatchObject({ status: 'down', detail: expect.stringContaining('cannot be reached') })
})

test('the local runtime shows its models, and which are loaded', async () => {
  const ping = await account.send('GET', '/api/v1/agent/localmodel/ping')
  expect(ping.body).toMatchObject({ reachable: true, version: '0.12.6' })
  const { body } = await account.send('GET', '/api/v1/agent/localmodel/status')
  expect(body.models).toMatchObject([
    { name: 'llama3.2:3b', parameters: '3.2B', loaded: true },
    { loaded: false, parameters: null },
  ])
})

test('without a model every operation says what to configure', async () => {
  await using bare = await createTestServer()
  const user = await bare.registerAccount()
  const calls = [
    ['POST', path, { description: 'a' }],
    ['POST', '/api/v1/ai-assist', { action: 'explain', definition: 'do: []' }],
    ['GET', '/api/v1/agent/localmodel/ping', undefined],
  ] as const
  for (const [method, to, body] of calls) {
    const response = await user.send(method, to, body)
    expect([to, response.status, response.body.code]).toEqual([to, 503, 'model_not_configured'])
    expect(response.body.detail).toMatch(/MILLRACE_(?:LOCAL)?MODEL/)
  }
  expect((await user.send('GET', '/api/v1/ai-assist/health')).body).toMatchObject({ status: 'down', configured: false })
})
