import { createClient } from '@millrace/client'
import { workflows as workflowGroup } from '@millrace/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { counts, documentOf, greets } from '#testing/definitions.ts'
import { type Answer, createTestServer, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const path = '/api/v1/workflows'
const yaml = { 'content-type': 'application/yaml' }

describe('a workflow', () => {
  test('a workflow is created from YAML as the whole body and published as version 1', async () => {
    const account = await server.registerAccount()
    const { status, headers, body } = await account.send('POST', path, documentOf(greets, 'from-yaml'), yaml)
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: 'from-yaml', state: 'published', revision: 1, version: 1, hasUnpublishedChanges: false })
    expect(body.definition.document.name).toBe('from-yaml')
    expect(body.definitionText).toContain('name: from-yaml')
    expect(body.triggers).toEqual(['manual'])
    expect(headers.get('etag')).toBe('"1"')
    expect(headers.get('location')).toBe(`${path}/${body.id}`)
    expect((await account.send('GET', `${path}/${body.id}`)).body).toMatchObject(body)
  })

  test('is created from the document as a JSON body, keys in the order in which they were sent within what the author named', async () => {
    const account = await server.registerAccount()
    const document = {
      document: { dsl: '1.0.3', namespace: 'tests', name: 'json', version: '2.0.0' },
      do: [{ one: { set: { z: 1, a: 2 } } }],
    }
    const { status, body } = await account.send('POST', path, document)
    expect(status).toBe(200)
    expect(JSON.stringify(body.definition.do)).toBe('[{"one":{"set":{"z":1,"a":2}}}]')
  })

  test('a workflow is created from a definition inside JSON, as text or object, with its own name, description and tags', async () => {
    const account = await server.registerAccount()
    const inText = { definition: documentOf(greets), name: 'Grüße', description: 'Says hello.', tags: ['a', 'b'] }
    expect((await account.send('POST', path, inText)).body).toMatchObject({ name: 'Grüße', description: 'Says hello.', tags: ['a', 'b'] })
    const object = { document: { dsl: '1.0.3', namespace: 'tests', name: 'object', version: '1.0.0' }, do: [{ one: { set: { a: 1 } } }] }
    expect((await account.send('POST', path, { definition: object })).body).toMatchObject({ name: 'object', description: null, tags: [] })
  })

  test('name and description default to title and summary of the document', async () => {
    const account = await server.registerAccount()
    const text = `document: { dsl: '1.0.3', namespace: tests, name: titled, version: 1.0.0, title: Daily report, summary: Sends it. }\n${greets}`
    expect((await account.send('POST', path, text, yaml)).body).toMatchObject({ name: 'Daily report', description: 'Sends it.' })
  })

  test('an unpublished workflow is a draft without a version and cannot run', async () => {
    const account = await server.registerAccount()
    const { body } = await account.send('POST', path, { definition: documentOf(greets), publish: false })
    expect(body).toMatchObject({ state: 'draft', version: null, hasUnpublishedChanges: true })
    const started = await account.send('POST', `${path}/${body.id}/execute`, {})
    expect(started).toMatchObject({ status: 409, body: { code: 'workflow_not_published' } })
  })

  test('the triggers of a workflow are derived from its schedule', async () => {
    const account = await server.registerAccount()
    const definition = documentOf(`schedule: { cron: '0 6 * * *' }\n${greets}`)
    expect((await account.send('POST', path, definition, yaml)).body).toMatchObject({
      triggers: ['manual', 'schedule'],
      cronStart: { cron: '0 6 * * *', timeZone: 'UTC', nextAt: expect.stringMatching(/T06:00:00Z$/) },
    })
  })

  test('two creations with the same idempotency key create one workflow', async () => {
    const account = await server.registerAccount()
    const text = documentOf(greets)
    const key = { ...yaml, 'idempotency-key': 'create-once' }
    const first = await account.send('POST', path, text, key)
    const again = await account.send('POST', path, text, key)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect((await account.client.workflows.list()).data).toHaveLength(1)
  })

  test('the creation of a workflow writes an audit row with its actor', async () => {
    const account = await server.registerAccount()
    const { body } = await account.send('POST', path, documentOf(greets), yaml)
    const rows = await server.database.account(account.accountId, (tx) =>
      tx.selectFrom('audit_events').select(['event', 'actor', 'details']).where('target', '=', body.id).execute(),
    )
    expect(rows).toEqual([{ event: 'workflow.created', actor: expect.stringMatching(/^user:usr_/), details: { revision: 1, version: 1 } }])
  })
})

