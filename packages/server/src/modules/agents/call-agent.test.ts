import type { ChatCompletionRequest, FixtureResponse } from '@copilotkit/aimock'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf } from '#testing/definitions.ts'
import { startHttpStandIn } from '#testing/http-stand-in.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

type Respond = (request: ChatCompletionRequest) => FixtureResponse

let standIn: ModelStandIn
let server: TestServer
let shop: Awaited<ReturnType<typeof startHttpStandIn>>
/** By the text of the goal, so that tests do not disturb one another. */
const models = new Map<string, Respond>()

beforeAll(async () => {
  standIn = await startModelStandIn((request) => {
    const first = JSON.stringify(request.messages.find(({ role }) => role === 'user')?.content)
    const [, respond] = [...models].find(([goal]) => first.includes(goal)) ?? []
    return respond?.(request) ?? { content: 'Nothing to do.' }
  })
  shop = await startHttpStandIn((_request, headers) => ({ body: { orders: headers['x-key'] === 'sesame-opens-it' ? 3 : 0 } }))
  const environment = { MILLRACE_MODEL_URL: standIn.url, MILLRACE_MODEL_NAME: 'test', MILLRACE_MODEL_PRICES: '1000/1000' }
  server = await createTestServer(environment)
})
afterAll(async () => {
  await server.close()
  await standIn.stop()
})

const turnsOf = ({ messages }: ChatCompletionRequest) => messages.filter(({ role }) => role === 'assistant').length
const toolCall = (name: string, args: object): FixtureResponse => ({ toolCalls: [{ name, arguments: JSON.stringify(args) }] })
const sentFor = (goal: string) => standIn.requests().filter((request) => JSON.stringify(request.messages).includes(goal))
const ordersTool = () => `{ kind: http, name: orders, description: Reads orders., url: '${shop.url}/orders/{id}' }`

async function publish(account: TestAccount, yaml: string): Promise<string> {
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(yaml) } })
  return id
}

async function outcomeOf(account: TestAccount, id: string) {
  const read = async () => (await account.send('GET', `/api/v1/workflows/executions/${id}`)).body
  await expect.poll(async () => ['completed', 'faulted'].includes((await read()).state)).toBe(true)
  return read()
}

async function execute(account: TestAccount, yaml: string, input: object) {
  const workflowId = await publish(account, yaml)
  const { body } = await account.send('POST', `/api/v1/workflows/${workflowId}/execute`, { input })
  return { id: String(body.id), workflowId }
}

test('agents of a definition run beside one another, with its data and secrets, as runs of their own', async () => {
  const account = await server.registerAccount()
  await account.send('POST', '/api/v1/variables', { name: 'shopKey', kind: 'secret', value: 'sesame-opens-it' })
  models.set('count-orders', (request) =>
    turnsOf(request) === 0 ? toolCall('orders', { id: '7' }) : { content: `Seen ${JSON.stringify(request.messages.at(-1)?.content)}` },
  )
  models.set('say-hello', () => ({ content: 'Hello.' }))
  const tool = `{ kind: http, name: orders, description: Reads orders., url: '${shop.url}/orders/{id}', headers: { X-Key: { secret: shopKey } } }`
  const { id } = await execute(
    account,
    `use: { secrets: [shopKey] }
do:
  - keep: { set: { n: '\${ .n }' }, export: { as: '\${ { kept: .n } }' } }
  - both:
      fork:
        branches:
          - count: { call: agent, with: { goal: '\${ "count-orders of " + (.n | tostring) }', data: '\${ . }', tools: [${tool}] } }
          - greet: { call: agent, with: { goal: say-hello, quality: fast } }
  - end: { set: { answers: '\${ map(.answer) }', kept: '\${ $context.kept }' } }
`,
    { n: 4 },
  )
  expect(await outcomeOf(account, id)).toMatchObject({
    state: 'completed',
    output: { answers: [expect.stringContaining('orders'), 'Hello.'], kept: 4 },
  })
  expect(shop.requests.at(-1)).toMatchObject({ path: '/orders/7' })
  expect(JSON.stringify(sentFor('count-orders of 4'))).not.toContain('sesame-opens-it')
  const { body: runs } = await account.send('GET', '/api/v1/agent/runs')
  expect(runs.data.map(({ outcome, executionId }: Record<string, string>) => [outcome, executionId])).toEqual([
    ['answered', id],
    ['answered', id],
  ])
  const counted = runs.data.find(({ goal }: { goal: string }) => goal === 'count-orders of 4')
  expect(counted).toMatchObject({
    turns: 2,
    toolCalls: 1,
    quality: 'strong',
    cost: expect.closeTo((counted.inputTokens + counted.outputTokens) / 1000, 5),
  })
  const { body: detail } = await account.send('GET', `/api/v1/agent/runs/${counted.id}`)
  expect(detail.steps.map(({ kind }: { kind: string }) => kind)).toEqual(['model', 'tool', 'model'])
  expect(detail.steps[1].output).toContain('"orders":3')
})

