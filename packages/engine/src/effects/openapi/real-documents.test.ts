import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenApiDocument } from './document/document.ts'
import { parseDocument } from './document/parse-document.ts'
import { resolveObject } from './document/reference.ts'
import type { Operation, OperationSource } from './operation/operation.ts'
import { readOpenApi3 } from './operation/read-openapi-3.ts'
import { readSwagger2 } from './operation/read-swagger-2.ts'
import { ownObject } from './own-property.ts'
import { failure, startApi, type TestApi } from './testing-api.ts'
import { exampleDocument, exampleNames, exampleText } from './testing-documents.ts'

const read = (name: string) => parseDocument(Buffer.from(exampleText(name)), `http://documents.test/${name}`)
const methods = new Set(['get', 'put', 'post', 'delete', 'patch', 'options', 'head', 'trace'])

/** Every operation of a document, those included that have no operationId and cannot be called. */
function everyOperation(document: OpenApiDocument): readonly OperationSource[] {
  const paths = Object.entries(ownObject(document.root, 'paths')).filter(([path]) => !document.unresolvedPaths.includes(path))
  return paths.flatMap(([path, value]) => {
    const item = resolveObject(document.root, value, path)
    const operations = Object.keys(item).filter((method) => methods.has(method))
    return operations.map((method) => ({
      root: document.root,
      method: method.toUpperCase(),
      path,
      item,
      operation: ownObject(item, method),
    }))
  })
}

function readOperation(document: OpenApiDocument, source: OperationSource): Operation {
  return document.version === 2 ? readSwagger2(source, document.url) : readOpenApi3(source)
}

const versions = ['2.0', '3.0', '3.1'] as const
const names = versions.flatMap((version) => [...exampleNames(version, 'json'), ...exampleNames(version, 'yaml')])

test('there are documents of every version', () => {
  expect(names.length).toBeGreaterThan(100)
})

test.each(names)('every operation of %s can be read', (name) => {
  const document = read(name)
  expect(document.version).toBe(name.startsWith('2.0') ? 2 : 3)
  for (const source of everyOperation(document)) {
    const operation = readOperation(document, source)
    expect(operation.method).toBe(source.method)
    expect(operation.server.url).not.toBe('')
  }
})

const pairs = versions.flatMap((version) =>
  exampleNames(version, 'yaml')
    .map((yaml) => [yaml, yaml.replaceAll('yaml', 'json')] as const)
    .filter(([, json]) => names.includes(json)),
)

// Descriptions and two methods of the package's own documents differ between the formats.
test.each(pairs)('%s describes the same parameters as %s', (yaml, json) => {
  const [one, other] = [read(yaml), read(json)]
  const parameters = (document: OpenApiDocument) =>
    everyOperation(document).map((source) => [source.path, readOperation(document, source).parameters])
  expect([...one.operations.keys()]).toEqual([...other.operations.keys()])
  expect(parameters(one)).toEqual(parameters(other))
})

describe('the train travel API, OpenAPI 3.1 in YAML', () => {
  let api: TestApi
  beforeAll(async () => {
    api = await startApi(exampleText('3.1/yaml/train-travel.yaml'))
  })
  afterAll(() => api.close())
  const bookingId = '1725ff48-ab45-4bb5-9d02-88745177dedb'

  test('parameters of the query are those of the document', async () => {
    await api.call('get-trips', { origin: 'a b', destination: 'c', date: '2024-02-01T09:00:00Z', bicycles: true })
    expect(api.target()).toBe('https://api.example.com/trips?origin=a%20b&destination=c&date=2024-02-01T09%3A00%3A00Z&bicycles=true')
  })

  test('a parameter of the path item is one of its operations', async () => {
    await api.call('get-booking', { bookingId })
    expect(api.last()).toMatchObject({ method: 'GET', url: `/bookings/${bookingId}` })
    expect((await failure(api.call('get-booking'))).detail).toContain('"bookingId" (path)')
  })

  test('the body goes as JSON although XML would do, and takes the properties that its schema names', async () => {
    await api.call('create-booking', { trip_id: bookingId, passenger_name: 'J. Doe', has_bicycle: true })
    expect(api.last().headers['content-type']).toBe('application/json')
    expect(JSON.parse(api.last().body.toString())).toEqual({ trip_id: bookingId, passenger_name: 'J. Doe', has_bicycle: true })
  })

  test('a parameter and a body go each to their place', async () => {
    const source = { object: 'card', name: 'J. Doe', number: '4242424242424242' }
    await api.call('create-booking-payment', { bookingId, amount: 49.99, currency: 'gbp', source })
    expect(api.last().url).toBe(`/bookings/${bookingId}/payment`)
    expect(JSON.parse(api.last().body.toString())).toEqual({ amount: 49.99, currency: 'gbp', source })
  })

  test('OAuth that the document asks for is not sent unless the author gives it', async () => {
    await api.call('get-stations')
    expect(api.last().headers).not.toHaveProperty('authorization')
    await api.call('get-stations', undefined, { authentication: { bearer: { token: 'token-1' } } })
    expect(api.last().headers.authorization).toBe('Bearer token-1')
  })
})

