import { afterAll, beforeAll, expect, test } from 'vitest'
import { startHttpStandIn } from '#testing/http-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
let account: TestAccount
beforeAll(async () => {
  server = await createTestServer()
  account = await server.registerAccount()
})
afterAll(() => server.close())

const definitionOf = (name: string, tasks: readonly object[]) => ({
  document: { dsl: '1.0.3', namespace: 'test', name, version: '1.0.0' },
  do: tasks,
})

async function createVariable(name: string, value: unknown, kind = 'text'): Promise<string> {
  const { status, body } = await account.send('POST', '/api/v1/variables', { name, kind, value })
  expect([status, body]).toMatchObject([200, { name }])
  return body.id
}

async function createWorkflow(name: string, tasks: readonly object[]): Promise<string> {
  const { status, body } = await account.send('POST', '/api/v1/workflows', { definition: definitionOf(name, tasks), publish: true })
  expect([status, body]).toMatchObject([200, {}])
  return body.id
}

test('a definition reads variables, and an execution keeps the values that they had at its start', async () => {
  const id = await createVariable('region', 'eu')
  await createVariable('limits', { max: 5 }, 'json')
  const workflow = await createWorkflow('reads', [
    { rest: { wait: 'PT2S' } },
    { look: { set: { region: '${ $variables.region }', max: '${ $variables.limits.max }' } } },
  ])
  const started = await account.send('POST', `/api/v1/workflows/${workflow}/execute`, {})
  const execution = `/api/v1/workflows/executions/${started.body.id}`
  // The wait shows that the execution has begun.
  await expect.poll(async () => (await account.send('GET', execution)).body.state).toBe('waiting')
  await account.send('PUT', `/api/v1/variables/${id}`, { value: 'us' })
  await expect.poll(async () => (await account.send('GET', execution)).body.state).toBe('completed')
  expect((await account.send('GET', execution)).body).toMatchObject({ output: { region: 'eu', max: 5 } })
  expect((await account.send('GET', `/api/v1/archivist/runs/${started.body.id}/replay`)).body).toMatchObject({ verified: true })
  const later = await account.send('POST', `/api/v1/execute/${workflow}/run`, {})
  expect(later.body).toEqual({ region: 'us', max: 5 })
})

test('a missing variable faults the execution by its name, and the requirements say so before', async () => {
  const workflow = await createWorkflow('misses', [{ look: { set: { x: '${ $variables.absent }' } } }])
  const requirements = await account.send('GET', `/api/v1/workflows/${workflow}/execution-requirements`)
  expect(requirements.body).toMatchObject({ ready: false, variables: [{ name: 'absent', pointer: '/do/0/look/set/x', missing: true }] })
  const { status, body } = await account.send('POST', `/api/v1/execute/${workflow}/run`, {})
  expect(status).toBe(422)
  expect(body.error.detail).toContain('absent')
  await createVariable('absent', 'here')
  expect((await account.send('POST', `/api/v1/execute/${workflow}/run`, {})).body).toEqual({ x: 'here' })
})

test('an expression that computes a name reads any variable', async () => {
  await createVariable('first', 'one')
  const workflow = await createWorkflow('computes', [{ look: { set: { x: '${ $variables["fi" + "rst"] }' } } }])
  expect((await account.send('POST', `/api/v1/execute/${workflow}/run`, {})).body).toEqual({ x: 'one' })
})

test('a retry continues with the values of the first execution', async () => {
  const id = await createVariable('mode', 'first')
  const workflow = await createWorkflow('retries', [
    { note: { set: { mode: '${ $variables.mode }', go: '${ .go }' } } },
    { check: { if: '.go != true', raise: { error: { type: 'https://example.com/no', status: 400 } } } },
  ])
  const failed = await account.send('POST', `/api/v1/workflows/${workflow}/execute`, { input: { go: false } }, { prefer: 'wait=10' })
  expect(failed.body.state).toBe('faulted')
  await account.send('PUT', `/api/v1/variables/${id}`, { value: 'second' })
  const retried = await account.send('POST', `/api/v1/workflows/executions/${failed.body.id}/retry`, { input: { go: true } })
  const execution = `/api/v1/workflows/executions/${retried.body.id}`
  await expect.poll(async () => (await account.send('GET', execution)).body.state).toBe('completed')
  expect((await account.send('GET', execution)).body.output).toEqual({ mode: 'first', go: true })
})

