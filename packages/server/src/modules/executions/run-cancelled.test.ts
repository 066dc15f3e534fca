import { expect, test, vi } from 'vitest'
import { documentOf, waits } from '#testing/definitions.ts'
import { createTestServer } from '#testing/server.ts'

test('a run whose execution is cancelled responds with execution_cancelled and the id of the execution', async () => {
  await using server = await createTestServer()
  const account = await server.registerAccount()
  const { body: workflow } = await account.send('POST', '/api/v1/workflows', { definition: documentOf(waits) })
  const run = account.send('POST', `/api/v1/execute/${workflow.id}/run`, {}, { prefer: 'wait=60' })
  const executionId = await vi.waitFor(async () => {
    const { body } = await account.send('GET', `/api/v1/workflows/${workflow.id}/executions`)
    const [execution] = body.data
    expect(execution.id).toMatch(/^exec_/)
    return String(execution.id)
  })
  await account.send('POST', `/api/v1/workflows/executions/${executionId}/cancel`)
  const { status, body } = await run
  expect([status, body.code, body.executionId]).toEqual([409, 'execution_cancelled', executionId])
})
