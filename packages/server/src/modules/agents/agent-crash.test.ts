import { createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#testing/database.ts'
import { documentOf } from '#testing/definitions.ts'
import { startHttpStandIn } from '#testing/http-stand-in.ts'
import { startModelStandIn } from '#testing/model-stand-in.ts'
import { startServerProcess } from '#testing/server-process.ts'

type Client = ReturnType<typeof createClient<typeof groups>>

async function startRun(client: Client, url: string): Promise<void> {
  const tools = [{ kind: 'http' as const, name: 'stock', description: 'Reads the stock.', url }]
  await client.agent.run({ body: { goal: 'How many?', tools } })
}

async function startWorkflow(client: Client, url: string): Promise<void> {
  const tools = `[{ kind: http, name: stock, description: Reads the stock., url: '${url}' }]`
  const definition = documentOf(`do:\n  - ask: { call: agent, with: { goal: How many?, tools: ${tools} } }\n`)
  const { id } = await client.workflows.create({ body: { definition } })
  await client.workflows.execute({ params: { id }, body: {} })
}

test.each([
  ['a run', startRun],
  ['a call of an agent', startWorkflow],
])('a process that is killed in the middle of %s repeats no turn and no call that was journalled', async (_what, begin) => {
  const db = await createTestDatabase()
  const shop = await startHttpStandIn(() => ({ body: { stock: 7 } }))
  const turns: number[] = []
  const second = Promise.withResolvers<void>()
  const standIn = await startModelStandIn(async ({ messages }) => {
    const turn = messages.filter(({ role }) => role === 'assistant').length + 1
    turns.push(turn)
    if (turn === 1) return { toolCalls: [{ name: 'stock', arguments: '{}' }] }
    if (turns.filter((each) => each === 2).length > 1) return { content: 'Seven.' }
    second.resolve()
    // The first process is killed while it waits.
    return new Promise(() => undefined)
  })
  const environment = {
    DATABASE_URL: db.url,
    MILLRACE_MODEL_URL: standIn.url,
    MILLRACE_MODEL_NAME: 'm',
    MILLRACE_DATABASE_CONNECTIONS: '8',
  }
  const doomed = await startServerProcess(environment)
  const user = { email: 'ada@example.com', password: 'a rather unusual phrase 4711' }
  const { accessToken: token } = await createClient({ baseUrl: doomed.url, groups }).auth.register({ body: user })
  await begin(createClient({ baseUrl: doomed.url, groups, token }), `${shop.url}/stock`)
  await second.promise
  await doomed.kill()
  await using heir = await startServerProcess(environment)
  const client = createClient({ baseUrl: heir.url, groups, token })
  const readRuns = async () => (await client.agent.runs()).data
  await expect.poll(async () => (await readRuns())[0]?.outcome).toBe('answered')
  expect(await readRuns()).toMatchObject([{ answer: 'Seven.', turns: 2, toolCalls: 1 }])
  expect(turns).toEqual([1, 2, 2])
  expect(shop.requests).toHaveLength(1)
  await heir.kill()
  await standIn.stop()
  await db.drop()
})
