import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentOf } from '#testing/definitions.ts'
import { startHttpStandIn } from '#testing/http-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
let account: TestAccount
let service: Awaited<ReturnType<typeof startHttpStandIn>>
beforeAll(async () => {
  service = await startHttpStandIn(() => ({ body: { text: 'x'.repeat(4_000) } }))
  server = await createTestServer({ MILLRACE_EXECUTION_ENTRIES_MAX: '100', MILLRACE_EXECUTION_BYTES_MAX: '300000' })
  account = await server.registerAccount()
})
afterAll(async () => {
  await server.close()
  await service[Symbol.asyncDispose]()
})

async function run(tasks: string) {
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(tasks) } })
  const started = await account.send('POST', `/api/v1/workflows/${id}/execute`, {}, { prefer: 'wait=30' })
  const { rows } = await sql<{ entries: number }>`select count(*)::int4 as entries from journal`.execute(server.database.system)
  await sql`delete from journal`.execute(server.database.system)
  return { ...started.body, entries: rows[0]?.entries }
}

const ask = () => `call: http, with: { method: get, endpoint: { uri: '${service.url}/a' } }`
const load = (name: string) => `{ ${name}: { ${ask()}, output: { as: { } } } }`
const tooLarge = (detail: RegExp) => ({
  state: 'faulted',
  error: { title: 'Execution too large', status: 500, detail: expect.stringMatching(detail), instance: expect.stringMatching(/^\/do\//) },
})

test('an endless loop that catches everything is ended, and its journal stays within the limit', async () => {
  const ended = await run(`do:
  - again:
      try: [{ pause: { wait: { milliseconds: 1 } } }]
      catch: {}
      then: again
`)
  expect(ended).toMatchObject(tooLarge(/more than 100 entries.*MILLRACE_EXECUTION_ENTRIES_MAX/))
  expect(ended.entries).toBe(101)
})

test('entries from before an execution was parked count after it is resumed', async () => {
  const loop = (name: string) => `  - ${name}: { for: { in: '\${ [range(60)] }' }, do: [{ pause: { wait: { milliseconds: 1 } } }] }`
  const ended = await run(`do:
${loop('first')}
  - sleep: { wait: { milliseconds: 1500 } }
${loop('second')}
`)
  expect(ended).toMatchObject(tooLarge(/more than 100 entries/))
  expect(ended.error.instance).toMatch(/second/)
  expect(ended.entries).toBe(101)
})

test('what is answered counts by its size', async () => {
  const ended = await run(`do: [{ loop: { for: { in: '\${ [range(90)] }' }, do: [${load('load')}] } }]`)
  expect(ended).toMatchObject(tooLarge(/more than 300000 bytes.*MILLRACE_EXECUTION_BYTES_MAX/))
  expect(ended.entries).toBeLessThan(80)
})
