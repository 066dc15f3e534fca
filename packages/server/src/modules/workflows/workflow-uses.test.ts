import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const plain = 'do:\n  - say: { set: { word: rate } }\n'
const reads = 'do:\n  - say: { set: { word: "${ $variables.rate }" } }\n'
const secret = 'use: { secrets: [rate] }\ndo:\n  - say: { set: { word: one } }\n'
const tabled = 'do:\n  - find: { call: tables.get, with: { table: rate, key: EUR } }\n'
const connected = 'do:\n  - ask: { call: postgres.query, with: { connection: rate, statement: select 1 } }\n'

async function workflowNamed(account: TestAccount, name: string, body: string, publish: boolean): Promise<string> {
  const answer = await account.send('POST', '/api/v1/workflows', { definition: documentOf(body, name), publish })
  expect([answer.status, answer.body]).toMatchObject([200, { name }])
  return answer.body.id
}

test('the workflows whose draft or latest version names a person as approver, by id or by address, are named', async () => {
  const account = await server.registerAccount()
  const sara = 'usr_01h455vb4pex5vsknk084sn02q'
  const asks = (approvers: string, rest = '') => `do:\n  - ask: { call: approve, with: { title: Pay, approvers: [${approvers}]${rest} } }\n`
  const byId = await workflowNamed(account, 'a-id', asks(sara), true)
  const byAddress = await workflowNamed(account, 'b-address', asks('"Sara <SARA@example.com>"'), true)
  await account.send('PUT', `/api/v1/workflows/${byAddress}`, { definition: documentOf(plain, 'b-address'), publish: false })
  const later = await workflowNamed(
    account,
    'c-later',
    asks('lee@example.com', `, escalation: [{ after: PT1H, approvers: [${sara}] }]`),
    false,
  )
  await workflowNamed(account, 'd-other', asks('another-sara@example.com'), true)
  await workflowNamed(account, 'e-word', 'do:\n  - say: { set: { word: sara@example.com } }\n', true)
  expect((await account.send('GET', `/api/v1/workflow-uses?approver=${sara},sara@example.com`)).body).toMatchObject({
    total: 3,
    data: [
      { id: byId, draft: true, published: true },
      { id: byAddress, draft: false, published: true },
      { id: later, draft: true, published: false },
    ],
  })
})

test('the workflows whose draft or latest version uses a variable, a secret, a connection or a table are named', async () => {
  const account = await server.registerAccount()
  await account.send('POST', '/api/v1/variables', { name: 'rate', value: '7' })
  await account.send('POST', '/api/v1/variables', { name: 'rate', kind: 'secret', value: 'between us', environment: 'draft' })
  const published = await workflowNamed(account, 'a-published', reads, true)
  const drafted = await workflowNamed(account, 'b-drafted', plain, true)
  await account.send('PUT', `/api/v1/workflows/${drafted}`, { definition: documentOf(reads, 'b-drafted'), publish: false })
  const before = await workflowNamed(account, 'c-before', reads, true)
  await account.send('PUT', `/api/v1/workflows/${before}`, { definition: documentOf(plain, 'c-before'), publish: false })
  const deleted = await workflowNamed(account, 'd-deleted', reads, true)
  await account.send('DELETE', `/api/v1/workflows/${deleted}`)
  const withSecret = await workflowNamed(account, 'e-secret', secret, false)
  const withTable = await workflowNamed(account, 'g-table', tabled, true)
  const withConnection = await workflowNamed(account, 'f-connection', connected, false)
  const uses = async (kind: string) => (await account.send('GET', `/api/v1/workflow-uses?${kind}=rate`)).body
  expect(await uses('variable')).toEqual({
    total: 3,
    data: [
      { id: published, name: 'a-published', managedBy: null, draft: true, published: true },
      { id: drafted, name: 'b-drafted', managedBy: null, draft: true, published: false },
      { id: before, name: 'c-before', managedBy: null, draft: false, published: true },
    ],
  })
  expect(await uses('secret')).toMatchObject({ data: [{ id: withSecret, draft: true, published: false }] })
  expect(await uses('connection')).toMatchObject({ data: [{ id: withConnection }] })
  expect(await uses('table')).toMatchObject({ data: [{ id: withTable }] })
  const other = await server.registerAccount()
  expect((await other.send('GET', '/api/v1/workflow-uses?variable=rate')).body).toEqual({ total: 0, data: [] })
})

test('a list of uses of nothing is refused with the parameters that it takes', async () => {
  const account = await server.registerAccount()
  const refused = await account.send('GET', '/api/v1/workflow-uses')
  expect([refused.status, refused.body.code, refused.body.errors]).toEqual([
    400,
    'request_invalid',
    [{ pointer: '', detail: 'Give one of variable, secret, connection, table or approver.', in: 'query' }],
  ])
})
