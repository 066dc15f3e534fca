import { describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { parseDocument } from '#effects/openapi/document/parse-document.ts'
import type { HttpCallError } from '#effects/http/http-call-error.ts'
import { failureOf } from '#effects/http/testing-outcome.ts'
import { prepareRequest } from './prepare-request.ts'

const from = 'https://documents.test:8443/apis/v1/openapi.json?key=1'

function prepare(document: unknown, parameters: Record<string, Json> = {}, url = from) {
  const parsed = parseDocument(Buffer.from(JSON.stringify(document)), url)
  const call = {
    document: { url: new URL(url), authentication: undefined },
    operationId: 'op',
    parameters,
    authentication: undefined,
    output: 'content',
    redirect: false,
  } as const
  return prepareRequest(parsed, call, { idempotencyKey: 'key', randomId: () => 'boundary-boundary' })
}

const target = (document: unknown, parameters?: Record<string, Json>, url?: string) => prepare(document, parameters, url).url.href
const problem = (document: unknown, parameters?: Record<string, Json>): Promise<HttpCallError> =>
  failureOf((async () => prepare(document, parameters))())

const three = (more: object, path = '/things', operation: object = {}, item: object = {}) => ({
  openapi: '3.0.0',
  ...more,
  paths: { [path]: { get: { operationId: 'op', ...operation }, ...item } },
})

describe('the server of OpenAPI 3', () => {
  test.each([
    [[{ url: 'https://api.test' }], 'https://api.test/things'],
    [[{ url: 'https://api.test/' }], 'https://api.test/things'],
    [[{ url: 'https://api.test/base/' }], 'https://api.test/base/things'],
    [[{ url: 'http://api.test:81/base' }, { url: 'https://other.test' }], 'http://api.test:81/base/things'],
    [[{ url: '/base' }], 'https://documents.test:8443/base/things'],
    [[{ url: 'base' }], 'https://documents.test:8443/apis/v1/base/things'],
    [[{ url: '../v2' }], 'https://documents.test:8443/apis/v2/things'],
    [[{ url: '.' }], 'https://documents.test:8443/apis/v1/things'],
    [[{ url: '//api.test' }], 'https://api.test/things'],
    [[{ url: 'https://api.test/?tenant=1' }], 'https://api.test/things?tenant=1'],
    [[], 'https://documents.test:8443/things'],
    [undefined, 'https://documents.test:8443/things'],
    [[{}], 'https://documents.test:8443/things'],
  ])('%j leads to %s', (servers, url) => {
    expect(target(three({ servers }))).toBe(url)
  })

  test('of the operation goes before that of the path, and both before that of the document', () => {
    const servers = (host: string) => ({ servers: [{ url: `https://${host}.test` }] })
    expect(target(three(servers('document'), '/a', {}, servers('path')))).toBe('https://path.test/a')
    expect(target(three(servers('document'), '/a', servers('operation'), servers('path')))).toBe('https://operation.test/a')
    expect(target(three(servers('document'), '/a', { servers: [] }, { servers: [] }))).toBe('https://document.test/a')
  })

  const variables = {
    tenant: { default: 'demo' },
    version: { default: 'v2', enum: ['v1', 'v2'] },
    base: { default: 'a/b' },
  }
  const templated = three({ servers: [{ url: 'https://{tenant}.api.test/{base}/{version}', variables }] })

  test('has the defaults of its variables, and what the author gives', () => {
    expect(target(templated)).toBe('https://demo.api.test/a/b/v2/things')
    expect(target(templated, { 'server.tenant': 'acme', 'server.version': 'v1' })).toBe('https://acme.api.test/a/b/v1/things')
    expect(target(templated, { 'server.tenant': 7 })).toBe('https://7.api.test/a/b/v2/things')
  })

  test.each<[string, Json, string]>([
    ['tenant', 'evil.test/', 'must be made of letters'],
    ['tenant', 'evil.test#', 'must be made of letters'],
    ['tenant', 'user@evil', 'must be made of letters'],
    ['tenant', '..', 'must be made of letters'],
    ['tenant', '', 'must be made of letters'],
    ['tenant', { a: 1 }, 'must be made of letters'],
    ['base', '../secret', 'must be made of letters'],
    ['version', 'v3', 'must be one of "v1", "v2"'],
  ])('does not take %s as %j', async (name, value, reason) => {
    const error = await problem(templated, { [`server.${name}`]: value })
    expect(error.kind).toBe('validation')
    expect(error.message).toContain(`The server variable "${name}" ${reason}`)
  })

  test.each([
    ['https://{other}.test', 'has the variable "other" and does not describe it'],
    ['http://[', 'is not a URL'],
    ['ftp://api.test', 'goes to http or https'],
    ['https://user:pass@api.test', 'carries a user name or a password'],
    ['javascript:alert(1)', 'goes to http or https'],
  ])('%s is refused', async (url, reason) => {
    expect((await problem(three({ servers: [{ url }] }))).message).toContain(reason)
  })
})

describe('the server of Swagger 2.0', () => {
  const two = (more: object, operation: object = {}) => ({
    swagger: '2.0',
    ...more,
    paths: { '/things': { get: { operationId: 'op', ...operation } } },
  })

  test.each([
    [{ host: 'api.test', basePath: '/v2', schemes: ['http'] }, 'http://api.test/v2/things'],
    [{ host: 'api.test', basePath: '/v2/', schemes: ['http', 'https'] }, 'https://api.test/v2/things'],
    [{ host: 'api.test:81', schemes: ['ws', 'http'] }, 'http://api.test:81/things'],
    [{ host: 'api.test' }, 'https://api.test/things'],
    [{ host: 'api.test', schemes: [] }, 'https://api.test/things'],
    [{ basePath: '/v2' }, 'https://documents.test:8443/v2/things'],
    [{ basePath: 'v2' }, 'https://documents.test:8443/v2/things'],
    [{ basePath: '' }, 'https://documents.test:8443/things'],
    [{ schemes: ['http'] }, 'http://documents.test:8443/things'],
    [{}, 'https://documents.test:8443/things'],
  ])('%j leads to %s', (more, url) => {
    expect(target(two(more))).toBe(url)
  })

  test('is reached as the document was when it does not say how', () => {
    expect(target(two({ host: 'api.test' }), {}, 'http://documents.test/api.json')).toBe('http://api.test/things')
  })

  test('has the schemes of the operation before those of the document', () => {
    expect(target(two({ host: 'api.test', schemes: ['https'] }, { schemes: ['http'] }))).toBe('http://api.test/things')
  })

  test('that speaks neither http nor https is refused', async () => {
    const error = await problem(two({ schemes: ['ws', 'wss'] }))
    expect(error).toMatchObject({ kind: 'configuration', message: expect.stringContaining('"ws, wss"; http or https is needed') })
  })
})

describe('the path', () => {
  const servers = [{ url: 'https://api.test' }]
  const inPath = (...names: readonly string[]) => ({ parameters: names.map((name) => ({ name, in: 'path', required: true })) })
  const at = (path: string, ...names: readonly string[]) => three({ servers }, path, inPath(...names))

  test('has its parameters, each as often as it names it', () => {
    expect(target(at('/a/{x}/b/{y}.json', 'x', 'y'), { x: 1, y: 'z w' })).toBe('https://api.test/a/1/b/z%20w.json')
    expect(target(at('/{x}/{x}', 'x'), { x: 'u' })).toBe('https://api.test/u/u')
  })

  test('cannot be left by a value', () => {
    expect(target(at('/a/{x}', 'x'), { x: '../../b?c#d' })).toBe('https://api.test/a/..%2F..%2Fb%3Fc%23d')
    expect(target(at('/a/{x}', 'x'), { x: '//evil.test' })).toBe('https://api.test/a/%2F%2Fevil.test')
    expect(target(at('/a/{x}', 'x'), { x: '%2e%2e' })).toBe('https://api.test/a/%252e%252e')
    expect(target(at('/{x}', 'x'), { x: '\\evil.test' })).toBe('https://api.test/%5Cevil.test')
  })

  test.each(['.', '..'])('does not become another with the segment %s', async (x) => {
    const error = await problem(at('/a/{x}/b', 'x'), { x })
    expect(error).toMatchObject({ kind: 'validation', message: expect.stringContaining('the segment "." or ".."') })
  })

  test('does not become another with dots of two parameters', async () => {
    expect((await problem(at('/a/{x}{y}/b', 'x', 'y'), { x: '.', y: '.' })).message).toContain('the segment "." or ".."')
  })

  test.each<[Json]>([[''], [[]], [{}]])('does not become another with nothing in it: %j', async (x) => {
    expect((await problem(at('/a/{x}', 'x'), { x })).message).toContain('The path parameter "x" is empty')
  })

  test('that names a parameter which is not declared is a fault of the document', async () => {
    const error = await problem(at('/a/{x}/{y}', 'x'), { x: 1 })
    expect(error).toMatchObject({
      kind: 'configuration',
      message: expect.stringContaining('has the parameter "y" and does not describe it'),
    })
  })

  test('needs its parameters even where the document forgot to say so', async () => {
    const document = three({ servers }, '/a/{x}', { parameters: [{ name: 'x', in: 'path' }] })
    expect((await problem(document)).message).toContain('requires "x" (path)')
    expect((await problem(document, { x: null })).message).toContain('requires "x" (path)')
  })

  test('may have a query of its own, which goes before the parameters', () => {
    const document = three({ servers }, '/a?kind=b', { parameters: [{ name: 'c', in: 'query' }] })
    expect(target(document, { c: 'd' })).toBe('https://api.test/a?kind=b&c=d')
  })

  test('has no host in it, whatever the document writes', async () => {
    expect(target(three({ servers: [{ url: 'https://api.test' }] }, '//evil.test/x'))).toBe('https://api.test//evil.test/x')
    expect(target(three({ servers: [{ url: 'https://api.test' }] }, '/@evil.test'))).toBe('https://api.test/@evil.test')
  })
})

test('parameters of the query stand in the order of the document', () => {
  const parameters = ['b', 'a', 'c'].map((name) => ({ name, in: 'query' }))
  expect(target(three({ servers: [{ url: 'https://api.test' }] }, '/x', { parameters }), { a: 1, b: 2, c: null })).toBe(
    'https://api.test/x?b=2&a=1',
  )
})

test('the operation that is written in TRACE is refused', async () => {
  const document = { openapi: '3.0.0', paths: { '/a': { trace: { operationId: 'op' } } } }
  expect((await problem(document)).message).toContain('TRACE, which is not supported')
})
