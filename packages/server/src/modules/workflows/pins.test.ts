import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

/** What is elsewhere: texts by path, which a test may change after it has published. */
const texts = new Map<string, string>()
const asked: string[] = []
const elsewhere = createServer((request, response) => {
  const path = request.url ?? ''
  asked.push(path)
  const text = texts.get(path)
  if (text === undefined) response.writeHead(404).end('nothing here')
  else response.end(text)
})

let server: TestServer
let origin = ''
beforeAll(async () => {
  server = await createTestServer()
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  const address = elsewhere.address()
  if (address === null || typeof address === 'string') throw new Error('it does not listen on a port')
  origin = `http://127.0.0.1:${address.port}`
})
afterAll(async () => {
  await server.close()
  elsewhere.close()
})
beforeEach(() => {
  texts.clear()
  asked.length = 0
})

const publish = (account: TestAccount, definition: string) =>
  account.send('POST', '/api/v1/workflows', { definition: documentOf(definition) })

async function run(account: TestAccount, id: string, input: object = {}) {
  return account.send('POST', `/api/v1/execute/${id}/run`, { input })
}

const doubling = `
input: { schema: { document: { type: object, properties: { n: { type: number } }, required: [n] } } }
set: { doubled: '\${ .n * 2 }' }
`

describe('external resources of a definition', () => {
  test('an external resource is fetched on publication and keeps its content with the version', async () => {
    const account = await server.registerAccount()
    texts.set('/double.yaml', doubling)
    const { status, body } = await publish(account, `do:\n  - double: { call: '${origin}/double.yaml', with: { n: 21 } }\n`)
    expect(status).toBe(200)
    texts.set('/double.yaml', 'set: { doubled: nothing }')
    expect((await run(account, body.id)).body).toEqual({ doubled: 42 })
    expect(asked).toEqual(['/double.yaml'])
  })

  test('the next version fetches an external resource again', async () => {
    const account = await server.registerAccount()
    texts.set('/say.yaml', 'set: { say: one }')
    const definition = (title: string) =>
      documentOf(`do:\n  - say: { call: '${origin}/say.yaml' }\n  - more: { set: { said: '\${ .say }', title: ${title} } }\n`, 'says')
    const { body } = await account.send('POST', '/api/v1/workflows', { definition: definition('a') })
    texts.set('/say.yaml', 'set: { say: two }')
    await account.send('PUT', `/api/v1/workflows/${body.id}`, { definition: definition('b') })
    expect((await run(account, body.id)).body).toEqual({ said: 'two', title: 'b' })
  })

  test('may be a function of a catalog, at the place where catalogs have it', async () => {
    const account = await server.registerAccount()
    texts.set('/catalog/functions/double/1.2.0/function.yaml', doubling)
    const { body } = await publish(
      account,
      `use: { catalogs: { ours: { endpoint: '${origin}/catalog' } } }\ndo:\n  - double: { call: 'double:1.2.0@ours', with: { n: 4 } }\n`,
    )
    expect((await run(account, body.id)).body).toEqual({ doubled: 8 })
  })

  test('an external function can refer to a schema, a function and a script', async () => {
    const account = await server.registerAccount()
    texts.set('/number.json', '{ "type": "object", "properties": { "n": { "type": "number" } }, "required": ["n"] }')
    texts.set('/inner.yaml', `set: { n: '\${ .n + 1 }' }`)
    texts.set('/say.js', 'console.log(`n is ${process.argv[2]}`)')
    texts.set(
      '/outer.yaml',
      `input: { schema: { resource: { endpoint: '${origin}/number.json' } } }
do:
  - inner: { call: '${origin}/inner.yaml', with: { n: '\${ .n }' } }
  - say: { run: { script: { language: js, source: { endpoint: '${origin}/say.js' }, arguments: ['\${ .n | tostring }'] } } }
`,
    )
    const { body } = await publish(account, `do:\n  - outer: { call: '${origin}/outer.yaml', with: { n: '\${ .given }' } }\n`)
    expect((await run(account, body.id, { given: 1 })).body).toBe('n is 2\n')
    expect(await run(account, body.id, { given: 'one' })).toMatchObject({ status: 422, body: { code: 'execution_faulted' } })
  })

  test('a pinned resource can be the input schema that a start is checked against', async () => {
    const account = await server.registerAccount()
    texts.set('/input.yaml', 'type: object\nrequired: [name]\n')
    const { body } = await publish(
      account,
      `input: { schema: { resource: { endpoint: '${origin}/input.yaml' } } }\ndo:\n  - a: { set: { x: 1 } }\n`,
    )
    expect(await run(account, body.id)).toMatchObject({ status: 422, body: { code: 'input_invalid' } })
    expect((await run(account, body.id, { name: 'Ada' })).status).toBe(200)
  })

  test('a draft does not fetch external resources', async () => {
    const account = await server.registerAccount()
    const definition = documentOf(`do:\n  - a: { call: '${origin}/missing.yaml' }\n`)
    expect(await account.send('POST', '/api/v1/workflows', { definition, publish: false })).toMatchObject({
      status: 200,
      body: { state: 'draft' },
    })
    expect(asked).toEqual([])
  })
})

