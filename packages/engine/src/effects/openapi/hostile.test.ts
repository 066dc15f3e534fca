import { afterEach, describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { documentWith, failure, kindOf, startApi, type TestApi } from './testing-api.ts'

// Documents are untrusted. With any document a call ends soon, and with an error that a workflow can catch.

let api: TestApi | undefined
afterEach(() => api?.close())

test('schemas that double with each level are looked at once each', async () => {
  const schemas: Record<string, Json> = { S300: { properties: { end: {} } } }
  for (let level = 0; level < 300; level++) {
    const next = { $ref: `#/components/schemas/S${level + 1}` }
    schemas[`S${level}`] = { allOf: [next, next], oneOf: [next, next], anyOf: [next] }
  }
  const requestBody = { content: { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } } }
  api = await startApi(documentWith({ requestBody }, { components: { schemas } }))
  await api.call('op', { end: 1 })
  expect(api.last().body.toString()).toBe('{"end":1}')
  expect((await failure(api.call('op', { other: 1 }))).detail).toContain('has no parameter "other"')
})

test('schemas without end are not looked at further than a thousand', async () => {
  const schemas: Record<string, Json> = {}
  for (let level = 0; level < 5_000; level++) {
    schemas[`S${level}`] = { properties: { [`p${level}`]: {} }, allOf: [{ $ref: `#/components/schemas/S${level + 1}` }] }
  }
  const requestBody = { content: { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } } }
  api = await startApi(documentWith({ requestBody }, { components: { schemas } }))
  await api.call('op', { p999: 1 })
  expect((await failure(api.call('op', { p1000: 1 }))).detail).toContain('has no parameter "p1000"')
})

describe('a message stays short', () => {
  const long = 'x'.repeat(20_000)
  const many = Array.from({ length: 2_000 }, (_, index) => `name-${index}`)
  const body = (content: Json) => ({ requestBody: { content } })

  test.each<[string, Json, Json, Json?]>([
    ['parameters that are missing', { parameters: many.map((name) => ({ name, in: 'query', required: true })) }, {}],
    ['a parameter with a long name', { parameters: [{ name: long, in: 'query', required: true }] }, {}],
    ['a parameter that is given with a long name', {}, { [long]: 1 }],
    ['a parameter in a strange place', { parameters: [{ name: 'x', in: long }] }, {}],
    ['a parameter of a strange style', { parameters: [{ name: 'x', in: 'query', style: long }] }, {}],
    ['a long reference', { parameters: [{ $ref: `#/${long}` }] }, {}],
    ['many media types', body(Object.fromEntries(many.map((name) => [`a/${name}`, {}]))), { 'Content-Type': 'b/c', body: 1 }],
    ['a long media type', body({ [`image/*${long}`]: {} }), { body: 'x' }],
    ['a long server', { servers: [{ url: `http://[${long}` }] }, {}],
    [
      'many values of a server variable',
      { servers: [{ url: '/{v}', variables: { v: { default: 'a', enum: many } } }] },
      { 'server.v': 'b' },
    ],
  ])('about %s', async (_name, operation, parameters) => {
    api = await startApi(documentWith(operation))
    const { detail } = await failure(api.call('op', parameters))
    expect(detail?.length).toBeLessThan(1_500)
  })
})

describe('an odd document ends in an error that says so, or in a call', () => {
  const odd: readonly Json[] = [null, true, 7, 'text', [], [null], {}, { $ref: '#' }, { $ref: '#/paths' }, { $ref: 7 }]
  const places: readonly (readonly [string, (value: Json) => Json])[] = [
    ['parameters', (value) => documentWith({ parameters: value })],
    ['a parameter', (value) => documentWith({ parameters: [value] })],
    ['the schema of a parameter', (value) => documentWith({ parameters: [{ name: 'a', in: 'query', schema: value }] })],
    ['the content of a parameter', (value) => documentWith({ parameters: [{ name: 'a', in: 'query', content: value }] })],
    ['the style of a parameter', (value) => documentWith({ parameters: [{ name: 'a', in: 'query', style: value }] })],
    ['the explode of a parameter', (value) => documentWith({ parameters: [{ name: 'a', in: 'query', explode: value }] })],
    ['requestBody', (value) => documentWith({ requestBody: value })],
    ['its content', (value) => documentWith({ requestBody: { content: value } })],
    ['its media type', (value) => documentWith({ requestBody: { content: { 'application/json': value } } })],
    ['its schema', (value) => documentWith({ requestBody: { content: { 'application/json': { schema: value } } } })],
    ['its properties', (value) => documentWith({ requestBody: { content: { 'application/json': { schema: { properties: value } } } } })],
    ['a property', (value) => documentWith({ requestBody: { content: { 'application/json': { schema: { properties: { a: value } } } } } })],
    ['its encoding', (value) => documentWith({ requestBody: { content: { 'multipart/form-data': { encoding: value } } } })],
    ['an encoding', (value) => documentWith({ requestBody: { content: { 'multipart/form-data': { encoding: { a: value } } } } })],
    ['responses', (value) => documentWith({ responses: value })],
    ['a response', (value) => documentWith({ responses: { 200: value } })],
    ['security', (value) => documentWith({ security: value })],
    ['a requirement', (value) => documentWith({ security: [value] })],
    ['a security scheme', (value) => documentWith({ security: [{ k: [] }] }, { components: { securitySchemes: { k: value } } })],
    ['components', (value) => documentWith({ security: [{ k: [] }] }, { components: value })],
    ['servers', (value) => documentWith({}, { servers: value })],
    ['a server', (value) => documentWith({}, { servers: [value] })],
    ['the variables of a server', (value) => documentWith({}, { servers: [{ url: '/{a}', variables: value }] })],
    ['a variable of a server', (value) => documentWith({}, { servers: [{ url: '/{a}', variables: { a: value } }] })],
    ['paths', (value) => ({ openapi: '3.0.0', paths: value })],
    ['a path', (value) => ({ openapi: '3.0.0', paths: { '/a': value } })],
    ['the parameters of Swagger 2.0', (value) => ({ swagger: '2.0', paths: { '/a': { post: { operationId: 'op', parameters: value } } } })],
    [
      'a field of Swagger 2.0',
      (value) => ({
        swagger: '2.0',
        paths: { '/a': { post: { operationId: 'op', parameters: [{ name: 'a', in: 'formData', type: value }] } } },
      }),
    ],
    ['the host of Swagger 2.0', (value) => ({ swagger: '2.0', host: value, paths: { '/a': { post: { operationId: 'op' } } } })],
    ['the path of Swagger 2.0', (value) => ({ swagger: '2.0', basePath: value, paths: { '/a': { post: { operationId: 'op' } } } })],
    ['the schemes of Swagger 2.0', (value) => ({ swagger: '2.0', schemes: value, paths: { '/a': { post: { operationId: 'op' } } } })],
    ['what Swagger 2.0 consumes', (value) => ({ swagger: '2.0', consumes: value, paths: { '/a': { post: { operationId: 'op' } } } })],
  ]

  test.each(places)('in the place of %s', async (_name, document) => {
    for (const value of odd) {
      const started = await startApi(document(value))
      try {
        // `failure` refuses every error that is not one of the workflow's.
        const outcomes = await Promise.allSettled([
          started.call('op'),
          started.call('op', { a: 'x' }),
          started.call('op', { body: { a: ['x'] } }),
        ])
        for (const outcome of outcomes) {
          if (outcome.status === 'fulfilled') continue
          expect(['configuration', 'validation']).toContain(kindOf(await failure(Promise.reject(outcome.reason))))
        }
      } finally {
        await started.close()
      }
    }
  })
})
