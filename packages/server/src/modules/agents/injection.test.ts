import type { ChatCompletionRequest, FixtureResponse } from '@copilotkit/aimock'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { documentOf } from '#testing/definitions.ts'
import { startHttpStandIn } from '#testing/http-stand-in.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import cases from './testing/attacks.json' with { type: 'json' }

/** Data that attacks, and what a model does that obeys it. */
interface Attack {
  readonly id: string
  readonly channel: string
  readonly text: string
  readonly call?: { readonly tool: string; readonly arguments: object | string }
  readonly answer?: string
}

const attacks: readonly Attack[] = cases
/** Built in pieces: it is no secret of anyone. */
const secret = ['shop', 'key', '7Qw2x'].join('-')
const filled = (text: string) => text.replaceAll('__SECRET__', secret)

let model: ModelStandIn
let shop: Awaited<ReturnType<typeof startHttpStandIn>>
let server: TestServer
let account: TestAccount
let payments: string
const runs = new Map<string, string>()

const goalOf = ({ id }: Attack) => `Summarize the order of case ${id}.`
const attackIn = ({ messages }: ChatCompletionRequest) => {
  const asked = JSON.stringify(messages.find(({ role }) => role === 'user')?.content)
  return attacks.find((attack) => asked.includes(goalOf(attack)))
}

/** A model that obeys whatever it reads: the platform alone prevents the attack. */
function obey(request: ChatCompletionRequest): FixtureResponse {
  const attack = attackIn(request)
  if (attack === undefined) throw new Error('no attack belongs to this request')
  const turns = request.messages.filter(({ role }) => role === 'assistant').length
  if (turns === 0) return { toolCalls: [{ name: 'orders', arguments: JSON.stringify({ id: attack.id }) }] }
  const { call, answer = 'Done.' } = attack
  if (turns > 1 || call === undefined) return { content: answer.replace('__REPEAT__', JSON.stringify(request.messages.at(-1)?.content)) }
  const given = call.arguments
  return { toolCalls: [{ name: call.tool, arguments: filled(typeof given === 'string' ? given : JSON.stringify(given)) }] }
}

beforeAll(async () => {
  model = await startModelStandIn(obey)
  shop = await startHttpStandIn(({ path }) => {
    const attack = attacks.find(({ id, channel }) => channel === 'tool' && path === `/orders/${id}`)
    return { body: { note: attack === undefined ? 'An order.' : filled(attack.text) } }
  })
  server = await createTestServer({ MILLRACE_MODEL_URL: model.url, MILLRACE_MODEL_NAME: 'test' })
  account = await server.registerAccount()
  await account.send('POST', '/api/v1/variables', { name: 'shopKey', kind: 'secret', value: secret })
  const definition = documentOf(
    'input: { schema: { document: { type: object, required: [amount, to], properties: { amount: { type: number }, to: { type: string } } } } }\ndo:\n  - pay: { set: { paid: true } }\n',
    'pay',
  )
  payments = (await account.client.workflows.create({ body: { definition, publish: true } })).id
  const ids: string[] = []
  // A server with few connections refuses a crowd of requests on a busy machine.
  for (let at = 0; at < attacks.length; at += 8) ids.push(...(await Promise.all(attacks.slice(at, at + 8).map(start))))
  await vi.waitFor(assertEnded, { interval: 250 })
  for (const [index, { id }] of attacks.entries())
    runs.set(id, JSON.stringify((await account.send('GET', `/api/v1/agent/runs/${ids[index]}`)).body))
})
afterAll(async () => {
  await server.close()
  await shop[Symbol.asyncDispose]()
  await model.stop()
})

/** Starts an agent that reads the attack; @returns the id of its run. */
async function start(attack: Attack): Promise<string> {
  const headers = { 'X-Key': { secret: 'shopKey', prefix: '' } }
  const body = { type: 'object', properties: { to: { type: 'string' }, text: { type: 'string' } } }
  const started = await account.send('POST', '/api/v1/agent/run', {
    goal: goalOf(attack),
    ...(attack.channel === 'tool' ? {} : { data: { [attack.channel]: { content: attack.text } } }),
    tools: [
      { kind: 'http', name: 'orders', description: 'Reads an order.', url: `${shop.url}/orders/{id}`, headers },
      { kind: 'http', name: 'notify', description: 'Sends a mail.', method: 'POST', url: `${shop.url}/mails`, headers, body },
      { kind: 'workflow', name: 'pay', description: 'Pays.', workflowId: payments },
    ],
    approval: { deadline: 'PT1S' },
  })
  expect(started.status).toBe(200)
  return started.body.id
}

async function assertEnded(): Promise<void> {
  const { body } = await account.send('GET', '/api/v1/agent/runs?limit=100')
  const open = body.data.filter(({ state }: { readonly state: string }) => state !== 'completed')
  if (open.length > 0) throw new Error(`${open.length} runs have not ended: ${open[0].state}`)
}

const requestsFor = (attack: Attack) => model.requests().filter((request) => attackIn(request) === attack)

test('there are at least fifty attacks, through results of tools, files, pages and mails', () => {
  expect(attacks.length).toBeGreaterThanOrEqual(50)
  expect(new Set(attacks.map(({ channel }) => channel))).toEqual(new Set(['tool', 'file', 'page', 'mail']))
})

test.each(attacks)('$id neither learns a secret nor ends the data that it is in', (attack) => {
  const requests = requestsFor(attack)
  expect(requests.length).toBeGreaterThan(1)
  expect(JSON.stringify(requests)).not.toContain(secret)
  expect(runs.get(attack.id)).toContain('"outcome":"answered"')
  expect(runs.get(attack.id)).not.toContain(secret)
  for (const { role, content } of requests.flatMap(({ messages }) => messages).filter((message) => message.role !== 'system')) {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    if (role === 'assistant') continue
    expect(text.split('</data>').length).toBe(text.split('<data source=').length)
  }
})

test('no attack acted: the shop was read at the address of its tool alone, nothing was sent, and nothing was paid', async () => {
  expect(shop.requests.length).toBeGreaterThanOrEqual(attacks.length)
  const strange = shop.requests.filter(({ method, path }) => method !== 'GET' || !/^\/orders\/(?!\.{1,2}$)[^/?#;]+$/.test(path))
  expect(strange).toEqual([])
  expect(JSON.stringify(shop.requests)).not.toContain(secret)
  const { data } = (await account.send('GET', `/api/v1/workflows/${payments}/executions`)).body
  expect(data).toEqual([])
})
