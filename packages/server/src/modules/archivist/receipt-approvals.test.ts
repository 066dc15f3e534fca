import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromTypeId } from '#platform/ids.ts'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

test('a receipt states every approval, however many there are', async () => {
  const account = await server.registerAccount()
  const asks = Array.from(
    { length: 101 },
    (_, index) => `          - ask${index}: { call: approve, with: { title: Go, approvers: [{ role: owner }] } }\n`,
  )
  const definition = documentOf(`do:\n  - all:\n      fork:\n        branches:\n${asks.join('')}`)
  const { id: workflowId } = await account.client.workflows.create({ body: { definition } })
  const { id } = await account.client.workflows.execute({ params: { id: workflowId }, body: {} })
  const opened = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from approvals where execution_id = ${fromTypeId('exec', id) ?? ''}`.execute(server.database.system)
    return rows[0]?.count
  }
  await expect.poll(opened, { interval: 200 }).toBe(101)
  await account.client.executions.cancel({ params: { executionId: id } }, { waitSeconds: 10 })
  const { body } = await account.send('GET', `/api/v1/archivist/runs/${id}/guardian-receipt`)
  const { approvals } = body.statement.predicate
  expect(new Set(approvals.map((approval: { id: string }) => approval.id)).size).toBe(101)
})
