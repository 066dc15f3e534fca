import { expect, test } from 'vitest'
import { validateDefinition } from '#src/validate/validate-definition.ts'

const head = "document: { dsl: '1.0.3', namespace: test, name: test, version: '1.0.0' }\n"
const functions = ['http.request', 'rss.read', 'dropbox.download'].map((name) => ({ name, version: '1.0.0' }))

function places(task: string, more = ''): readonly string[] {
  const { diagnostics } = validateDefinition(`${head}do:\n  - one: ${task}\n${more}`, { functions })
  return diagnostics.filter(({ code }) => code === 'unencoded_value').map(({ pointer }) => pointer)
}

const address = `'\${ "https://a.b/orders/\\(.order)" }'`

test.each([
  ['an endpoint', `{ call: http, with: { method: get, endpoint: ${address} } }`, '/endpoint'],
  ['the parts of an endpoint', `{ call: http, with: { method: get, endpoint: { uri: ${address} } } }`, '/endpoint/uri'],
  ['the document of an operation', `{ call: openapi, with: { operationId: a, document: { endpoint: ${address} } } }`, '/document/endpoint'],
  ['a transport', `{ call: mcp, with: { method: tools/list, transport: { http: { endpoint: ${address} } } } }`, '/transport/http/endpoint'],
  [
    'the path behind the address of a connection',
    `{ call: http.request, with: { connection: a, path: '\${ "/orders/\\(.order)" }' } }`,
    '/path',
  ],
  ['an address for a function', `{ call: rss.read, with: { url: ${address} } }`, '/url'],
])('data is reported in %s', (_, task, pointer) => {
  expect(places(task)).toEqual([`/do/0/one/with${pointer}`])
})

test.each([
  ['a path of files', `{ call: dropbox.download, with: { connection: a, path: '\${ "/orders/\\(.order)" }' } }`],
  ['a parameter of the query', `{ call: http, with: { method: get, endpoint: 'https://a.b', query: { endpoint: ${address} } } }`],
  ['a template, which is encoded', "{ call: http, with: { method: get, endpoint: 'https://a.b/{order}' } }"],
  ['data that is no call', `{ set: { endpoint: ${address} } }`],
  ['the whole path', "{ call: http.request, with: { connection: a, path: '${ .path }' } }"],
])('nothing is reported in %s', (_, task) => {
  expect(places(task)).toEqual([])
})

test('the path of a function of the document is its own matter', () => {
  const use = 'use: { functions: { http.request: { set: { x: 1 } } } }\n'
  expect(places(`{ call: http.request, with: { path: '\${ "/orders/\\(.order)" }' } }`, use)).toEqual([])
})

test('a warning names the value and what to write, at its place', () => {
  const text = `${head}do:\n  - one: { call: http, with: { method: get, endpoint: ${address} } }\n`
  const [warning] = validateDefinition(text).diagnostics
  expect(warning).toMatchObject({
    severity: 'warning',
    message: 'The value .order is put into an address as it is: a value such as ../other?all=1 leads to another address.',
    hint: 'Write .order | @uri.',
    expression: { start: 23, end: 29 },
  })
})
