import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '#core/json.ts'
import { readSwagger2 } from './read-swagger-2.ts'

const read = (operation: JsonObject, root: JsonObject = {}, item: JsonObject = {}) =>
  readSwagger2({ root, method: 'POST', path: '/things', item, operation }, 'https://documents.test/v1/swagger.json')

test('an operation that says nothing has nothing', () => {
  expect(read({})).toEqual({
    method: 'POST',
    path: '/things',
    server: { url: 'https://documents.test/', variables: new Map() },
    parameters: [],
    body: undefined,
    produces: [],
  })
})

describe('the format of a list', () => {
  test.each<[string, Json | undefined, string, boolean]>([
    ['query', undefined, 'form', false],
    ['query', 'csv', 'form', false],
    ['query', 'multi', 'form', true],
    ['query', 'ssv', 'spaceDelimited', false],
    ['query', 'tsv', 'tabDelimited', false],
    ['query', 'pipes', 'pipeDelimited', false],
    ['path', undefined, 'simple', false],
    ['path', 'pipes', 'pipeDelimited', false],
    ['header', 'csv', 'simple', false],
    ['query', 'constructor', 'form', false],
    ['query', 7, 'form', false],
  ] as const)('in the %s, %j, is that of OpenAPI 3', (place, format, style, explode) => {
    const written = { name: 'p', in: place, type: 'array', ...(format === undefined ? {} : { collectionFormat: format }) }
    expect(read({ parameters: [written] }).parameters).toEqual([
      { name: 'p', in: place, required: place === 'path', serialization: { kind: 'style', style, explode, allowReserved: false } },
    ])
  })
})

test.each(['cookie', 'somewhere'])('a parameter in %s is refused', (place) => {
  expect(() => read({ parameters: [{ name: 'p', in: place }] })).toThrow('must be path, query, header, formData or body')
})

describe('a form', () => {
  const fields = (...types: readonly string[]) => ({
    parameters: types.map((type, index) => ({ name: `f${index}`, in: 'formData', type })),
  })

  test.each<[readonly string[], Json | undefined, string]>([
    [['string'], undefined, 'application/x-www-form-urlencoded'],
    [['string'], ['application/x-www-form-urlencoded', 'multipart/form-data'], 'application/x-www-form-urlencoded'],
    [['string'], ['multipart/form-data'], 'multipart/form-data'],
    [['string', 'file'], undefined, 'multipart/form-data'],
    [['file'], ['application/x-www-form-urlencoded'], 'multipart/form-data'],
    [['string'], ['application/json'], 'application/x-www-form-urlencoded'],
  ] as const)('of %j that consumes %j is %s', (types, consumes, mediaType) => {
    const body = read({ ...fields(...types), ...(consumes === undefined ? {} : { consumes }) }).body
    expect(body?.contents.map((content) => content.mediaType)).toEqual([mediaType])
  })

  test('knows its files and its required fields, and takes no others', () => {
    const [one, two] = fields('file', 'string').parameters
    const body = read({ parameters: [{ ...one, required: true }, { ...two }] }).body
    expect(body).toMatchObject({ name: undefined, required: true })
    expect(body?.contents[0]).toMatchObject({
      properties: { object: true, names: new Set(['f0', 'f1']), open: false, files: new Set(['f0']) },
      required: ['f0'],
    })
  })
})

describe('a body', () => {
  const body = { name: 'pet', in: 'body', schema: { properties: { name: {} } } }

  test.each<[JsonObject, JsonObject, readonly string[]]>([
    [{}, {}, ['application/json']],
    [{}, { consumes: ['text/plain'] }, ['text/plain']],
    [{ consumes: ['application/xml', 'application/json'] }, { consumes: ['text/plain'] }, ['application/xml', 'application/json']],
    [{ consumes: [] }, { consumes: ['text/plain'] }, ['application/json']],
  ])('of %j in %j has the types %j', (operation, root, types) => {
    expect(read({ parameters: [body], ...operation }, root).body?.contents.map(({ mediaType }) => mediaType)).toEqual(types)
  })

  test('goes before fields of a form, which cannot be there with it', () => {
    const parameters = [{ name: 'f', in: 'formData', type: 'string' }, body]
    expect(read({ parameters }).body?.name).toBe('pet')
  })

  test('may be declared by the path', () => {
    expect(read({}, {}, { parameters: [body] }).body?.name).toBe('pet')
  })
})

test('API keys of the security definitions can be given', () => {
  const root = { securityDefinitions: { key: { type: 'apiKey', name: 'api_key', in: 'header' }, basic: { type: 'basic' } } }
  expect(read({ security: [{ key: [], basic: [] }] }, root).parameters.map(({ name }) => name)).toEqual(['api_key'])
})
