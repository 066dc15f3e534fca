import { createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#testing/database.ts'
import { startHttpStandIn } from '#testing/http-stand-in.ts'
import { startModelStandIn } from '#testing/model-stand-in.ts'
import { startServerProcess } from '#testing/server-process.ts'

const patient = { timeout: 60_000 }

test('a process that is killed in the middle of a run repeats no turn and no call that was journalled', { timeout: 120_000 }, async () => {
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
  const tools = [{ kind: 'http' as const, name: 'stock', description: 'Reads the stock.', url: `${shop.url}/stock` }]
  const { id } = await createClient({ baseUrl: doomed.url, groups, token }).agent.run({ body: { goal: 'How many?', tools } })
  await second.promise
  await doomed.kill()
  await using heir = await startServerProcess(environment)
  const client = createClient({ baseUrl: heir.url, groups, token })
  await expect.poll(async () => (await client.agent.getRun({ params: { id } })).outcome, patient).toBe('answered')
  expect(await client.agent.getRun({ params: { id } })).toMatchObject({ answer: 'Seven.', turns: 2, toolCalls: 1 })
  expect(turns).toEqual([1, 2, 2])
  expect(shop.requests).toHaveLength(1)
  await heir.kill()
  await standIn.stop()
  await db.drop()
})
