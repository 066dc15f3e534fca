import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#config/read-config.ts'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer, type TestServer } from '#testing/server.ts'
import { createLogger } from './logger.ts'
import { openInstallationVerifier } from './verifier.ts'

const MILLRACE_SECRET_KEY = Buffer.alloc(32, 7).toString('base64')

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({ MILLRACE_SECRET_KEY })
})
afterAll(() => server.close())

/** What it says follows from a secret, which is in no journal. */
const measures = `use: { secrets: [shopKey] }
do:
  - measure: { set: { length: '\${ $secrets.shopKey | length }' } }
`

test('an execution that reads a secret of its account is verified with it, and a test with that of drafts', async () => {
  const account = await server.registerAccount()
  const secret = { name: 'shopKey', kind: 'secret' }
  await account.send('POST', '/api/v1/variables', { ...secret, environment: 'production', value: 'sesame-opens-it' })
  await account.send('POST', '/api/v1/variables', { ...secret, environment: 'draft', value: 'open-sesame' })
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(measures) } })
  const { body: run } = await account.send('POST', `/api/v1/workflows/${id}/execute`, {}, { prefer: 'wait=20' })
  const { body: tested } = await account.send('POST', `/api/v1/workflows/${id}/test`, {}, { prefer: 'wait=20' })
  expect([run.output, tested.output]).toEqual([{ length: 15 }, { length: 11 }])
  const verifier = await openInstallationVerifier(readConfig({ MILLRACE_SECRET_KEY }), server.databaseUrl, createLogger('error'))
  for (const executionId of [run.id, tested.id]) {
    expect(await verifier.verify(executionId)).toEqual({ entries: 0, difference: undefined })
    expect((await account.send('GET', `/api/v1/archivist/runs/${executionId}/replay`)).body).toMatchObject({ verified: true })
  }
  await verifier.close()
})
