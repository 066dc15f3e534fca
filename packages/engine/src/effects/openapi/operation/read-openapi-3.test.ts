import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '#core/json.ts'
import type { ParameterPlace, Serialization } from './operation.ts'
import { readOpenApi3 } from './read-openapi-3.ts'

const read = (operation: JsonObject, root: JsonObject = {}, item: JsonObject = {}) =>
  readOpenApi3({ root, method: 'POST', path: '/things', item, operation })

test('an operation that says nothing has nothing', () => {
  expect(read({})).toEqual({
    method: 'POST',
    path: '/things',
    server: { url: '/', variables: new Map() },
    parameters: [],
    body: undefined,
    produces: [],
  })
})

describe('the serialization that a parameter has when it does not say', () => {
  test.each<[ParameterPlace, Json, Serialization]>([
    ['path', {}, { kind: 'style', style: 'simple', explode: false, allowReserved: false }],
    ['query', {}, { kind: 'style', style: 'form', explode: true, allowReserved: false }],
    ['header', {}, { kind: 'style', style: 'simple', explode: false, allowReserved: false }],
    ['cookie', {}, { kind: 'style', style: 'form', explode: true, allowReserved: false }],
    ['query', { style: 'pipeDelimited' }, { kind: 'style', style: 'pipeDelimited', explode: false, allowReserved: false }],
    ['query', { style: 'deepObject' }, { kind: 'style', style: 'deepObject', explode: false, allowReserved: false }],
    ['query', { explode: false }, { kind: 'style', style: 'form', explode: false, allowReserved: false }],
    ['path', { style: 'label', explode: true }, { kind: 'style', style: 'label', explode: true, allowReserved: false }],
    ['query', { allowReserved: true }, { kind: 'style', style: 'form', explode: true, allowReserved: true }],
    // Only the query has reserved characters that do no harm.
    ['path', { allowReserved: true }, { kind: 'style', style: 'simple', explode: false, allowReserved: false }],
    ['cookie', { allowReserved: true }, { kind: 'style', style: 'form', explode: true, allowReserved: false }],
    ['query', { content: { 'application/json': {} } }, { kind: 'content', mediaType: 'application/json' }],
    ['header', { content: { 'text/plain': {} }, style: 'simple' }, { kind: 'content', mediaType: 'text/plain' }],
  ])('in the %s with %j', (place, more, serialization) => {
    const written = { name: 'p', in: place, ...(typeof more === 'object' ? more : {}) }
    expect(read({ parameters: [written] }).parameters).toEqual([{ name: 'p', in: place, required: place === 'path', serialization }])
  })
})

test('a parameter of the operation stands for that of its path, by name and place', () => {
  const item = {
    parameters: [
      { name: 'a', in: 'query', required: true },
      { name: 'b', in: 'query' },
    ],
  }
  const own = {
    parameters: [
      { name: 'a', in: 'header' },
      { name: 'b', in: 'query', required: true },
    ],
  }
  expect(read(own, {}, item).parameters.map(({ name, in: place, required }) => [name, place, required])).toEqual([
    ['a', 'query', true],
    ['b', 'query', true],
    ['a', 'header', false],
  ])
})

describe('API keys', () => {
  const root = {
    security: [{ outer: [] }],
    components: {
      securitySchemes: {
        outer: { type: 'apiKey', name: 'X-Outer', in: 'header' },
        inner: { type: 'apiKey', name: 'inner', in: 'query' },
        reference: { $ref: '#/components/securitySchemes/inner' },
        basic: { type: 'http', scheme: 'basic' },
        inBody: { type: 'apiKey', name: 'x', in: 'body' },
      },
    },
  }
  const names = (operation: JsonObject) => read(operation, root).parameters.map(({ name, required }) => [name, required])

  test.each<[Json | undefined, Json]>([
    [undefined, [['X-Outer', false]]],
    [[], []],
    [[{}], []],
    [[{ inner: [] }], [['inner', false]]],
    [
      [{ inner: [], outer: [] }, { inner: [] }],
      [
        ['inner', false],
        ['X-Outer', false],
      ],
    ],
    [[{ reference: [] }], [['inner', false]]],
    [[{ basic: [] }], []],
    [[{ inBody: [] }], []],
    [[{ unknown: [] }], []],
  ] as const)('of the security %j can be given', (security, expected) => {
    expect(names(security === undefined ? {} : { security })).toEqual(expected)
  })

  test('that are declared as parameters too are the declared ones', () => {
    const declared = { name: 'X-Outer', in: 'header', required: true }
    expect(names({ parameters: [declared] })).toEqual([['X-Outer', true]])
  })
})

describe('a body', () => {
  test('a body without a media type is ignored', () => {
    expect(read({ requestBody: { required: true } }).body).toBeUndefined()
    expect(read({ requestBody: { content: {} } }).body).toBeUndefined()
  })

  test('has what its schema and its encodings say', () => {
    const schema = { properties: { file: { type: 'string', format: 'binary' }, tags: { type: 'array' } } }
    const encoding = { file: { contentType: 'image/png' }, tags: { style: 'spaceDelimited' }, plain: {} }
    const body = read({ requestBody: { required: true, content: { 'multipart/form-data': { schema, encoding } } } }).body
    expect(body).toEqual({
      name: undefined,
      required: true,
      contents: [
        {
          mediaType: 'multipart/form-data',
          properties: { object: true, names: new Set(['file', 'tags']), open: false, files: new Set(['file']) },
          required: [],
          encodings: new Map([
            ['file', { contentType: 'image/png', serialization: undefined }],
            [
              'tags',
              { contentType: undefined, serialization: { kind: 'style', style: 'spaceDelimited', explode: false, allowReserved: false } },
            ],
            ['plain', { contentType: undefined, serialization: undefined }],
          ]),
        },
      ],
    })
  })
})

test('the variables of a server have their defaults and what is allowed', () => {
  const variables = { a: { default: 'x', enum: ['x', 'y', 1] }, b: { default: '1' }, c: {}, d: { enum: [] } }
  expect(read({ servers: [{ url: 'https://{a}.test', variables }] }).server).toEqual({
    url: 'https://{a}.test',
    variables: new Map([
      ['a', { value: 'x', allowed: ['x', 'y'] }],
      ['b', { value: '1', allowed: undefined }],
      ['c', { value: '', allowed: undefined }],
      ['d', { value: '', allowed: undefined }],
    ]),
  })
})