describe('a definition is not published', () => {
  test.each([
    ['when nothing is there', 'a.yaml', undefined, 'could not be fetched'],
    ['when what is there is no function', 'a.yaml', 'do: [', 'is no function that can be used'],
    ['when what is there is a function that is wrong', 'a.yaml', 'sett: { a: 1 }', 'is no function that can be used: line 1'],
    ['when the function asks for secrets', 'a.yaml', `set: { a: '\${ $secrets.mine }' }`, 'is no function that can be used'],
  ])('%s', async (_what, path, text, message) => {
    const account = await server.registerAccount()
    if (text !== undefined) texts.set(`/${path}`, text)
    const refused = await publish(account, `do:\n  - a: { call: '${origin}/${path}' }\n`)
    expect(refused).toMatchObject({ status: 422, body: { code: 'workflow_invalid' } })
    expect(refused.body.diagnostics).toMatchObject([
      {
        code: 'unusable_resource',
        severity: 'error',
        pointer: '/do/0/a/call',
        message: expect.stringContaining(message),
        line: expect.any(Number),
      },
    ])
  })

  test('a definition with functions that refer to themselves is not published', async () => {
    const account = await server.registerAccount()
    texts.set('/a.yaml', `call: '${origin}/b.yaml'`)
    texts.set('/b.yaml', `call: '${origin}/a.yaml'`)
    const refused = await publish(account, `do:\n  - a: { call: '${origin}/a.yaml' }\n`)
    expect(refused.body.diagnostics).toMatchObject([{ message: expect.stringContaining('leads back to itself') }])
  })

  test('a definition with endlessly nested external resources is not published', async () => {
    const account = await server.registerAccount()
    for (let index = 0; index < 20; index++) texts.set(`/${index}.yaml`, `call: '${origin}/${index + 1}.yaml'`)
    const refused = await publish(account, `do:\n  - a: { call: '${origin}/0.yaml' }\n`)
    expect(refused.body.diagnostics).toMatchObject([{ message: expect.stringContaining('more than 8 levels deep') }])
    expect(asked.length).toBeLessThan(10)
  })

  test('a definition whose resource address is an expression is not published', async () => {
    const account = await server.registerAccount()
    const refused = await publish(
      account,
      `do:\n  - a: { run: { script: { language: js, source: { endpoint: { uri: '\${ .where }' } } } } }\n`,
    )
    expect(refused.body.diagnostics).toMatchObject([
      { code: 'unusable_resource', message: expect.stringContaining('neither expressions nor variables') },
    ])
  })
})

test('a fetched function cannot read secrets', async () => {
  const account = await server.registerAccount()
  texts.set('/all.yaml', `set: { all: '\${ $secrets | keys }' }`)
  const { body } = await publish(account, `do:\n  - all: { call: '${origin}/all.yaml' }\n`)
  expect((await run(account, body.id)).body).toEqual({ all: [] })
})
