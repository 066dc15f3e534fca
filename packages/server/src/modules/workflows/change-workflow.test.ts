import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf, greets, waits } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const path = '/api/v1/workflows'
const says = (word: string) => `do:\n  - say: { set: { word: ${word} } }\n`

async function workflowOf(account: TestAccount, definition = documentOf(greets), more: object = {}) {
  const { status, body } = await account.send('POST', path, { definition, ...more })
  expect(status).toBe(200)
  return body
}

describe('a change', () => {
  test('a change of the definition becomes the next version, and the previous one can still be read', async () => {
    const account = await server.registerAccount()
    const { id } = await workflowOf(account, documentOf(says('one'), 'versioned'))
    const changed = await account.send('PUT', `${path}/${id}`, { definition: documentOf(says('two'), 'versioned') })
    expect(changed.body).toMatchObject({ revision: 2, version: 2, hasUnpublishedChanges: false })
    expect(changed.headers.get('etag')).toBe('"2"')
    expect((await account.send('GET', `${path}/${id}`)).body.definition.do[0].say.set.word).toBe('two')
    expect((await account.send('GET', `${path}/${id}?version=1`)).body.definition.do[0].say.set.word).toBe('one')
    expect(await account.send('GET', `${path}/${id}?version=3`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  test('an unpublished change is the draft, and the previous version runs', async () => {
    const account = await server.registerAccount()
    const { id } = await workflowOf(account, documentOf(says('live'), 'drafted'))
    const draft = await account.send('PUT', `${path}/${id}`, { definition: documentOf(says('draft'), 'drafted'), publish: false })
    expect(draft.body).toMatchObject({ state: 'published', version: 1, hasUnpublishedChanges: true })
    expect((await account.send('POST', `/api/v1/execute/${id}/run`)).body).toEqual({ word: 'live' })
    const published = await account.send('PUT', `${path}/${id}`, { publish: true })
    expect(published.body).toMatchObject({ version: 2, hasUnpublishedChanges: false })
    expect((await account.send('POST', `/api/v1/execute/${id}/run`)).body).toEqual({ word: 'draft' })
    expect((await account.send('POST', `/api/v1/execute/${id}/run`, { version: 1 })).body).toEqual({ word: 'live' })
  })

  test('a change of the name alone publishes nothing', async () => {
    const account = await server.registerAccount()
    const { id } = await workflowOf(account, documentOf(greets), { publish: false })
    expect((await account.send('PUT', `${path}/${id}`, { name: 'Renamed' })).body).toMatchObject({
      name: 'Renamed',
      state: 'draft',
      version: null,
    })
  })

  test('until the first version, a document name that was made from the name follows it, free in its namespace; from then on it stays', async () => {
    const account = await server.registerAccount()
    const named = (name: string) => `# Kept.\n${documentOf(greets, name)}`
    await workflowOf(account, named('orders'), { publish: false })
    const { id } = await workflowOf(account, named('first-n585'), { publish: false })
    const rename = async (name: string, of = id) => {
      const { body } = await account.send('PUT', `${path}/${of}`, { name })
      return [body.name, body.state, body.definition.document.name]
    }
    expect(await rename('Orders')).toEqual(['Orders', 'draft', 'orders-2'])
    expect((await account.send('GET', `${path}/${id}`)).body.source).toBe(
      named('first-n585').replace('name: first-n585', 'name: "orders-2"'),
    )
    expect(await rename('طلبات')).toEqual(['طلبات', 'draft', 'orders-2'])
    const chosen = await workflowOf(account, named('intake'), { name: 'Orders of shops', publish: false })
    expect(await rename('Returns', chosen.id)).toEqual(['Returns', 'draft', 'intake'])
    const { id: other } = await workflowOf(account, named('first-x1y2'), { publish: false })
    await account.send('PUT', `${path}/${other}`, { publish: true })
    expect(await rename('Refunds', other)).toEqual(['Refunds', 'published', 'first-x1y2'])
  })

  test('a draft with errors gets the document name that follows the name too', async () => {
    const account = await server.registerAccount()
    const { id } = await workflowOf(account, documentOf(greets, 'first-n585'), { publish: false })
    const text = documentOf('do:\n  - ask: { call: nothing-like-it }\n', 'first-n585')
    expect((await account.send('PUT', `${path}/${id}/draft`, { text, syntax: 'yaml' })).body.valid).toBe(false)
    await account.send('PUT', `${path}/${id}`, { name: 'Orders' })
    const { source, definition } = (await account.send('GET', `${path}/${id}`)).body
    expect([source, definition.document.name]).toEqual([text.replace('name: first-n585', 'name: "orders"'), 'orders'])
  })

  test('a change keeps absent members, and removes a description that is null', async () => {
    const account = await server.registerAccount()
    const { id } = await workflowOf(account, documentOf(greets), { name: 'Kept', description: 'Old.', tags: ['x'] })
    expect((await account.send('PUT', `${path}/${id}`, { tags: ['y'] })).body).toMatchObject({
      name: 'Kept',
      description: 'Old.',
      tags: ['y'],
    })
    expect((await account.send('PUT', `${path}/${id}`, { description: null })).body).toMatchObject({ description: null, tags: ['y'] })
  })

  test('an update without a change keeps the revision', async () => {
    const account = await server.registerAccount()
    const definition = documentOf(greets)
    const { id } = await workflowOf(account, definition)
    const same = await account.send('PUT', `${path}/${id}`, { definition, publish: true })
    expect(same.body).toMatchObject({ revision: 1, version: 1 })
  })

  test('an update with an invalid definition changes nothing', async () => {
    const account = await server.registerAccount()
    const before = await workflowOf(account)
    const answer = await account.send('PUT', `${path}/${before.id}`, { definition: documentOf('do: 1'), name: 'Other' })
    expect(answer).toMatchObject({ status: 422, body: { code: 'workflow_invalid' } })
    expect((await account.send('GET', `${path}/${before.id}`)).body).toMatchObject(before)
  })

  test('what the input schema refuses is published with no definition, and what it accepts with both', async () => {
    const account = await server.registerAccount()
    const counts = `input:
  schema:
    document: { type: object, required: [count], properties: { count: { type: integer } } }
${says('counted')}`
    const { id } = await workflowOf(account, documentOf(says('one'), 'counts'))
    const publish = { definition: documentOf(counts, 'counts'), input: { count: 'many' } }
    expect(await account.send('PUT', `${path}/${id}`, publish)).toMatchObject({
      status: 422,
      body: { code: 'input_invalid', errors: [{ pointer: '/input/count' }] },
    })
    await account.send('PUT', `${path}/${id}`, { definition: documentOf(counts, 'counts'), publish: false })
    expect(await account.send('PUT', `${path}/${id}`, { publish: true, input: {} })).toMatchObject({ body: { code: 'input_invalid' } })
    expect((await account.send('GET', `${path}/${id}`)).body).toMatchObject({ version: 1, hasUnpublishedChanges: true })
    expect((await account.send('PUT', `${path}/${id}`, { publish: true, input: { count: 2 } })).body).toMatchObject({ version: 2 })
    // Nothing is left to publish.
    for (const given of [{}, { definition: documentOf(counts, 'counts') }])
      expect(await account.send('PUT', `${path}/${id}`, { ...given, publish: true, input: { count: 'many' } })).toMatchObject({
        status: 422,
        body: { code: 'input_invalid', errors: [{ pointer: '/input/count' }] },
      })
    expect((await account.send('PUT', `${path}/${id}`, { publish: true, input: { count: 3 } })).body).toMatchObject({ version: 2 })
  })

  test('an update accepts a document as the whole body', async () => {
    const account = await server.registerAccount()
    const { id } = await workflowOf(account, documentOf(says('one'), 'whole'))
    const yaml = { 'content-type': 'application/yaml' }
    expect((await account.send('PUT', `${path}/${id}`, documentOf(says('two'), 'whole'), yaml)).body).toMatchObject({ version: 2 })
  })
})

describe('If-Match', () => {
  test('If-Match with the current revision permits a change, and with another one is a 409', async () => {
    const account = await server.registerAccount()
    const { id } = await workflowOf(account)
    expect((await account.send('PUT', `${path}/${id}`, { name: 'A' }, { 'if-match': '"1"' })).status).toBe(200)
    const stale = await account.send('PUT', `${path}/${id}`, { name: 'B' }, { 'if-match': '"1"' })
    expect(stale).toMatchObject({ status: 409, body: { code: 'revision_mismatch' } })
    expect(stale.body.detail).toContain('revision 2')
    expect((await account.send('PUT', `${path}/${id}`, { name: 'C' }, { 'if-match': '*' })).status).toBe(200)
    expect((await account.send('DELETE', `${path}/${id}`, undefined, { 'if-match': '"2"' })).status).toBe(409)
    expect((await account.send('DELETE', `${path}/${id}`, undefined, { 'if-match': '"3"' })).status).toBe(200)
  })

  test('If-Match permits exactly one of many concurrent changes', async () => {
    const account = await server.registerAccount()
    const { id } = await workflowOf(account)
    const names = Array.from({ length: 8 }, (_, index) => `Name ${index}`)
    const answers = await Promise.all(names.map((name) => account.send('PUT', `${path}/${id}`, { name }, { 'if-match': '"1"' })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 7 }, () => 409)])
  })
})

describe('a disabled workflow', () => {
  test('a disabled workflow cannot be started until it is enabled', async () => {
    const account = await server.registerAccount()
    const { id } = await workflowOf(account, documentOf(says('on')))
    expect((await account.send('PUT', `${path}/${id}`, { enabled: false })).body.state).toBe('disabled')
    expect(await account.send('POST', `${path}/${id}/execute`, {})).toMatchObject({ status: 409, body: { code: 'workflow_disabled' } })
    expect(await account.send('POST', `/api/v1/execute/${id}/run`)).toMatchObject({ status: 409, body: { code: 'workflow_disabled' } })
    expect((await account.send('PUT', `${path}/${id}`, { enabled: true })).body.state).toBe('published')
    expect((await account.send('POST', `/api/v1/execute/${id}/run`)).body).toEqual({ word: 'on' })
  })
})

describe('the name of a document', () => {
  test('a new document name in a draft does not change the published name', async () => {
    const account = await server.registerAccount()
    const child = await workflowOf(account, documentOf(says('found'), 'old-name'))
    const calls = 'do:\n  - call-it: { run: { workflow: { namespace: tests, name: old-name, version: latest } } }\n'
    const parent = await workflowOf(account, documentOf(calls))
    await account.send('PUT', `${path}/${child.id}`, { definition: documentOf(says('found'), 'new-name'), publish: false })
    expect((await account.send('POST', `/api/v1/execute/${parent.id}/run`)).body).toEqual({ word: 'found' })
    await account.send('PUT', `${path}/${child.id}`, { publish: true })
    expect((await account.send('POST', `/api/v1/execute/${parent.id}/run`)).body).toMatchObject({ code: 'execution_faulted' })
  })

  test('a change cannot use the document name of another workflow', async () => {
    const account = await server.registerAccount()
    await workflowOf(account, documentOf(greets, 'first-come'))
    const { id } = await workflowOf(account)
    const answer = await account.send('PUT', `${path}/${id}`, { definition: documentOf(greets, 'first-come') })
    expect(answer).toMatchObject({ status: 409, body: { code: 'workflow_name_taken' } })
  })
})

describe('deleting', () => {
  test('the workflows that run it are named before and with its deletion, but for itself and for those that run another one', async () => {
    const account = await server.registerAccount()
    const running = (name: string) => `do:\n  - child: { run: { workflow: { namespace: tests, name: ${name}, version: latest } } }\n`
    const { id } = await workflowOf(account, documentOf(running('called'), 'called'))
    const calling = await workflowOf(account, documentOf(running('called'), 'calling'), { name: 'Calls it' })
    await workflowOf(account, documentOf(running('called-too'), 'other'))
    await workflowOf(account, documentOf(running('called'), 'unpublished'), { publish: false })
    const chain = await account.send('POST', '/api/v1/chains', { name: 'Chained', members: [{ name: 'first', workflowId: id }] })
    expect(chain.status).toBe(200)
    const callers = [
      { id: calling.id, name: 'Calls it', managedBy: null },
      { id: expect.stringMatching(/^wf_/), name: 'Chained', managedBy: 'chain' },
    ]
    expect((await account.send('GET', `${path}/${id}`)).body).not.toHaveProperty('callers')
    const before = (await account.send('GET', `${path}/${id}?callers=true`)).body.callers
    expect(before).toHaveLength(2)
    expect(before).toEqual(expect.arrayContaining(callers))
    expect((await account.send('DELETE', `${path}/${id}`)).body).toEqual({ id, deleted: true, callers: before })
  })

  test('the workflows that its ends start by name, and how many of its runs wait for their turn, are said before its deletion; those still run', async () => {
    const account = await server.registerAccount()
    const definition = documentOf(waits, 'limited').replace('version: 1.0.0', 'version: 1.0.0, metadata: { concurrency: 1 }')
    const { id } = await account.client.workflows.create({ body: { definition } })
    const other = await workflowOf(account, documentOf(says('other'), 'other'))
    const types = ['io.serverlessworkflow.workflow.faulted.v1']
    const after = async (name: string, event: object, more: object = {}) => {
      const follower = await workflowOf(account, documentOf(says(name), name), { name })
      const made = await account.send('POST', '/api/v1/triggers', { workflowId: follower.id, kind: 'event', name, event, ...more })
      expect(made.status).toBe(200)
      return follower.id
    }
    const named = await after('follows', { types, workflows: [other.id, id] })
    await after('follows-all', { types })
    await after('follows-other', { types, workflows: [other.id] })
    await after('follows-disabled', { types, workflows: [id] }, { enabled: false })
    const start = async (): Promise<string> => (await account.send('POST', `${path}/${id}/execute`, {})).body.id
    const started = [await start(), await start(), await start()] as const
    const concerned = async () => (await account.send('GET', `${path}/${id}?callers=true`)).body
    await expect.poll(async () => (await concerned()).awaitingTurns).toBe(2)
    expect((await concerned()).followers).toEqual([{ id: named, name: 'follows', managedBy: null }])
    expect((await account.send('DELETE', `${path}/${id}`)).status).toBe(200)
    await account.client.executions.cancel({ params: { executionId: started[0] } })
    const state = async () => (await account.client.workflows.execution({ params: { executionId: started[1] } })).state
    await expect.poll(state).toBe('waiting')
  })

  test('a deleted workflow is in no list and keeps its history', async () => {
    const account = await server.registerAccount()
    const { id } = await workflowOf(account, documentOf(says('gone')))
    const execution = (await account.send('POST', `${path}/${id}/execute`, {}, { prefer: 'wait=10' })).body
    expect((await account.send('DELETE', `${path}/${id}`)).body).toEqual({ id, deleted: true, callers: [] })
    expect((await account.client.workflows.list()).data).toEqual([])
    for (const [method, more] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/execute'],
      ['GET', '/export'],
    ] as const) {
      const answer = await account.send(method, `${path}/${id}${more}`, method === 'GET' ? undefined : {})
      expect([method, more, answer.status]).toEqual([method, more, 404])
    }
    expect((await account.client.workflows.executions({ params: { id } })).data).toMatchObject([{ id: execution.id, state: 'completed' }])
    const detail = await account.client.workflows.execution({ params: { executionId: execution.id } })
    expect(detail.timeline).toMatchObject([{ name: 'say', output: { word: 'gone' } }])
  })
})

describe('a workflow of another account', () => {
  test('every operation on a workflow of another account is a 404', async () => {
    const [owner, outsider] = [await server.registerAccount(), await server.registerAccount()]
    const { id } = await workflowOf(owner)
    const asked = [
      ['GET', ''],
      ['GET', '/export'],
      ['GET', '/execution-requirements'],
      ['GET', '/executions'],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/execute'],
    ] as const
    for (const [method, more] of asked) {
      const answer = await outsider.send(method, `${path}/${id}${more}`, method === 'GET' ? undefined : {})
      expect([method, more, answer.status, answer.body.code]).toEqual([method, more, 404, 'not_found'])
    }
    expect((await outsider.client.workflows.list()).data).toEqual([])
    expect((await owner.send('GET', `${path}/${id}`)).body.revision).toBe(1)
  })

  test('row security hides workflows of another account from SQL without an account condition', async () => {
    const [owner, outsider] = [await server.registerAccount(), await server.registerAccount()]
    await workflowOf(owner)
    const seen = await server.database.account(outsider.accountId, async (tx) => ({
      workflows: await tx.selectFrom('workflows').select('id').execute(),
      versions: await tx.selectFrom('workflow_versions').select('id').execute(),
      changed: await tx.updateTable('workflows').set({ name: 'Mine now' }).execute(),
    }))
    expect(seen).toEqual({ workflows: [], versions: [], changed: [{ numUpdatedRows: 0n }] })
  })
})

describe('a version', () => {
  test('an account can neither change nor delete a version', async () => {
    const account = await server.registerAccount()
    await workflowOf(account)
    const attempts = [
      server.database.account(account.accountId, (tx) => tx.updateTable('workflow_versions').set({ number: 7 }).execute()),
      server.database.account(account.accountId, (tx) => tx.deleteFrom('workflow_versions').execute()),
    ]
    for (const attempt of attempts) await expect(attempt).rejects.toThrow(/permission denied/)
  })
})

test.each(['wf_01jd0000000000000000000000', 'exec_01jd0000000000000000000000', 'nonsense', 'wf_zzz'])('the id %s is a 404', async (id) => {
  const account = await server.registerAccount()
  expect(await account.send('GET', `${path}/${id}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
})
