import { ownProcessor } from '@millrace/engine'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { counts, documentOf, greets } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { createDefinitions } from './index.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

async function versionOf(account: TestAccount, definition: string): Promise<string> {
  const { id } = await account.client.workflows.create({ body: { definition } })
  const { rows } = await sql<{ id: string }>`
    select latest_version_id as id from workflows where account_id = ${account.accountId} order by id desc limit 1`.execute(
    server.database.system,
  )
  expect(id).toMatch(/^wf_/)
  return rows[0]?.id ?? ''
}

const definitionsOf = (charactersMax = 1_000_000) =>
  createDefinitions({ db: server.database.system, functions: [], processor: ownProcessor, charactersMax })

describe('compiled definitions', () => {
  test('a compiled definition is the same object while it is cached', async () => {
    const account = await server.registerAccount()
    const versionId = await versionOf(account, documentOf(greets))
    const definitions = definitionsOf()
    const [one, two] = await Promise.all([definitions.load(account.accountId, versionId), definitions.load(account.accountId, versionId)])
    expect(one).toBe(two)
    expect(await definitions.load(account.accountId, versionId)).toBe(one)
  })

  test('the least recently used compiled definition is evicted', async () => {
    const account = await server.registerAccount()
    const [a, b, c] = [
      await versionOf(account, documentOf(greets)),
      await versionOf(account, documentOf(greets)),
      await versionOf(account, documentOf(greets)),
    ]
    // Room for two of the three.
    const definitions = definitionsOf(400)
    const load = (versionId: string) => definitions.load(account.accountId, versionId)
    const [firstA, firstB] = [await load(a), await load(b)]
    expect(await load(a)).toBe(firstA)
    await load(c)
    expect(await load(a)).toBe(firstA)
    expect(await load(b)).not.toBe(firstB)
  })

  test('a definition larger than the cache is compiled', async () => {
    const account = await server.registerAccount()
    const versionId = await versionOf(account, documentOf(greets))
    expect((await definitionsOf(1).load(account.accountId, versionId)).document.namespace).toBe('tests')
  })

  test('a compiled definition is never returned to another account', async () => {
    const [owner, outsider] = [await server.registerAccount(), await server.registerAccount()]
    const versionId = await versionOf(owner, documentOf(greets))
    const definitions = definitionsOf()
    await expect(definitions.load(outsider.accountId, versionId)).rejects.toThrow('is not of account')
    await definitions.load(owner.accountId, versionId)
    await expect(definitions.load(outsider.accountId, versionId)).rejects.toThrow('is not of account')
  })

  test('the document of a version is read for its account alone, as the compiled definition has it', async () => {
    const [owner, outsider] = [await server.registerAccount(), await server.registerAccount()]
    const versionId = await versionOf(owner, documentOf(greets))
    const definitions = definitionsOf()
    expect(await definitions.documentOf(owner.accountId, versionId)).toEqual((await definitions.load(owner.accountId, versionId)).document)
    await expect(definitions.documentOf(outsider.accountId, versionId)).rejects.toThrow('has no version')
  })

  test('a failed load is not cached', async () => {
    const account = await server.registerAccount()
    const definitions = definitionsOf()
    const missing = newId()
    await expect(definitions.load(account.accountId, missing)).rejects.toThrow('there is no workflow version')
    await expect(definitions.load(account.accountId, missing)).rejects.toThrow('there is no workflow version')
  })

  test('an input that does not match the schema is reported with its invalid parts', async () => {
    const account = await server.registerAccount()
    const [checked, free] = [await versionOf(account, documentOf(counts)), await versionOf(account, documentOf(greets))]
    const definitions = definitionsOf()
    expect(await definitions.inputFaults(account.accountId, checked, { count: 1 })).toEqual([])
    expect(await definitions.inputFaults(account.accountId, free, 'anything')).toEqual([])
    const faults = await definitions.inputFaults(account.accountId, checked, { count: 'x' })
    expect(faults.map(({ pointer }) => pointer)).toContain('/count')
  })
})

describe('a reference to a workflow', () => {
  const reference = (name: string, version: string) => ({ namespace: 'tests', name, version })

  test('a reference finds the newest version of a document version, and the latest of all', async () => {
    const account = await server.registerAccount()
    const name = 'referenced'
    const { id } = await account.client.workflows.create({ body: { definition: documentOf(greets, name) } })
    await account.client.workflows.update({ params: { id }, body: { definition: documentOf(counts, name) } })
    const second = documentOf(greets, name).replace('version: 1.0.0', 'version: 2.0.0')
    await account.client.workflows.update({ params: { id }, body: { definition: second } })
    const { rows } = await sql<{ id: string }>`
      select v.id from workflow_versions v where v.account_id = ${account.accountId} order by number`.execute(server.database.system)
    const definitions = definitionsOf()
    const found = async (version: string) => (await definitions.resolve(account.accountId, reference(name, version)))?.versionId
    expect(await found('1.0.0')).toBe(rows[1]?.id)
    expect(await found('2.0.0')).toBe(rows[2]?.id)
    expect(await found('latest')).toBe(rows[2]?.id)
    expect(await found('3.0.0')).toBeUndefined()
    expect(await definitions.resolve(account.accountId, { ...reference(name, 'latest'), namespace: 'other' })).toBeUndefined()
  })

  test('a reference finds no workflow of another account', async () => {
    const [owner, outsider] = [await server.registerAccount(), await server.registerAccount()]
    await owner.client.workflows.create({ body: { definition: documentOf(greets, 'private') } })
    expect(await definitionsOf().resolve(outsider.accountId, reference('private', 'latest'))).toBeUndefined()
  })
})

test('a workflow runs another one of its account to its end', async () => {
  const account = await server.registerAccount()
  await account.client.workflows.create({ body: { definition: documentOf(greets, 'child') } })
  const calls = `do:
  - call-it:
      run: { workflow: { namespace: tests, name: child, version: latest, input: { name: '\${ .who }' } } }
`
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(calls) } })
  const { body } = await account.send('POST', `/api/v1/execute/${id}/run`, { input: { who: 'Child' } })
  expect(body).toEqual({ greeting: 'Hello, Child' })
  const child = (await account.client.workflows.list({ query: { q: 'child' } })).data[0]
  expect(child?.lastExecution?.state).toBe('completed')
  const executions = await account.client.workflows.executions({ params: { id: child?.id ?? '' } })
  expect(executions.data).toMatchObject([{ trigger: 'workflow', state: 'completed' }])
})
