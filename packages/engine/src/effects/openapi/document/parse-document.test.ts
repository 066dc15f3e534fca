import { describe, expect, test } from 'vitest'
import { failureOf } from '#effects/http/testing-outcome.ts'
import { parseDocument } from './parse-document.ts'

const url = 'https://documents.test/api.json?key=hidden'
const parse = (text: string | Uint8Array) => parseDocument(typeof text === 'string' ? Buffer.from(text) : text, url)
const problem = (text: string) => failureOf((async () => parse(text))())

describe('the version', () => {
  test.each([
    ['{ "swagger": "2.0" }', 2],
    ['swagger: "2.0"', 2],
    ['swagger: 2.0', 2],
    ['{ "openapi": "3.0.0" }', 3],
    ['openapi: 3.0.4', 3],
    ['openapi: 3.1.1', 3],
    ['openapi: 3.2.0', 3],
    ['{ openapi: 3.1.0 }', 3],
  ])('of %s is %s', (text, version) => {
    expect(parse(text).version).toBe(version)
  })

  test.each([
    ['{ "swagger": "1.2" }', 'it is of version'],
    ['openapi: 4.0.0', 'it is of version'],
    ['openapi: 3', 'it is of version'],
    ['openapi: null', 'it is of version'],
    ['{}', 'it has neither "openapi" nor "swagger"'],
    ['{ "asyncapi": "2.0.0" }', 'it has neither "openapi" nor "swagger"'],
  ])('of %s is refused: %s', async (text, reason) => {
    const error = await problem(text)
    expect(error.kind).toBe('configuration')
    expect(error.message).toContain(`https://documents.test/api.json is not an OpenAPI document that can be used: ${reason}`)
  })
})

test('the query of the address is no part of a message: keys hide there', async () => {
  expect((await problem('{}')).message).not.toContain('hidden')
})

describe('what is no document is refused', () => {
  test.each([
    ['', 'it is not an object'],
    ['just text', 'it is not an object'],
    ['[1, 2]', 'it is not an object'],
    ['<!doctype html><html><body>Sign in</body></html>', 'it is not an object'],
    ['{ "openapi": "3.0.0", ', 'it is neither JSON nor YAML'],
    ['openapi: 3.0.0\n\tpaths: x', 'it is neither JSON nor YAML that can be read (line 2'],
    ['openapi: !!js/function "x"', 'it is neither JSON nor YAML'],
    ['a: 1\na: 2', 'it is neither JSON nor YAML'],
    ['openapi: 3.0.0\n---\nopenapi: 3.0.0', 'it is neither JSON nor YAML'],
  ])('%j', async (text, reason) => {
    expect((await problem(text)).message).toContain(reason)
  })
})

test('a byte order mark is no part of it', () => {
  expect(parse('\uFEFF{ "openapi": "3.0.0" }').version).toBe(3)
  expect(parse('\uFEFFopenapi: 3.0.0').version).toBe(3)
})

test('status codes are keys without quotes in most documents of YAML', () => {
  const text = 'openapi: 3.0.0\npaths:\n  /a:\n    get:\n      operationId: a\n      responses:\n        200:\n          description: x\n'
  expect(parse(text).operations.get('a')?.[0]?.operation).toEqual({ operationId: 'a', responses: { '200': { description: 'x' } } })
})

describe('a hostile document costs little and is refused', () => {
  test.each([
    ['deep JSON', `{"openapi":"3.0.0","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'more than 200 levels'],
    ['deep JSON of objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 'more than 200 levels'],
    ['deep flow of YAML', `openapi: ${'['.repeat(10_000)}`, 'neither JSON nor YAML'],
    ['deep blocks of YAML', Array.from({ length: 300 }, (_, level) => `${' '.repeat(level)}a:`).join('\n'), 'neither JSON nor YAML'],
    [
      'aliases of aliases',
      `a: &a [x,x,x,x,x,x,x,x,x,x]\n${[...'bcdefgh'].map((name, index) => `${name}: &${name} [${Array.from({ length: 10 }, () => `*${'abcdefg'[index]}`).join(',')}]`).join('\n')}\nopenapi: 3.0.0`,
      'neither JSON nor YAML',
    ],
    ['very long YAML', `openapi: 3.0.0\nx: ${'y'.repeat(2_000_001)}`, 'neither JSON nor YAML'],
  ])('%s', async (_name, text, reason) => {
    expect((await problem(text)).message).toContain(reason)
  })
})

test('a key __proto__ changes no object', () => {
  const document = parse('{ "openapi": "3.0.0", "__proto__": { "polluted": true }, "paths": { "__proto__": { "get": {} } } }')
  expect(document.version).toBe(3)
  expect(Object.hasOwn({}, 'polluted')).toBe(false)
  expect('polluted' in {}).toBe(false)
})

describe('operations', () => {
  const withPaths = (paths: unknown, more = {}) => parse(JSON.stringify({ openapi: '3.0.0', paths, ...more }))

  test('are found under every method, and nowhere else', () => {
    const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
    const item = Object.fromEntries([...methods, 'x-get', 'GET', 'parameters'].map((name) => [name, { operationId: name }]))
    expect([...withPaths({ '/a': item }).operations.keys()].toSorted()).toEqual(methods.toSorted())
  })

  test('entries without a path or an id are not operations', () => {
    const get = { operationId: 'x' }
    const paths = {
      'x-path': { get },
      relative: { get },
      '/a': { get: {} },
      '/b': { get: { operationId: 1 } },
      '/c': null,
      '/d': { get: null },
    }
    expect(withPaths(paths).operations.size).toBe(0)
  })

  test('of a path that refers to another are those of both', () => {
    const document = withPaths(
      { '/a': { $ref: '#/components/pathItems/A', post: { operationId: 'own' } } },
      { components: { pathItems: { A: { get: { operationId: 'referred' } } } } },
    )
    expect([...document.operations.keys()].toSorted()).toEqual(['own', 'referred'])
  })

  test('of a path that cannot be resolved hide no others', () => {
    const document = withPaths({ '/a': { $ref: 'other.yaml' }, '/b': { $ref: '#/paths/~1b' }, '/c': { get: { operationId: 'c' } } })
    expect([...document.operations.keys()]).toEqual(['c'])
    expect(document.unresolvedPaths).toEqual(['/a', '/b'])
  })

  test('may be called what objects inherit', () => {
    expect(withPaths({ '/a': { get: { operationId: 'constructor' } } }).operations.get('constructor')).toHaveLength(1)
    expect(withPaths({}).operations.get('constructor')).toBeUndefined()
  })

  test.each([[undefined], [null], [[]], ['text']])('a document whose paths are %j has no operations', (paths) => {
    expect(withPaths(paths).operations.size).toBe(0)
  })
})
