import { compileSchema, type JsonObject } from '@millrace/engine'
import { describe, expect, test } from 'vitest'
import { manifestOf, withoutConnection } from './function-manifest.ts'
import { namedOperations, withFunctionNames } from './function-names.ts'

const version = '1.0.0'
const budget = () => ({ left: 100_000 })
const servers = [{ url: 'https://api.example.com' }]

function rootOf(operation: JsonObject, more: JsonObject = {}): JsonObject {
  const paths = { '/orders/{id}': { post: { operationId: 'change', ...operation } } }
  return { openapi: '3.0.3', info: { title: 'A', version }, servers, paths, ...more }
}

function inputOf(operation: JsonObject, more: JsonObject = {}): JsonObject {
  const manifest = manifestOf('shop', rootOf(operation, more), 'change', { version }, budget())
  if (manifest === undefined) throw new Error('it has no such function')
  return manifest.input
}

const json = (schema: JsonObject) => ({ requestBody: { required: true, content: { 'application/json': { schema } } } })

describe('the arguments of an operation', () => {
  test('are its parameters and the properties of its body', () => {
    const input = inputOf({
      parameters: [
        { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
        { name: 'dry', in: 'query', schema: { type: 'boolean' } },
      ],
      ...json({ type: 'object', required: ['total'], properties: { total: { type: 'number' }, note: { type: 'string' } } }),
    })
    expect(input['required']).toEqual(['id', 'total'])
    expect(Object.keys(Object(input['properties']))).toEqual(['connection', 'id', 'dry', 'total', 'note'])
    expect(input['additionalProperties']).toBe(false)
  })

  test('name the place of a parameter that stands in two', () => {
    const input = inputOf({
      parameters: [
        { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
        { name: 'id', in: 'query', schema: { type: 'string' } },
      ],
    })
    expect(Object.keys(Object(input['properties']))).toEqual(['connection', 'path.id', 'query.id'])
  })

  test('are a whole body where it is no object', () => {
    const input = inputOf(json({ type: 'array', items: { type: 'integer' } }))
    expect(input['required']).toEqual(['body'])
    expect(compileSchema({ document: input })({ body: [1] })).toEqual([])
    expect(compileSchema({ document: input })({ body: ['a'] })).not.toEqual([])
  })

  test('do not require what only responses have', () => {
    const properties = { id: { type: 'string', readOnly: true }, name: { type: 'string' } }
    expect(inputOf(json({ type: 'object', required: ['id', 'name'], properties }))['required']).toEqual(['name'])
  })

  test('include the connection where the operation asks for credentials, or nothing says where the service is', () => {
    const secured = { security: [{ key: [] }] }
    expect(inputOf(secured)['required']).toEqual(['connection'])
    expect(inputOf({ security: [{ key: [] }, {}] })['required']).toBeUndefined()
    expect(inputOf({}, { servers: [{ url: '/v1' }] })['required']).toEqual(['connection'])
    expect(inputOf({})['required']).toBeUndefined()
  })
})

describe('a schema', () => {
  test('stands on its own, also where it refers to itself', () => {
    const components = {
      schemas: {
        Order: {
          type: 'object',
          properties: { parts: { type: 'array', items: { $ref: '#/components/schemas/Order' } }, sku: { type: 'string' } },
        },
      },
    }
    const input = inputOf(json({ $ref: '#/components/schemas/Order' }), { components })
    const faultsOf = compileSchema({ document: input })
    expect(faultsOf({ parts: [{ parts: [{ sku: 'a' }] }] })).toEqual([])
    expect(faultsOf({ parts: [{ parts: [{ sku: 1 }] }] })).not.toEqual([])
  })

  test('of OpenAPI 3.0 keeps its meaning', () => {
    const properties = {
      note: { type: 'string', nullable: true },
      above: { type: 'number', minimum: 1, exclusiveMinimum: true },
      code: { type: 'string', pattern: '(?<=a)b', format: 'uri', example: 'x' },
    }
    const faultsOf = compileSchema({ document: inputOf(json({ type: 'object', properties })) })
    expect(faultsOf({ note: null, above: 1.5, code: 'anything' })).toEqual([])
    expect(faultsOf({ above: 1 })).not.toEqual([])
    expect(faultsOf({ note: 1 })).not.toEqual([])
  })

  test('allows anything where the functions before it used up what all of them may have', () => {
    const root = rootOf(json({ type: 'object', properties: { color: { enum: Array.from({ length: 400 }, (_, value) => value) } } }))
    const shared = { left: 1_000 }
    const inputs = [1, 2, 3].map(() => manifestOf('shop', root, 'change', { version }, shared)?.input)
    expect(inputs.map((input) => input?.['properties'] !== undefined)).toEqual([true, false, false])
    expect(inputs[2]).toEqual({ type: 'object' })
  })

  test('of thousands of values allows anything, and the service checks it', () => {
    const properties = Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`p${index}`, { type: 'string' }]))
    expect(inputOf(json({ type: 'object', properties }))).toEqual({ type: 'object' })
  })
})

test('a model gets arguments without the connection and in keywords of JSON Schema alone', () => {
  const table = { type: 'string', pattern: '^t' }
  const properties = { connection: { type: 'string' }, table: { ...table, patternErrorMessage: 'must begin with t' } }
  expect(withoutConnection({ type: 'object', required: ['connection', 'table'], properties })).toEqual({
    type: 'object',
    required: ['table'],
    properties: { table },
  })
})

describe('the name of a function', () => {
  const names = (paths: JsonObject) => namedOperations({ paths }).map(({ name }) => name)

  test.each<[string, JsonObject, readonly string[]]>([
    ['is the operationId', { '/a': { get: { operationId: 'readAll' } } }, ['readAll']],
    ['has other characters replaced', { '/a': { get: { operationId: 'repos/get now' } } }, ['repos-get-now']],
    ['is made of method and path without one', { '/a/{id}': { get: {} } }, ['get-a-id']],
    ['begins with a letter', { '/a': { get: { operationId: '2fa' } } }, ['call-2fa']],
    ['is used once', { '/a': { get: { operationId: 'a/b' }, put: { operationId: 'a-b' } } }, ['a-b', 'a-b-2']],
  ])('%s', (_rule, paths, expected) => {
    expect(names(paths)).toEqual(expected)
  })

  test('becomes the operationId of the document that is called', () => {
    const root = withFunctionNames({ paths: { '/a': { get: { operationId: 'a b' } } } })
    expect(root['paths']).toEqual({ '/a': { get: { operationId: 'a-b' } } })
  })
})
