import { afterEach, describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { documentWith, failure, kindOf, startApi, type TestApi } from '#effects/openapi/testing-api.ts'

// How the parameters of a call find their places, seen from the server that gets them.

let api: TestApi | undefined
afterEach(() => api?.close())

async function start(operation: Json, more: Readonly<Record<string, Json>> = {}, path?: string): Promise<TestApi> {
  api = await startApi(documentWith(operation, more, path))
  return api
}

const parameter = (name: string, place: string, more: object = {}) => ({ name, in: place, schema: { type: 'string' }, ...more })

describe('a name', () => {
  test('that stands in two places needs the place', async () => {
    const { call, target } = await start({ parameters: [parameter('id', 'path'), parameter('id', 'query')] }, {}, '/things/{id}')
    const error = await failure(call('op', { id: 1 }))
    expect(kindOf(error)).toBe('validation')
    expect(error.detail).toBe('The operation has several parameters "id"; write "path.id" or "query.id".')
    await call('op', { 'path.id': 1, 'query.id': 2 })
    expect(target()).toBe('https://api.test/things/1?id=2')
    expect((await failure(call('op', {}))).detail).toContain('requires "path.id" (path)')
  })

  test('of a header is known in any case', async () => {
    const { call, last } = await start({ parameters: [parameter('X-Trace', 'header', { required: true })] })
    await call('op', { 'x-trace': 'abc' })
    expect(last().headers['x-trace']).toBe('abc')
  })

  test('cannot be given under two names', async () => {
    const { call } = await start({ parameters: [parameter('X-Trace', 'header')] })
    const error = await failure(call('op', { 'X-Trace': 'a', 'header.X-Trace': 'b' }))
    expect(error.detail).toBe('The parameter "X-Trace" is given twice, under two names.')
  })

  test('with a dot is itself before it is a place', async () => {
    const { call, target } = await start({ parameters: [parameter('query.a', 'query'), parameter('a', 'query')] })
    await call('op', { 'query.a': 1, a: 2 })
    expect(target()).toBe('https://api.test/things?query.a=1&a=2')
  })

  test.each(['constructor', '__proto__', 'toString'])('like %s is nothing special', async (name) => {
    const { call, target } = await start({ parameters: [parameter(name, 'query')] })
    const parameters: Json = JSON.parse(`{ ${JSON.stringify(name)}: "x" }`)
    await call('op', parameters)
    expect(target()).toBe(`https://api.test/things?${name}=x`)
  })

  test.each(['constructor', '__proto__', 'toString'])('like %s that nothing has is refused', async (name) => {
    const { call } = await start({})
    const parameters: Json = JSON.parse(`{ ${JSON.stringify(name)}: "x" }`)
    expect((await failure(call('op', parameters))).detail).toContain(`has no parameter "${name}"`)
  })
})

test('a parameter of the operation takes the place of the one that its path has', async () => {
  const document = documentWith({ parameters: [parameter('list', 'query', { style: 'pipeDelimited', explode: false })] }, {}, '/a')
  const shared = { parameters: [parameter('list', 'query'), parameter('other', 'query')] }
  const withShared: Json = JSON.parse(JSON.stringify(document).replace('"/a":{', `"/a":{${JSON.stringify(shared).slice(1, -1)},`))
  api = await startApi(withShared)
  await api.call('op', { list: ['a', 'b'], other: 'c' })
  expect(api.target()).toBe('https://api.test/a?list=a%7Cb&other=c')
})

test('parameters may be references, of references too', async () => {
  const components = { parameters: { A: { $ref: '#/components/parameters/B' }, B: parameter('b', 'query') } }
  const { call, target } = await start({ parameters: [{ $ref: '#/components/parameters/A' }] }, { components })
  await call('op', { b: 1 })
  expect(target()).toBe('https://api.test/things?b=1')
})

test('what the engine gives of itself need not be given', async () => {
  const { call, last } = await start({ parameters: [parameter('Idempotency-Key', 'header', { required: true })] })
  await call('op')
  expect(last().headers['idempotency-key']).toBe('the-key')
  await call('op', { 'Idempotency-Key': 'mine' })
  expect(last().headers['idempotency-key']).toBe('mine')
})

describe('headers that OpenAPI 3 describes elsewhere', () => {
  const declared = { parameters: ['Accept', 'Content-Type', 'Authorization'].map((name) => parameter(name, 'header', { required: true })) }

  test('are not required although they are declared so', async () => {
    const { call, last } = await start(declared)
    await call('op')
    expect(last().headers).not.toHaveProperty('authorization')
  })

  test('do not carry credentials past the authentication', async () => {
    const { call } = await start(declared)
    const error = await failure(call('op', { Authorization: 'Bearer x' }))
    expect(error.detail).toContain('has no parameter "Authorization". Credentials are given as "authentication".')
  })

  test('let the author say what he accepts', async () => {
    const { call, last } = await start({ responses: { 200: { content: { 'application/json': {}, 'text/csv': {} } } } })
    await call('op')
    expect(last().headers.accept).toBe('application/json, */*;q=0.5')
    await call('op', { Accept: 'text/csv' })
    expect(last().headers.accept).toBe('text/csv')
    expect((await failure(call('op', { Accept: 'a\r\nx: y' }))).detail).toContain('a character that no header can carry')
    expect((await failure(call('op', { accept: 1 }))).detail).toContain('must be the text of a media type')
  })
})

describe('what is accepted', () => {
  test.each<[Json, string]>([
    [{}, '*/*'],
    [{ 200: { description: 'x' } }, '*/*'],
    [{ 200: { content: { 'application/xml': {}, 'application/json': {} } } }, 'application/json, */*;q=0.5'],
    [
      { 200: { content: { 'application/hal+json': {} } }, 201: { content: { 'application/json': {} } } },
      'application/hal+json, application/json, */*;q=0.5',
    ],
    [{ 200: { content: { 'text/csv': {}, 'image/png': {} } } }, 'text/csv, image/png, */*;q=0.5'],
    [{ 404: { content: { 'application/json': {} } } }, '*/*'],
    [{ default: { content: { 'application/json': {} } } }, 'application/json, */*;q=0.5'],
    [{ 200: { content: { 'image/*': {}, '*/*': {} } } }, '*/*'],
    [{ 200: { $ref: '#/components/responses/Ok' } }, 'text/plain, */*;q=0.5'],
    [{ 200: { content: { 'text/html\r\nx-evil: 1': {}, nonsense: {} } } }, '*/*'],
  ])('of %j is %s', async (responses, accept) => {
    const { call, last } = await start({ responses }, { components: { responses: { Ok: { content: { 'text/plain': {} } } } } })
    await call('op')
    expect(last().headers.accept).toBe(accept)
    expect(last().headers).not.toHaveProperty('x-evil')
  })
})

describe('no header can be slipped in', () => {
  test.each(['a\r\nX-Evil: 1', 'a\nb', 'a\0b', '\u{1F600}'])('by the value %j', async (value) => {
    const { call } = await start({ parameters: [parameter('X-Note', 'header')] })
    expect((await failure(call('op', { 'X-Note': value }))).detail).toContain('has a character that no header can carry')
  })

  test.each(['Host', 'Content-Length', 'Transfer-Encoding', 'Connection', 'Upgrade'])('called %s', async (name) => {
    const { call } = await start({ parameters: [parameter(name, 'header')] })
    expect((await failure(call('op', { [name]: 'x' }))).detail).toContain(`The header "${name}" cannot be set`)
  })

  test.each(['X Evil', 'X-Evil\r\n', 'X:Evil', ''])('by the name %j of a document', async (name) => {
    const { call } = await start({ parameters: [parameter(name, 'header')] })
    expect((await failure(call('op', { [name]: 'x' }))).detail).toContain('is not a header name')
  })

  test('through a cookie', async () => {
    const { call, last } = await start({ parameters: [parameter('session', 'cookie')] })
    await call('op', { session: 'a; admin=1\r\nx: y' })
    expect(last().headers.cookie).toBe('session=a%3B%20admin%3D1%0D%0Ax%3A%20y')
  })
})

test('cookies of a header and of parameters do not go together', async () => {
  const { call, last } = await start({ parameters: [parameter('Cookie', 'header'), parameter('c', 'cookie')] })
  expect((await failure(call('op', { Cookie: 'a=b', c: 'd' }))).detail).toContain('keep one')
  await call('op', { c: 'd' })
  expect(last().headers.cookie).toBe('c=d')
})

test('authentication and a header of the same purpose do not go together', async () => {
  const swagger = {
    swagger: '2.0',
    paths: { '/a': { get: { operationId: 'op', parameters: [{ name: 'Authorization', in: 'header', type: 'string' }] } } },
  }
  api = await startApi(swagger)
  await api.call('op', { Authorization: 'Key 1' })
  expect(api.last().headers.authorization).toBe('Key 1')
  const error = await failure(api.call('op', { Authorization: 'Key 1' }, { authentication: { bearer: { token: 'abcd' } } }))
  expect(error.detail).toContain('both an "authorization" header and an authentication policy')
})

describe('the document is at fault', () => {
  test.each<[Json, string]>([
    [{ parameters: [{ in: 'query' }] }, 'a parameter has no "name" or no "in"'],
    [{ parameters: ['x'] }, 'a parameter must be an object'],
    [{ parameters: [{ $ref: 'other.yaml#/p' }] }, 'leads out of the document'],
    [{ parameters: [{ $ref: '#/components/parameters/None' }] }, 'leads to nothing'],
    [{ parameters: [parameter('x', 'body')] }, 'has the location "body"; it must be path, query, header or cookie'],
    [{ parameters: [parameter('x', 'query', { style: 'matrix' })] }, 'The query parameter "x" has the style "matrix"'],
    [{ parameters: [parameter('x', 'header', { style: 'form' })] }, 'possible are simple'],
    [{ parameters: [parameter('x', 'path', { style: 'deepObject' })] }, 'possible are simple, label, matrix'],
    [{ requestBody: 'x' }, '"requestBody" must be an object'],
    [{ requestBody: { $ref: 'body.yaml' } }, 'leads out of the document'],
  ])('with %j', async (operation, reason) => {
    const { call } = await start(operation)
    const error = await failure(call('op'))
    expect(kindOf(error)).toBe('configuration')
    expect(error.detail).toContain(reason)
  })

  test('only where the operation that is called needs it', async () => {
    const { call } = await start({ responses: {} }, { components: { parameters: { Bad: { $ref: 'other.yaml' } } } })
    await expect(call('op')).resolves.toEqual({})
  })
})

test('the formats of lists of Swagger 2.0', async () => {
  const list = (name: string, place: string, format?: string) => ({
    name,
    in: place,
    type: 'array',
    items: { type: 'string' },
    ...(format === undefined ? {} : { collectionFormat: format }),
  })
  const parameters = [
    list('plain', 'query'),
    list('csv', 'query', 'csv'),
    list('ssv', 'query', 'ssv'),
    list('tsv', 'query', 'tsv'),
    list('pipes', 'query', 'pipes'),
    list('multi', 'query', 'multi'),
    list('inPath', 'path', 'pipes'),
    list('X-List', 'header', 'ssv'),
  ]
  api = await startApi({ swagger: '2.0', paths: { '/a/{inPath}': { get: { operationId: 'op', parameters } } } })
  await api.call('op', Object.fromEntries(parameters.map(({ name }) => [name, ['a', 'b']])))
  expect(api.last().url).toBe('/a/a%7Cb?plain=a,b&csv=a,b&ssv=a%20b&tsv=a%09b&pipes=a%7Cb&multi=a&multi=b')
  expect(api.last().headers['x-list']).toBe('a b')
})

test('a long list of what there is does not fill the message', async () => {
  const { call } = await start({ parameters: Array.from({ length: 500 }, (_, index) => parameter(`p${index}`, 'query')) })
  const { detail } = await failure(call('op', { somethingElse: 1 }))
  expect(detail).toContain('and 470 more.')
  expect(detail?.length).toBeLessThan(500)
})
