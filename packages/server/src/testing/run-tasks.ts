import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { TestAccount } from './server.ts'

/** Publishes tasks as a workflow of the account and runs it; its end as the API shows it. */
export async function runTasks(account: TestAccount, tasks: readonly object[], input: object = {}) {
  const definition = { document: { dsl: '1.0.3', namespace: 'tests', name: `w-${randomUUID()}`, version: '1.0.0' }, do: tasks }
  const created = await account.send('POST', '/api/v1/workflows', { definition, publish: true })
  expect([created.status, created.body.errors]).toEqual([200, undefined])
  const { body } = await account.send('POST', `/api/v1/workflows/${created.body.id}/execute`, { input }, { prefer: 'wait=30' })
  return body
}
