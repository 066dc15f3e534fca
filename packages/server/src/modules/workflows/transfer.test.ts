import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf, greets } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const path = '/api/v1/workflows'
const commented = `# What the author thought.
do:
    - greet:
        set: {greeting: '\${ "Hello, " + .name }' }   # here
document: {version: 1.0.0, name: exported, namespace: tests, dsl: '1.0.3', metadata: {b: 1, a: 2}}
`

async function exported(account: TestAccount, id: string, query = '') {
  const { status, body } = await account.send('GET', `${path}/${id}/export${query}`)
  expect(status).toBe(200)
  return body
}

describe('an export', () => {
  test.each(['yaml', 'json'] as const)('an export in %s is imported without a changed byte', async (syntax) => {
    const [from, to] = [await server.registerAccount(), await server.registerAccount()]
    const { id } = await from.client.workflows.create({ body: { definition: commented, name: 'My export', description: 'D', tags: ['t'] } })
    const first = await exported(from, id, `?syntax=${syntax}`)
    expect(first).toMatchObject({ format: 'millrace/workflow', formatVersion: 1, name: 'My export', description: 'D', tags: ['t'], syntax })
    expect(first.checksum).toBe(`sha256:${createHash('sha256').update(first.document).digest('hex')}`)
    const imported = await to.send('POST', `${path}/import`, { export: first })
    expect(imported).toMatchObject({
      status: 200,
      body: { name: 'My export', description: 'D', tags: ['t'], state: 'draft', version: null },
    })
    const second = await exported(to, imported.body.id, `?syntax=${syntax}`)
    expect({ ...second, exportedAt: '' }).toEqual({ ...first, exportedAt: '' })
  })

  test('the export of a version is its published definition', async () => {
    const account = await server.registerAccount()
    const { id } = await account.client.workflows.create({ body: { definition: documentOf(greets, 'two') } })
    await account.client.workflows.update({ params: { id }, body: { definition: documentOf('do:\n  - b: { set: { b: 1 } }\n', 'two') } })
    expect(await exported(account, id, '?version=1')).toMatchObject({ version: 1, document: expect.stringContaining('greet') })
    expect(await exported(account, id)).toMatchObject({ version: null, document: expect.not.stringContaining('greet') })
    expect(await account.send('GET', `${path}/${id}/export?version=9`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  test('an export lists its requirements', async () => {
    const account = await server.registerAccount()
    const definition = documentOf(`use: { secrets: [token] }
do:
  - call-it: { run: { workflow: { namespace: tests, name: child, version: 1.0.0 } } }
  - script: { run: { shell: { command: ls } } }
`)
    const { id } = await account.client.workflows.create({ body: { definition, publish: false } })
    expect((await exported(account, id)).requires).toEqual({
      secrets: ['token'],
      connections: [],
      workflows: ['tests/child:1.0.0'],
      permissions: ['run.shell'],
    })
  })
})

describe('an import', () => {
  const whole = { format: 'millrace/workflow', formatVersion: 1, document: documentOf(greets, 'imported') }

  test('an import publishes with publish: true, under the requested name', async () => {
    const account = await server.registerAccount()
    const { headers, body } = await account.send('POST', `${path}/import`, { export: whole, name: 'Chosen', publish: true })
    expect(body).toMatchObject({ name: 'Chosen', state: 'published', version: 1 })
    expect(headers.get('location')).toBe(`${path}/${body.id}`)
    expect((await account.send('POST', `/api/v1/execute/${body.id}/run`, { input: { name: 'A' } })).body).toEqual({ greeting: 'Hello, A' })
  })

  test('an import of a modified document is refused', async () => {
    const account = await server.registerAccount()
    const { id } = await account.client.workflows.create({ body: { definition: documentOf(greets) } })
    const damaged = { ...(await exported(account, id)), document: documentOf(greets) }
    expect(await account.send('POST', `${path}/import`, { export: damaged })).toMatchObject({
      status: 422,
      body: { code: 'import_invalid' },
    })
    expect((await account.client.workflows.list()).data).toHaveLength(1)
  })

  test('an import of an invalid definition is refused with its diagnostics', async () => {
    const account = await server.registerAccount()
    const broken = { ...whole, document: documentOf('do: 1') }
    const { status, body } = await account.send('POST', `${path}/import`, { export: broken })
    expect([status, body.code]).toEqual([422, 'workflow_invalid'])
    expect(body.diagnostics[0]).toMatchObject({ pointer: '/do', line: 2 })
  })

  test.each([
    {},
    { export: {} },
    { export: { ...whole, format: 'other' } },
    { export: { ...whole, formatVersion: 2 } },
    { export: 'text' },
  ])('of what is no export is a 400: %j', async (body) => {
    const account = await server.registerAccount()
    expect(await account.send('POST', `${path}/import`, body)).toMatchObject({ status: 400, body: { code: 'request_invalid' } })
  })

  test('an import with a document name in use is a 409', async () => {
    const account = await server.registerAccount()
    await account.send('POST', `${path}/import`, { export: whole })
    expect(await account.send('POST', `${path}/import`, { export: whole })).toMatchObject({
      status: 409,
      body: { code: 'workflow_name_taken' },
    })
  })
})

describe('execution requirements', () => {
  const requirements = async (account: TestAccount, definition: string, publish = false) => {
    const { id } = await account.client.workflows.create({ body: { definition, publish } })
    return (await account.send('GET', `${path}/${id}/execution-requirements`)).body
  }

  test('a workflow without requirements is ready, and says what it reads of its input', async () => {
    const account = await server.registerAccount()
    expect(await requirements(account, documentOf(greets), true)).toEqual({
      ready: true,
      inputSchema: null,
      secrets: [],
      variables: [],
      connections: [],
      models: [],
      events: [],
      workflows: [],
      permissions: [],
      reads: [{ path: 'name', task: 'greet', pointer: '/do/0/greet', needed: true }],
    })
  })

  test('requirements of the draft are those of a test: its input, and what the environment of drafts has', async () => {
    const account = await server.registerAccount()
    const definition = (schema: string) => documentOf(`input: { schema: { document: ${schema} } }\n${greets}`, 'changed')
    const { id } = await account.client.workflows.create({ body: { definition: definition('{ type: object }'), publish: true } })
    const draft = documentOf(`use: { secrets: [trial] }\ninput: { schema: { document: { type: string } } }\n${greets}`, 'changed')
    await account.send('POST', '/api/v1/variables', { name: 'trial', kind: 'secret', value: 'open sesame', environment: 'draft' })
    await account.client.workflows.update({ params: { id }, body: { definition: draft, publish: false } })
    const of = async (query: string) => (await account.send('GET', `${path}/${id}/execution-requirements${query}`)).body
    expect(await of('')).toMatchObject({ inputSchema: { type: 'object' }, secrets: [] })
    expect(await of('?version=draft')).toMatchObject({
      ready: true,
      inputSchema: { type: 'string' },
      secrets: [{ name: 'trial', missing: false }],
    })
  })

  test('requirements contain each need with the pointer of its first use, and whether it is missing', async () => {
    const account = await server.registerAccount()
    await account.client.workflows.create({ body: { definition: documentOf(greets, 'there') } })
    const found = await requirements(
      account,
      documentOf(`input: { schema: { document: { type: object, required: [a] } } }
use: { secrets: [token] }
schedule: { on: { one: { with: { type: com.example.order, source: 'https://example.com/shop' } } } }
do:
  - branches:
      fork:
        branches:
          - found: { run: { workflow: { namespace: tests, name: there, version: latest } } }
          - exact: { run: { workflow: { namespace: tests, name: there, version: 1.0.0 } } }
          - lost: { run: { workflow: { namespace: tests, name: there, version: 9.9.9 } } }
          - think: { call: agent, with: { goal: Go., tools: [{ kind: workflow, name: t, description: d, namespace: tests, workflow: tool }] } }
  - guarded:
      try:
        - shell: { run: { shell: { command: ls } } }
        - rows: { call: postgres.query, with: { connection: shop, statement: select 1 } }
        - computed: { call: postgres.query, with: { connection: '\${ .name }', statement: select 1 } }
      catch:
        do:
          - hear: { listen: { to: { any: [{ with: { type: com.example.a } }, { with: { type: com.example.b } }] } } }
`),
    )
    expect(found).toMatchObject({
      ready: false,
      inputSchema: { type: 'object', required: ['a'] },
      secrets: [{ name: 'token', pointer: '/use/secrets/0', missing: true }],
      connections: [{ name: 'shop', pointer: '/do/1/guarded/try/1/rows/with/connection', missing: true }],
      models: [{ name: 'strong', pointer: '/do/0/branches/fork/branches/3/think/call', missing: true }],
      permissions: [{ name: 'run.shell', pointer: '/do/1/guarded/try/0/shell/run/shell', missing: true }],
      events: [
        { type: 'com.example.order', source: 'https://example.com/shop', pointer: '/schedule/on/one' },
        { type: 'com.example.a', source: null, pointer: '/do/1/guarded/catch/do/0/hear/listen/to/any/0' },
        { type: 'com.example.b', source: null, pointer: '/do/1/guarded/catch/do/0/hear/listen/to/any/1' },
      ],
    })
    expect(found.workflows).toEqual([
      { name: 'tests/there:latest', pointer: '/do/0/branches/fork/branches/0/found/run/workflow', missing: false },
      { name: 'tests/there:1.0.0', pointer: '/do/0/branches/fork/branches/1/exact/run/workflow', missing: false },
      { name: 'tests/there:9.9.9', pointer: '/do/0/branches/fork/branches/2/lost/run/workflow', missing: true },
      { name: 'tests/tool:latest', pointer: '/do/0/branches/fork/branches/3/think/with/tools/0', missing: true },
    ])
  })

  test('a workflow that is disabled, a draft or of another account counts as missing', async () => {
    const [account, other] = [await server.registerAccount(), await server.registerAccount()]
    await other.client.workflows.create({ body: { definition: documentOf(greets, 'foreign') } })
    await account.client.workflows.create({ body: { definition: documentOf(greets, 'drafted'), publish: false } })
    const { id } = await account.client.workflows.create({ body: { definition: documentOf(greets, 'disabled') } })
    await account.client.workflows.update({ params: { id }, body: { enabled: false } })
    const names = ['foreign', 'drafted', 'disabled']
    const tasks = names.map((name) => `  - ${name}: { run: { workflow: { namespace: tests, name: ${name}, version: latest } } }\n`)
    const { workflows } = await requirements(account, documentOf(`do:\n${tasks.join('')}`), true)
    expect(workflows.map((need: { missing: boolean }) => need.missing)).toEqual([true, true, true])
  })
})

describe('an import of n8n', () => {
  const source = {
    name: 'From n8n',
    nodes: [
      { name: 'Go', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
      { name: 'Odd', type: 'n8n-nodes-base.unheardOf', typeVersion: 1, parameters: {} },
    ],
    connections: { Go: { main: [[{ node: 'Odd', type: 'main', index: 0 }]] } },
  }

  test('an export of n8n becomes a draft with a report of every part that was not converted', async () => {
    const account = await server.registerAccount()
    const { status, body } = await account.send('POST', `${path}/import`, { export: source })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toMatchObject({
      name: 'From n8n',
      state: 'draft',
      valid: true,
      report: { format: 'n8n', parts: { total: 2, notConverted: 1 } },
    })
    expect(body.report.findings).toContainEqual(expect.objectContaining({ outcome: 'not_converted', pointer: '/nodes/1', part: 'Odd' }))
    expect(await account.send('GET', `${path}/${body.id}`)).toMatchObject({ status: 200, body: { name: 'From n8n' } })
  })

  test('exports of one name become workflows with numbers, and a requested name is that of the document', async () => {
    const account = await server.registerAccount()
    const send = async (more: object = {}) => (await account.send('POST', `${path}/import`, { export: source, ...more })).body
    const named = ({ name, definition }: { name: string; definition: { document: { name: string } } }) => [name, definition.document.name]
    expect(named(await send())).toEqual(['From n8n', 'from-n8n'])
    expect(named(await send())).toEqual(['From n8n 2', 'from-n8n-2'])
    expect(named(await send())).toEqual(['From n8n 3', 'from-n8n-3'])
    expect(named(await send({ name: 'Daily report' }))).toEqual(['Daily report', 'daily-report'])
    expect(named(await send({ name: 'x'.repeat(80) }))[1]).toBe('x'.repeat(63))
    expect(named(await send({ name: 'x'.repeat(80) }))[1]).toBe(`${'x'.repeat(57)}-2`)
    expect(named(await send({ name: '発票' }))).toEqual(['発票 4', 'from-n8n-4'])
  })

  test('an export of another product is not published at once, and a broken one is refused with its place', async () => {
    const account = await server.registerAccount()
    expect(await account.send('POST', `${path}/import`, { export: source, publish: true })).toMatchObject({
      status: 422,
      body: { code: 'import_invalid' },
    })
    const broken = { ...source, nodes: [{ name: 'Go' }] }
    expect(await account.send('POST', `${path}/import`, { export: broken })).toMatchObject({
      status: 422,
      body: { code: 'import_invalid', detail: expect.stringContaining('/nodes/0/type') },
    })
  })
})

describe('a duplicate', () => {
  test.each([
    ['yaml', commented],
    [
      'json',
      JSON.stringify(JSON.parse('{"document":{"dsl":"1.0.3","namespace":"tests","name":"exported","version":"1.0.0"},"do":[]}'), null, 2),
    ],
  ])('a duplicate of a text in %s differs by the document name alone, and is a draft', async (_syntax, definition) => {
    const account = await server.registerAccount()
    const { id } = await account.client.workflows.create({
      body: { definition, name: 'Mine', description: 'D', tags: ['t'], publish: false },
    })
    const source = async (workflowId: string) => (await account.client.workflows.get({ params: { id: workflowId } })).source
    const [one, two] = [await duplicate(account, id), await duplicate(account, id)]
    expect([one, two].map(({ name, description, tags, state }) => [name, description, tags, state])).toEqual([
      ['Mine 2', 'D', ['t'], 'draft'],
      ['Mine 3', 'D', ['t'], 'draft'],
    ])
    expect(await source(one.id)).toBe((await source(id)).replace(/"exported"|exported/, '"exported-2"'))
    expect((await duplicate(account, id, { name: 'Über alles' })).name).toBe('Über alles')
    expect(await account.send('POST', `${path}/${id}/duplicate`, { name: 'Uber alles' })).toMatchObject({
      status: 200,
      body: { name: 'Uber alles' },
    })
  })

  const duplicate = (account: TestAccount, id: string, body: { name?: string } = {}) =>
    account.client.workflows.duplicate({ params: { id }, body })
})
