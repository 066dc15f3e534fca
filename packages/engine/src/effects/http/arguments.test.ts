import { describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { type PreparedCall, prepareCall } from './arguments.ts'

const context = { idempotencyKey: 'key', uriVariables: { id: 5 }, randomId: () => 'random' }
const prepare = (args: Json): PreparedCall => prepareCall(args, context)
const get = (more: Readonly<Record<string, Json>>): PreparedCall => prepare({ method: 'get', endpoint: 'http://h.test/', ...more })

describe('what is accepted', () => {
  test('an endpoint as a URI or as an object with a URI', () => {
    expect(get({ endpoint: 'https://h.test/{id}' }).url.href).toBe('https://h.test/5')
    expect(get({ endpoint: { uri: 'https://h.test/{id}' } }).url.href).toBe('https://h.test/5')
  })

  test('the policy of the endpoint, and null for none', () => {
    expect(get({ endpoint: { uri: 'http://h.test/', authentication: { use: 'a' } } }).authentication).toEqual({ use: 'a' })
    expect(get({ endpoint: { uri: 'http://h.test/', authentication: null } }).authentication).toBeUndefined()
  })

  test.each([['get'], ['GET'], ['Get']])('the method %s, kept as it was written', (method) => {
    expect(get({ method })).toMatchObject({ method: 'GET', writtenMethod: method })
  })

  test('null for every optional argument, as absent', () => {
    expect(get({ headers: null, query: null, body: null, output: null, redirect: null })).toMatchObject({
      output: 'content',
      redirect: false,
      body: undefined,
      headers: { accept: '*/*', 'user-agent': 'millrace', 'idempotency-key': 'key' },
    })
  })

  test('the fragment of an address is not sent', () => {
    expect(get({ endpoint: 'http://h.test/a#part' }).url.href).toBe('http://h.test/a')
  })

  test('a type without a body is sent, as some servers want', () => {
    expect(get({ headers: { 'Content-Type': 'application/json' } }).headers['content-type']).toBe('application/json')
  })

  test('the type of a multipart body gets its boundary', () => {
    const call = get({ method: 'post', headers: { 'content-type': 'multipart/form-data' }, body: { a: 1 } })
    expect(call.headers['content-type']).toBe('multipart/form-data; boundary=random')
  })

  test('the type of a body can be suppressed', () => {
    expect(get({ method: 'post', headers: { 'content-type': null }, body: 'x' }).headers).not.toHaveProperty('content-type')
  })
})

describe('invalid arguments and their errors', () => {
  test.each<[Json, string]>([
    [null, 'must be an object'],
    ['get', 'must be an object'],
    [{ endpoint: 'http://h.test/' }, '"method" is missing'],
    [{ method: 'get' }, '"endpoint" must be a URI'],
    [{ method: 'get', endpoint: 7 }, '"endpoint" must be a URI'],
    [{ method: 'get', endpoint: {} }, '"endpoint.uri" must be a URI'],
    [{ method: 'get', endpoint: { uri: 'http://h.test/', auth: {} } }, 'An endpoint has no property "auth"'],
    [{ method: 'get', endpoint: 'http://h.test/', timeout: 5 }, 'has no argument "timeout"'],
  ])('%j', (args, message) => {
    expect(() => prepare(args)).toThrow(message)
  })

  test.each(['', 'CONNECT', 'TRACE', 'get\r\n', 'GET /x', 'purge'])('the method %j', (method) => {
    expect(() => get({ method })).toThrow(`The method ${JSON.stringify(method)} is not supported`)
  })

  test.each(['', 'h.test/path', '/path', '//h.test/', 'http://', 'http://[::1', 'http://h .test/', 'http://h.test:99999/'])(
    'the address %j',
    (endpoint) => {
      expect(() => get({ endpoint })).toThrow(`${JSON.stringify(endpoint)} is not an absolute URL`)
    },
  )

  test.each([
    ['file:///etc/passwd', 'file'],
    ['ftp://h.test/', 'ftp'],
    ['gopher://h.test/', 'gopher'],
    ['javascript:alert(1)', 'javascript'],
    ['data:text/plain,x', 'data'],
    ['ws://h.test/', 'ws'],
  ])('the scheme of %s', (endpoint, scheme) => {
    expect(() => get({ endpoint })).toThrow(`not to "${scheme}"`)
  })

  test.each(['http://user@h.test/', 'http://user:password@h.test/', 'http://:password@h.test/'])(
    'credentials in %s, without repeating them',
    (endpoint) => {
      expect(() => get({ endpoint })).toThrow('give them as "endpoint.authentication"')
      expect(() => get({ endpoint })).not.toThrow('password@')
    },
  )

  test.each([['json'], [true], [{}]])('the output %j', (output) => {
    expect(() => get({ output })).toThrow('"output" must be raw, content or response')
  })

  test.each([['yes'], [1], [{}]])('the redirect %j', (redirect) => {
    expect(() => get({ redirect })).toThrow('"redirect" must be true or false')
  })
})