test('a test and the workflows that it runs read the values for drafts, every other execution those for production', async () => {
  const give = async (name: string, kind: string, values: Readonly<Record<string, string>>) => {
    for (const [environment, value] of Object.entries(values))
      expect((await account.send('POST', '/api/v1/variables', { name, kind, value, environment })).status).toBe(200)
  }
  await give('bank', 'text', { all: 'any', draft: 'sandbox' })
  await give('key', 'secret', { draft: 'draft-key', production: 'live-key' })
  await give('live', 'text', { production: 'live' })
  await using service = await startHttpStandIn((_request, { authorization }) => ({
    body: { isDraft: authorization === 'Bearer draft-key' },
  }))
  const reads = {
    call: 'http',
    with: { method: 'get', endpoint: { uri: service.url, authentication: { bearer: { token: '${ $secrets.key }' } } } },
    output: { as: '${ {key: .isDraft, bank: $variables.bank} }' },
  }
  const use = { secrets: ['key'] }
  const child = { ...definitionOf('reads-below', [{ reads }]), use }
  await account.send('POST', '/api/v1/workflows', { definition: child, publish: true })
  const below = { run: { workflow: { namespace: 'test', name: 'reads-below', version: 'latest' } } }
  const tasks = [{ own: { ...reads, export: { as: '${ . }' } } }, { below: { ...below, output: { as: '${ {own: $context, below: .} }' } } }]
  const workflow = await account.send('POST', '/api/v1/workflows', { definition: { ...definitionOf('both', tasks), use } })
  const wait = { prefer: 'wait=20' }
  const draft = { key: true, bank: 'sandbox' }
  const tested = await account.send('POST', `/api/v1/workflows/${workflow.body.id}/test`, {}, wait)
  expect(tested.body).toMatchObject({ state: 'completed', output: { own: draft, below: draft } })
  const real = { key: false, bank: 'any' }
  const run = await account.send('POST', `/api/v1/workflows/${workflow.body.id}/execute`, {}, wait)
  expect(run.body).toMatchObject({ state: 'completed', output: { own: real, below: real } })
  const started = (await account.send('GET', '/api/v1/executions?trigger=test')).body.data
  expect(started.map(({ trigger }: { readonly trigger: string }) => trigger)).toEqual(['test', 'test'])
  const definition = definitionOf('both', [{ look: { set: { x: '${ $variables.live }' } } }])
  const missing = await account.send('POST', `/api/v1/workflows/${workflow.body.id}/test`, { definition }, wait)
  expect(missing.body).toMatchObject({
    state: 'faulted',
    error: { detail: expect.stringContaining('live does not exist in the environment draft') },
  })
})

test('a test and its retry read the secrets for drafts, with which alone a workflow cannot be published', async () => {
  await account.send('POST', '/api/v1/variables', { name: 'retried', kind: 'secret', value: 'draft-value', environment: 'draft' })
  const seen: unknown[] = []
  await using service = await startHttpStandIn((_request, { authorization }) => {
    seen.push(authorization)
    return { status: seen.length === 1 ? 400 : 200 }
  })
  const endpoint = { uri: service.url, authentication: { bearer: { token: '${ $secrets.retried }' } } }
  const definition = {
    ...definitionOf('retried-test', [{ reads: { call: 'http', with: { method: 'get', endpoint } } }]),
    use: { secrets: ['retried'] },
  }
  const workflow = await account.send('POST', '/api/v1/workflows', { definition, publish: false })
  const failed = await account.send('POST', `/api/v1/workflows/${workflow.body.id}/test`, {}, { prefer: 'wait=20' })
  expect(failed.body.state).toBe('faulted')
  const retried = await account.send('POST', `/api/v1/workflows/executions/${failed.body.id}/retry`, {}, { prefer: 'wait=20' })
  expect([retried.body.state, seen]).toEqual(['completed', ['Bearer draft-value', 'Bearer draft-value']])
  const published = await account.send('PUT', `/api/v1/workflows/${workflow.body.id}`, { publish: true })
  expect([published.status, published.body.diagnostics]).toMatchObject([422, [{ code: 'unknown_secret' }]])
})

test('another account reads its own variables only', async () => {
  await createVariable('private', 'ours')
  const other = await server.registerAccount()
  const definition = definitionOf('theirs', [{ look: { set: { x: '${ $variables.private }' } } }])
  const created = await other.send('POST', '/api/v1/workflows', { definition, publish: true })
  const { status, body } = await other.send('POST', `/api/v1/execute/${created.body.id}/run`, {})
  expect([status, body.error?.detail]).toEqual([422, expect.stringContaining('private')])
})
