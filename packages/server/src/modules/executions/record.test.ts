import { compileWorkflow, verify } from '@millrace/engine/replay'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const rests = `do:
  - each:
      for: { each: item, in: '\${ .items }' }
      do:
        - rest: { wait: { milliseconds: 1 } }
        - double: { set: { doubled: '\${ $item * 2 }' } }
`

async function executed(account: TestAccount, items: readonly number[]): Promise<string> {
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(rests) } })
  const { body } = await account.send('POST', `/api/v1/workflows/${id}/execute`, { input: { items } }, { prefer: 'wait=10' })
  return body.id
}

const read = (account: TestAccount, id: string, query = '') => account.send('GET', `/api/v1/workflows/executions/${id}/record${query}`)

test('the record of an execution can be replayed elsewhere, and gives the recorded output', async () => {
  const account = await server.registerAccount()
  const id = await executed(account, [1, 2, 3])
  const { status, body } = await read(account, id)
  expect(status).toBe(200)
  expect(body.journal).toHaveLength(3)
  const { definition, functions, resources, input, output, decisions, state } = body
  const workflow = compileWorkflow(definition, { functions, resources })
  const entries = body.journal.map(({ startedAt, endedAt, ...entry }: { startedAt: string; endedAt: string }) => ({
    ...entry,
    startedAtMs: Date.parse(startedAt),
    endedAtMs: Date.parse(endedAt),
  }))
  const record = {
    id,
    workflow,
    input,
    output,
    decisions,
    state,
    entries,
    startedAtMs: Date.parse(body.startedAt),
    error: undefined,
    secrets: {},
  }
  const walkOf = (change: object) => verify({ ...record, runtime: { name: 'millrace', version: '', metadata: {} }, ...change }).next().value
  expect(walkOf({})).toEqual({ entries: 3, difference: undefined })
  expect(walkOf({ output: { doubled: 7 } })).toMatchObject({ difference: { part: 'output' } })
})

test('a journal is read in pages', async () => {
  const account = await server.registerAccount()
  const id = await executed(account, [1, 2, 3, 4, 5])
  const seen: number[] = []
  for (let query = '?limit=2'; query !== ''; ) {
    const { body } = await read(account, id, query)
    seen.push(...body.journal.map(({ seq }: { seq: number }) => seq))
    query = body.nextCursor === null ? '' : `?limit=2&cursor=${body.nextCursor}`
  }
  expect(seen).toEqual([0, 1, 2, 3, 4])
})

test('another account cannot read the record', async () => {
  const id = await executed(await server.registerAccount(), [1])
  expect((await read(await server.registerAccount(), id)).status).toBe(404)
})
