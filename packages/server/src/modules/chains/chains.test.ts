import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const path = '/api/v1/chains'
const adds = 'do:\n  - add: { set: { n: "${ .n + 1 }" } }\n'
const fails = 'do:\n  - refuse: { raise: { error: { type: "https://example.com/errors/stock", status: 409, title: Out of stock } } }\n'

async function workflowOf(account: TestAccount, body = adds, name?: string): Promise<string> {
  return (await account.client.workflows.create({ body: { definition: documentOf(body, name) } })).id
}

async function run(account: TestAccount, id: string, input: unknown) {
  const { body } = await account.send('POST', `${path}/${id}/run`, { input })
  const execution = async () => (await account.send('GET', `/api/v1/workflows/executions/${body.executionId}`)).body
  await expect.poll(async () => ['completed', 'faulted'].includes((await execution()).state)).toBe(true)
  return execution()
}

describe('a run', () => {
  test('members run in order with the output of the previous one, or what their mapping makes', async () => {
    const account = await server.registerAccount()
    const workflowId = await workflowOf(account)
    const members = [
      { name: 'first', workflowId },
      { name: 'second', workflowId },
      { name: 'skipped', workflowId, condition: '.n > 100' },
      { name: 'third', workflowId, mapping: '{ n: ($steps.first.n * 10 + $workflow.input.n) }' },
    ]
    const { body } = await account.send('POST', path, { name: 'count', members })
    expect(body).toMatchObject({ revision: 1, members: [{ name: 'first', onFault: 'stop' }, {}, {}, {}] })
    expect(await run(account, body.id, { n: 1 })).toMatchObject({ state: 'completed', trigger: 'chain', output: { n: 22 } })
    const { body: detail } = await account.send('GET', `${path}/${body.id}`)
    expect(detail.runs).toMatchObject([{ state: 'completed', trigger: 'chain' }])
    expect(JSON.stringify((await account.send('GET', '/api/v1/workflows')).body)).not.toContain(detail.workflowId)
  })

  test('a fault ends the chain with its error, or the chain continues with the fault as output', async () => {
    const account = await server.registerAccount()
    const [good, bad] = [await workflowOf(account), await workflowOf(account, fails)]
    const of = async (onFault: string) => {
      const members = [
        { name: 'bad', workflowId: bad, onFault },
        { name: 'good', workflowId: good, mapping: '{ n: (if $steps.bad.fault then 5 else 0 end) }' },
      ]
      return (await account.send('POST', path, { name: onFault, members })).body.id
    }
    expect(await run(account, await of('stop'), {})).toMatchObject({ state: 'faulted', error: { title: 'Out of stock' } })
    expect(await run(account, await of('continue'), {})).toMatchObject({ state: 'completed', output: { n: 6 } })
  })

  test('the members of a group run at the same time, and their outputs are a list', async () => {
    const account = await server.registerAccount()
    const workflowId = await workflowOf(account)
    const parallel = [
      { name: 'one', workflowId },
      { name: 'two', workflowId, mapping: '{ n: 10 }' },
    ]
    const { body } = await account.send('POST', path, { name: 'group', members: [{ name: 'both', parallel }] })
    expect((await run(account, body.id, { n: 1 })).output).toMatchObject([{ n: 2 }, { n: 11 }])
  })

  test('a member that was published under another name still runs, and one that was deleted refuses the run', async () => {
    const account = await server.registerAccount()
    const workflowId = await workflowOf(account, adds, 'before-renaming')
    const { body } = await account.send('POST', path, { name: 'renamed', members: [{ name: 'only', workflowId }] })
    await account.send('PUT', `/api/v1/workflows/${workflowId}`, { definition: documentOf(adds, 'after-renaming') })
    expect(await run(account, body.id, { n: 1 })).toMatchObject({ state: 'completed', output: { n: 2 } })
    await account.send('DELETE', `/api/v1/workflows/${workflowId}`)
    const refused = await account.send('POST', `${path}/${body.id}/run`, {})
    expect(refused.body).toMatchObject({ status: 422, code: 'chain_invalid', errors: [{ pointer: '/members/0/workflowId' }] })
  })
})

test('a change needs the current revision, and deletes keep the members', async () => {
  const account = await server.registerAccount()
  const workflowId = await workflowOf(account)
  const { body } = await account.send('POST', path, { name: 'a', members: [{ name: 'only', workflowId }] })
  const changed = await account.send('PUT', `${path}/${body.id}`, { name: 'b' }, { 'if-match': '"1"' })
  expect(changed.body).toMatchObject({ name: 'b', revision: 2 })
  expect((await account.send('PUT', `${path}/${body.id}`, { name: 'c' }, { 'if-match': '"1"' })).body.code).toBe('revision_mismatch')
  for (const method of ['PUT', 'DELETE'])
    expect((await account.send(method, `/api/v1/workflows/${body.workflowId}`, method === 'PUT' ? { name: 'x' } : undefined)).status).toBe(
      404,
    )
  expect((await account.send('DELETE', `${path}/${body.id}`)).body).toEqual({ id: body.id, deleted: true })
  expect((await account.send('GET', `${path}/${body.id}`)).status).toBe(404)
  expect((await account.send('GET', `/api/v1/workflows/${workflowId}`)).status).toBe(200)
})

test.each([
  ['an unknown workflow', { workflowId: 'wf_01h455vb4pex5vsknk084sn02q' }, '/members/1/workflowId'],
  ['neither workflow nor group', {}, '/members/1/workflowId'],
  ['a mapping that is not jq', { mapping: '{ a: ' }, '/members/1/mapping'],
  ['a condition that is not jq', { condition: 'if' }, '/members/1/condition'],
  ['a step that does not exist', { mapping: '$steps.nothing' }, '/members/1/mapping'],
  ['a name that occurs twice', { name: 'first' }, '/members/1/name'],
])('%s is refused with the place of the member', async (_case, wrong, pointer) => {
  const account = await server.registerAccount()
  const workflowId = await workflowOf(account)
  const isStep = !_case.startsWith('neither')
  const members = [
    { name: 'first', workflowId },
    { name: 'second', ...(isStep ? { workflowId } : {}), ...wrong },
  ]
  expect((await account.send('POST', path, { name: 'x', members })).body).toMatchObject({
    status: 422,
    code: 'chain_invalid',
    errors: [{ pointer }],
  })
})