describe('an invalid definition', () => {
  test('an invalid definition is a 422 with all errors, each with position, code and message', async () => {
    const account = await server.registerAccount()
    const text = documentOf(`do:
  - one: { set: { a: 1 }, then: nowhere }
  - one: { call: http }
  - three: { sett: { a: 1 } }
`)
    const { status, headers, body } = await account.send('POST', path, text, yaml)
    expect(status).toBe(422)
    expect(headers.get('content-type')).toContain('application/problem+json')
    expect(body.code).toBe('workflow_invalid')
    const places = body.diagnostics.map((diagnostic: { code: string; line: number }) => [diagnostic.code, diagnostic.line])
    expect(places).toEqual(
      expect.arrayContaining([
        ['dangling_then', 3],
        ['duplicate_name', 4],
      ]),
    )
    expect(places.length).toBeGreaterThanOrEqual(3)
    for (const diagnostic of body.diagnostics) {
      expect(diagnostic).toMatchObject({ pointer: expect.stringMatching(/^\//), column: expect.any(Number), message: expect.any(String) })
      expect(diagnostic.line).toBeGreaterThan(0)
    }
    expect((await account.client.workflows.list()).data).toEqual([])
  })

  test.each([
    ['text that is not YAML', 'do: [', yaml],
    ['a list', '- 1\n- 2', yaml],
    ['a text', '"just text"', yaml],
    ['JSON text that is cut off', '{"definition": "{\\"do\\": ["}', {}],
    ['an empty object', '{"definition": {}}', {}],
  ])('of %s is a 422 with a position', async (_what, body, headers) => {
    const account = await server.registerAccount()
    const answer = await account.send('POST', path, body, headers)
    expect(answer).toMatchObject({ status: 422, body: { code: 'workflow_invalid' } })
    expect(answer.body.diagnostics[0]).toMatchObject({ line: expect.any(Number), column: expect.any(Number) })
  })

  test('a connection that the account does not have is a warning, until it has it', async () => {
    const account = await server.registerAccount()
    const definition = (name: string) =>
      documentOf(`do:\n  - say: { call: slack.postMessage, with: { connection: ${name}, channel: '#all', text: Hello } }\n`)
    const warningsOf = async (name: string) =>
      (await account.send('POST', '/api/v1/workflows', { definition: definition(name) })).body.warnings
    expect(await warningsOf('team')).toMatchObject([
      { code: 'missing_connection', severity: 'warning', pointer: '/do/0/say/with/connection', message: expect.stringContaining('"team"') },
    ])
    const connection = { name: 'chat', settings: { kind: 'bearer', url: server.url }, secrets: { token: 'xoxb-4711' } }
    expect((await account.send('POST', '/api/v1/connections', connection)).body).toMatchObject({ name: 'chat' })
    expect(await warningsOf('chat')).toEqual([])
    expect(await warningsOf('chta')).toMatchObject([{ hint: expect.stringContaining('Did you mean "chat"?') }])
  })

  test('a step that only reads a table that does not exist has a warning, with the name that was perhaps meant', async () => {
    const account = await server.registerAccount()
    await account.send('POST', '/api/v1/tables', { name: 'prices' })
    const get = (table: string) => `  - get: { call: tables.get, with: { table: ${table}, key: k } }\n`
    const put = '  - put: { call: tables.put, with: { table: seen, key: k, columns: {} } }\n'
    const warnings = async (name: string, steps: string) =>
      (await account.send('POST', '/api/v1/workflows', { definition: documentOf(`do:\n${steps}`, name) })).body.warnings
    expect(await warnings('misspelled', get('price'))).toMatchObject([
      { code: 'missing_table', severity: 'warning', pointer: '/do/0/get/with/table', hint: expect.stringContaining('"prices"') },
    ])
    expect(await warnings('counted', '  - count: { call: tables.count, with: { table: price } }\n')).toMatchObject([
      { code: 'missing_table' },
    ])
    expect(await warnings('right', get('prices'))).toEqual([])
    expect(await warnings('made', get('seen') + put)).toEqual([])
  })

  test('a variable that the account does not have is a warning on every way to save it, until the account has it', async () => {
    const account = await server.registerAccount()
    const give = (name: string, more: object = {}) => account.send('POST', '/api/v1/variables', { name, value: 'given', ...more })
    const definition = documentOf("do:\n  - look: { set: { x: '${ $variables.API_URL }' } }\n")
    const hinting = (hint: string) => [
      { code: 'missing_variable', severity: 'warning', pointer: '/do/0/look/set/x', line: 3, hint: expect.stringContaining(hint) },
    ]
    const made = await account.send('POST', path, { definition, publish: false })
    expect(made.body.warnings).toMatchObject(hinting('millrace variables API_URL=VALUE'))
    await give('API_ULR')
    await give('API_URL', { environment: 'draft' })
    const saved = await account.send('PUT', `${path}/${made.body.id}/draft`, { text: definition, syntax: 'yaml' })
    expect(saved.body.diagnostics).toMatchObject(hinting('Did you mean $variables.API_ULR?'))
    expect(saved.body.diagnostics[0].message).toContain('for tests only')
    expect((await account.send('PUT', `${path}/${made.body.id}`, { publish: true })).body.warnings).toMatchObject(hinting('API_ULR'))
    await give('API_URL', { workflowId: made.body.id })
    expect((await account.send('PUT', `${path}/${made.body.id}`, { definition })).body.warnings).toEqual([])
  })

  test('a secret that is read as a variable is reported with the way to read it', async () => {
    const account = await server.registerAccount()
    await account.send('POST', '/api/v1/variables', { name: 'KEY', kind: 'secret', value: 'not to be read' })
    const definition = documentOf("do:\n  - look: { if: '$variables.KEY == null', set: { x: 1 } }\n")
    const { warnings } = (await account.send('POST', path, { definition })).body
    expect(warnings).toMatchObject([{ code: 'missing_variable', hint: expect.stringContaining('write $secrets.KEY') }])
  })

  test('a call of an address that no workflow may reach is a warning', async () => {
    const closed = await server.startSecond({ MILLRACE_PRIVATE_NETWORK: '' })
    const account = await server.registerAccount()
    const warningsOn = async (url: string, endpoint: string) => {
      const definition = documentOf(`do:\n  - ask: { call: http, with: { method: get, endpoint: '${endpoint}' } }\n`)
      const headers = { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' }
      const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify({ definition }) })
      const body: Answer['body'] = await response.json()
      return body.warnings
    }
    for (const [endpoint, host] of [
      ['http://10.0.0.5:8080/orders/{id}', '10.0.0.5'],
      ['http://localhost/', 'localhost'],
      ['https://user@[fd00::1]/x', '[fd00::1]'],
    ] as const)
      expect(await warningsOn(closed.url, endpoint)).toMatchObject([
        { code: 'refused_address', pointer: '/do/0/ask/with/endpoint', message: expect.stringContaining(host) },
      ])
    for (const endpoint of ['https://example.com/', '${ .url }', 'https://{host}/'])
      expect(await warningsOn(closed.url, endpoint)).toEqual([])
    expect(await warningsOn(server.url, 'http://127.0.0.1:4567/')).toEqual([])
  })

  test('a mail is a warning where the installation sends none, but for one over a connection', async () => {
    const account = await server.registerAccount()
    const mail = 'to: ada@example.com, subject: Hello, text: Hello'
    const definition = (tasks: string) => documentOf(`do:\n${tasks}`)
    const plain = definition(`  - mail: { call: email, with: { ${mail} } }\n`)
    expect((await account.send('POST', path, { definition: plain })).body.warnings).toMatchObject([
      { code: 'missing_mail', pointer: '/do/0/mail/call', hint: expect.stringContaining('MILLRACE_SMTP_URL') },
    ])
    const connected = definition(`  - mail: { call: email, with: { ${mail}, connection: '\${ .mailer }' } }\n`)
    expect((await account.send('POST', path, { definition: connected })).body.warnings).toEqual([])
    const sending = await server.startSecond({ MILLRACE_SMTP_URL: 'smtp://127.0.0.1:9', MILLRACE_MAIL_FROM: 'flows@example.com' })
    const { workflows } = createClient({ baseUrl: sending.url, groups: { workflows: workflowGroup }, token: account.token })
    const again = definition(`  - mail: { call: email, with: { ${mail} } }\n`)
    expect((await workflows.create({ body: { definition: again } })).warnings).toEqual([])
  })

  test('a step that asks a model is a warning, until the account has one', async () => {
    const account = await server.registerAccount()
    const definition = documentOf(
      'do:\n  - ask: { call: model, with: { prompt: Hello } }\n  - work: { call: agent, with: { goal: Hello } }\n',
    )
    const made = (await account.send('POST', path, { definition })).body
    expect(made.warnings).toMatchObject([
      { code: 'missing_model', pointer: '/do/0/ask/call', hint: expect.stringContaining('page Models') },
      { code: 'missing_model', pointer: '/do/1/work/call' },
    ])
    const requirements = async () => (await account.send('GET', `${path}/${made.id}/execution-requirements`)).body
    expect(await requirements()).toMatchObject({
      ready: false,
      models: [
        { name: 'fast', pointer: '/do/0/ask/call', missing: true },
        { name: 'strong', pointer: '/do/1/work/call', missing: true },
      ],
    })
    const model = { name: 'own', url: 'http://127.0.0.1:9/v1', model: 'small', key: 'made-up-key', roles: ['fast'] }
    expect((await account.send('POST', '/api/v1/models', model)).status).toBe(200)
    expect((await account.send('PUT', `${path}/${made.id}`, { definition })).body.warnings).toEqual([])
    expect((await requirements()).ready).toBe(true)
  })

  test('a function of the definition that is named model asks none', async () => {
    const account = await server.registerAccount()
    const definition = documentOf(
      'use: { functions: { model: { call: http, with: { method: get, endpoint: https://example.com } } } }\ndo:\n  - ask: { call: model }\n',
    )
    expect((await account.send('POST', path, { definition })).body.warnings).toEqual([])
  })

  test('a definition that this installation cannot run is refused on publication, and saved with warnings as a draft', async () => {
    const account = await server.registerAccount()
    const definition = documentOf('do:\n  - list:\n      run: { shell: { command: ls } }\n')
    const refused = await account.send('POST', path, { definition })
    expect(refused.status).toBe(422)
    expect(refused.body.diagnostics).toMatchObject([
      { code: 'unsupported_feature', severity: 'error', pointer: '/do/0/list/run/shell', line: 4 },
    ])
    const kept = await account.send('POST', path, { definition, publish: false })
    expect(kept).toMatchObject({ status: 200, body: { state: 'draft', warnings: [{ code: 'unsupported_feature', severity: 'warning' }] } })
  })

  test('a definition that runs a workflow which is not published has a warning at its place, until it is', async () => {
    const account = await server.registerAccount()
    const runs = (name: string) => `do:\n  - child:\n      run:\n        workflow: { namespace: tests, name: ${name}, version: latest }\n`
    const create = async (definition: string) => (await account.send('POST', path, { definition })).body.warnings
    expect(await create(documentOf(runs('child'), 'parent'))).toMatchObject([
      {
        code: 'unknown_workflow',
        severity: 'warning',
        pointer: '/do/0/child/run/workflow',
        line: 5,
        message: expect.stringContaining('tests/child'),
      },
    ])
    expect(await create(documentOf(greets, 'child'))).toEqual([])
    expect(await create(documentOf(runs('child'), 'second-parent'))).toEqual([])
    expect(await create(documentOf(runs('itself'), 'itself'))).toEqual([])
    expect(await create(documentOf(runs('chlid'), 'fourth'))).toMatchObject([
      { hint: expect.stringContaining('Did you mean tests/child?') },
    ])
    const other = documentOf(runs('child').replace('latest', "'9.9.9'"), 'fifth')
    expect(await create(other)).toMatchObject([{ hint: expect.stringContaining('The latest published version is tests/child:') }])
  })

  test('a definition with an unknown secret is not published', async () => {
    const account = await server.registerAccount()
    const definition = documentOf(`use: { secrets: [token] }\n${greets}`)
    const { status, body } = await account.send('POST', path, { definition })
    expect(status).toBe(422)
    expect(body.diagnostics).toMatchObject([{ code: 'unknown_secret', pointer: '/use/secrets/0', line: 2, hint: expect.any(String) }])
    await account.send('POST', '/api/v1/variables', { name: 'tokens', kind: 'secret', value: 'not to be read' })
    const again = await account.send('POST', path, { definition })
    expect(again.body.diagnostics[0].hint).toContain('Did you mean tokens?')
  })
})

describe('a body', () => {
  test.each([
    ['that is empty', undefined, {}, 400, 'request_invalid'],
    ['that is an empty document', '', yaml, 400, 'request_invalid'],
    ['that is no JSON', '{', {}, 400, 'malformed_json'],
    ['with an unknown member', { definition: 'x', colour: 'red' }, {}, 400, 'request_invalid'],
    ['of another media type', '<a/>', { 'content-type': 'application/xml' }, 415, 'unsupported_media_type'],
  ])('%s is refused', async (_what, body, headers, status, code) => {
    const account = await server.registerAccount()
    expect(await account.send('POST', path, body, headers)).toMatchObject({ status, body: { code } })
  })

  test('a huge body is a 413, and the connection stays usable', async () => {
    const account = await server.registerAccount()
    const huge = `# ${'x'.repeat(3 * 1024 * 1024)}\n${documentOf(greets)}`
    expect(await account.send('POST', path, huge, yaml)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
    expect((await account.send('GET', path)).status).toBe(200)
  })
})

describe('the name of a document', () => {
  test('a document name belongs to one workflow of an account, and is free after its deletion', async () => {
    const account = await server.registerAccount()
    const first = await account.send('POST', path, documentOf(greets, 'taken'), yaml)
    const second = await account.send('POST', path, documentOf(counts, 'taken'), yaml)
    expect(second).toMatchObject({ status: 409, body: { code: 'workflow_name_taken' } })
    expect(second.body.detail).toContain('tests/taken')
    await account.send('DELETE', `${path}/${first.body.id}`)
    expect((await account.send('POST', path, documentOf(counts, 'taken'), yaml)).status).toBe(200)
  })

  test('two accounts can use the same document name', async () => {
    const [one, other] = [await server.registerAccount(), await server.registerAccount()]
    expect((await one.send('POST', path, documentOf(greets, 'common'), yaml)).status).toBe(200)
    expect((await other.send('POST', path, documentOf(greets, 'common'), yaml)).status).toBe(200)
  })
})