describe('the document of parameter styles, OpenAPI 3.0', () => {
  let api: TestApi
  beforeAll(async () => {
    api = await startApi(exampleDocument('3.0/json/parameters-style.json'))
  })
  afterAll(() => api.close())
  const parameters = { primitive: 'blue', array: ['b', 'c'], object: { R: 1, G: 2 } }

  test.each([
    ['paths_standard', '/anything/path/blue/b,c/R,1,G,2'],
    ['paths_matrix_nonExploded', '/anything/path/matrix/;primitive=blue/;array=b,c/;object=R,1,G,2'],
    ['paths_matrix_exploded', '/anything/path/matrix/;primitive=blue/;array=b;array=c/;R=1;G=2'],
    ['paths_label_nonExploded', '/anything/path/label/.blue/.b,c/.R,1,G,2'],
    ['paths_label_exploded', '/anything/path/label/.blue/.b.c/.R=1.G=2'],
    ['paths_simple_exploded', '/anything/path/simple/blue/b,c/R=1,G=2'],
    ['query_standard', '/anything/query?primitive=blue&array=b&array=c&R=1&G=2'],
    ['query_form_nonExploded', '/anything/query/form?primitive=blue&array=b,c&object=R,1,G,2'],
    ['query_form_exploded', '/anything/query/form?primitive=blue&array=b&array=c&R=1&G=2'],
  ])('%s goes to %s', async (operation, url) => {
    await api.call(operation, parameters)
    expect(api.last().url).toBe(url)
  })

  test.each([
    ['query_spaceDelimited_nonExploded', '?array=b%20c&object=R%201%20G%202'],
    ['query_pipeDelimited_nonExploded', '?array=b%7Cc&object=R%7C1%7CG%7C2'],
  ])('%s has the query %s', async (operation, query) => {
    await api.call(operation, { array: parameters.array, object: parameters.object })
    expect(new URL(api.target()).search).toBe(query)
  })

  test('query_deepObject_nonExploded', async () => {
    await api.call('query_deepObject_nonExploded', { object: parameters.object })
    expect(new URL(api.target()).search).toBe('?object%5BR%5D=1&object%5BG%5D=2')
  })

  test.each([
    ['headers_standard', 'R,1,G,2'],
    ['headers_simple_nonExploded', 'R,1,G,2'],
    ['headers_simple_exploded', 'R=1,G=2'],
  ])('%s has the headers', async (operation, object) => {
    await api.call(operation, parameters)
    expect(api.last().headers).toMatchObject({ primitive: 'blue', array: 'b,c', object })
  })

  test.each([
    ['cookies_standard', 'primitive=blue; array=b; array=c; R=1; G=2'],
    ['cookies_form_exploded', 'primitive=blue; array=b; array=c; R=1; G=2'],
    ['cookies_form_nonExploded', 'primitive=blue; array=b,c; object=R,1,G,2'],
  ])('%s has the cookies %s, and what stands behind # in a path is no part of it', async (operation, cookie) => {
    await api.call(operation, parameters)
    expect(api.last()).toMatchObject({ url: '/cookies', headers: { cookie } })
  })
})

test('a form goes as the encodings of its document have it', async () => {
  const document = exampleDocument('3.0/json/schema-encoding-style.json')
  const api = await startApi(document)
  await api.call('encoding_form', { primitive: 'a b' })
  expect(api.last()).toMatchObject({ method: 'PUT', url: '/form/primitive' })
  await api.close()
})

test('servers with variables: the default of the document, or what the author gives', async () => {
  const api = await startApi(exampleDocument('3.0/json/uspto.json'))
  await api.call('list-data-sets')
  expect(api.target()).toBe('https://developer.uspto.gov/ds-api/')
  await api.call('list-data-sets', { 'server.scheme': 'http' })
  expect(api.target()).toBe('http://developer.uspto.gov/ds-api/')
  expect((await failure(api.call('list-data-sets', { 'server.scheme': 'ftp' }))).detail).toContain('must be one of "https", "http"')
  await api.call('perform-search', { dataset: 'oa_citations', version: 'v1', criteria: 'name:*', start: 0 })
  expect(api.last()).toMatchObject({ method: 'POST', url: '/ds-api/oa_citations/v1/records' })
  expect(api.last().body.toString()).toBe('criteria=name%3A%2A&start=0')
  await api.close()
})