test('a workflow as a tool asks the admins unless the definition names others, and runs as a child of the execution', async () => {
  const account = await server.registerAccount()
  const schema = '{ schema: { document: { type: object, required: [n], properties: { n: { type: integer } } } } }'
  const child = documentOf(`input: ${schema}\ndo:\n  - add: { set: { n: "\${ .n + 1 }" } }\n`, 'add-one')
  await account.client.workflows.create({ body: { definition: child } })
  models.set('add-with-child', (request) =>
    turnsOf(request) === 0 ? toolCall('add', { n: 41 }) : { content: JSON.stringify(request.messages.at(-1)?.content) },
  )
  const tool = `{ kind: workflow, name: add, description: Adds one., namespace: tests, workflow: add-one }`
  const { id } = await execute(account, `do:\n  - ask: { call: agent, with: { goal: add-with-child, tools: [${tool}] } }\n`, {})
  const approvals = async () => (await account.send('GET', `/api/v1/workflows/executions/${id}/approvals`)).body.data ?? []
  await expect.poll(async () => (await approvals()).length).toBe(1)
  const [asked] = await approvals()
  expect(asked).toMatchObject({ details: { tool: 'add', arguments: { n: 41 } } })
  expect(sentFor('add-with-child')[0]?.tools?.[0]).toMatchObject({ function: { parameters: { required: ['n'] } } })
  await account.send('POST', `/api/v1/workflows/executions/${id}/approvals/${asked.id}`, { decision: 'approve' })
  expect((await outcomeOf(account, id)).output).toMatchObject({ outcome: 'answered', answer: expect.stringContaining('42') })
})

test('an agent ends at its limit of money, and the workflow continues with that outcome', async () => {
  const account = await server.registerAccount()
  models.set('spend-money', () => toolCall('orders', { id: '1' }))
  const call = `{ call: agent, with: { goal: spend-money, tools: [${ordersTool()}], limits: { cost: 0.01, steps: 20 } } }`
  const { id } = await execute(account, `do:\n  - spend: ${call}\n  - end: { set: { how: '\${ .outcome }' } }\n`, {})
  expect((await outcomeOf(account, id)).output).toEqual({ how: 'cost_limit' })
})

test('a model that does not respond is an error that the definition catches, and the run has faulted', async () => {
  const account = await server.registerAccount()
  models.set('hit-error', () => ({ error: { message: 'no' }, status: 401 }))
  const yaml = `do:
  - guard:
      try: [{ ask: { call: agent, with: { goal: hit-error } } }]
      catch: { do: [{ caught: { set: { status: '\${ $error.status }' } } }] }
`
  const { id } = await execute(account, yaml, {})
  expect((await outcomeOf(account, id)).output).toMatchObject({ status: expect.any(Number) })
  expect((await account.send('GET', '/api/v1/agent/runs')).body.data).toMatchObject([{ goal: 'hit-error', outcome: 'faulted' }])
})

test('a published version keeps its tasks with it, whatever a later release makes of the call', async () => {
  const account = await server.registerAccount()
  await publish(account, `do:\n  - ask: { call: agent, with: { goal: a, tools: [${ordersTool()}] } }\n`)
  const { rows } = await sql<{ kind: string }>`
    select r.value ->> 'kind' as kind from workflow_versions, json_each(resources) r where account_id = ${account.accountId}`.execute(
    server.database.system,
  )
  expect(rows).toEqual([{ kind: 'call' }])
})

test.each<[string, string, string]>([
  [
    'a secret that is not listed',
    `tools: [{ kind: http, name: a, description: b, url: 'http://h/x', headers: { X-A: { secret: gone } } }]`,
    'use.secrets',
  ],
  ['a tool that an expression makes', `tools: [{ kind: http, name: a, description: b, url: '\${ .url }' }]`, 'written out'],
  ['tools from the input', `tools: '\${ .tools }'`, 'written out'],
  [
    'two tools of one name',
    `tools: [{ kind: mcp, name: a, url: 'http://h', tools: [x] }, { kind: mcp, name: a, url: 'http://h', tools: [x] }]`,
    'Another tool',
  ],
  [
    'a name that no tool may have',
    `tools: [{ kind: mcp, name: 2nd, url: 'http://h', tools: [x] }]`,
    'must begin with a letter, followed by',
  ],
  ['a workflow tool without a workflow', `tools: [{ kind: workflow, name: a, description: b }]`, 'needs namespace'],
  ['a limit of time that no one can read', `limits: { duration: P1Y }`, 'duration'],
  ['a policy without approvals', `approval: { policy: never }`, 'agent'],
  ['more steps than there may be', `limits: { steps: 99 }`, 'agent'],
])('%s is refused when the definition is saved', async (_case, member, message) => {
  const account = await server.registerAccount()
  const definition = documentOf(`do:\n  - ask: { call: agent, with: { goal: a, ${member} } }\n`)
  const { body } = await account.send('POST', '/api/v1/workflows', { definition })
  expect(body).toMatchObject({ code: 'workflow_invalid', status: 422 })
  expect(JSON.stringify(body.diagnostics)).toContain(message)
})

describe('a function of a connector as a tool', () => {
  async function withConnector() {
    const account = await server.registerAccount()
    const parameters = { id: { in: 'path', schema: { type: 'integer' } } }
    const operations = [{ name: 'readOrder', summary: 'Reads an order', method: 'get', path: '/connected/{id}', parameters }]
    const document = {
      connector: '1.0',
      title: 'Shop',
      servers: ['https://api.example.com'],
      authentication: { kind: 'bearer' },
      operations,
    }
    await account.send('POST', '/api/v1/connectors', { name: 'shop', kind: 'manifest', document })
    for (const name of ['east', 'west'])
      await account.send('POST', '/api/v1/connections', {
        name,
        settings: { kind: 'bearer', url: `${shop.url}/${name}` },
        secrets: { token: `token-of-${name}` },
      })
    return account
  }
  const connected = () => shop.requests.filter(({ path }) => path.includes('/connected/')).map(({ path }) => path)
  /** Tries to choose another connection, and then calls what it may. */
  const chooses: Respond = (request) => {
    const turn = turnsOf(request)
    if (turn === 0) return toolCall('orders', { id: 7, connection: 'west' })
    if (turn === 1) return toolCall('orders', { id: 7 })
    return { content: `Seen ${JSON.stringify(request.messages.at(-1)?.content)}` }
  }

  test.each([
    [
      'a run',
      async (account: TestAccount, goal: string) => {
        const tool = {
          kind: 'connector',
          name: 'orders',
          description: 'Reads.',
          function: 'shop.readOrder',
          connection: 'east',
          risk: 'safe',
        }
        return (await account.send('POST', '/api/v1/agent/run', { goal, tools: [tool] })).body.executionId
      },
    ],
    [
      'a definition',
      async (account: TestAccount, goal: string) => {
        const tool = '{ kind: connector, name: orders, description: Reads., function: shop.readOrder, connection: east, risk: safe }'
        return (await execute(account, `do:\n  - ask: { call: agent, with: { goal: ${goal}, tools: [${tool}] } }\n`, {})).id
      },
    ],
  ])('is called by %s with the connection of the tool and no other', async (what, begin) => {
    const account = await withConnector()
    const goal = `connector-of-${what.replaceAll(' ', '-')}`
    models.set(goal, chooses)
    const before = connected().length
    const end = await outcomeOf(account, await begin(account, goal))
    expect(end.output).toMatchObject({ outcome: 'answered', turns: 3, toolCalls: 1 })
    expect(connected().slice(before)).toEqual(['/east/connected/7'])
    const [first] = sentFor(goal)
    expect(JSON.stringify(first)).toContain('"id":{"type":"integer"')
    expect(JSON.stringify(sentFor(goal))).not.toContain('token-of-east')
  })

  test('is refused before the run if the account has no such function, or it needs a connection', async () => {
    const account = await withConnector()
    const tool = (more: object) => ({ kind: 'connector', name: 'orders', description: 'Reads.', ...more })
    const run = async (more: object) => (await account.send('POST', '/api/v1/agent/run', { goal: 'x', tools: [tool(more)] })).body
    expect(await run({ function: 'shop.nothing' })).toMatchObject({ status: 422, errors: [{ pointer: '/tools/0/function' }] })
    expect(await run({ function: 'shop.readOrder' })).toMatchObject({ status: 422, errors: [{ pointer: '/tools/0/connection' }] })
  })
})
