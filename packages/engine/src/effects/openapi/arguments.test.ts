import { describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { failureOf } from '#effects/http/testing-outcome.ts'
import { parseArguments } from './arguments.ts'

const least = { document: { endpoint: 'https://documents.test/api.json' }, operationId: 'op' }
const parse = (args: Json, uriVariables: Json = {}) => parseArguments(args, { uriVariables })

test('the least that a call has', () => {
  expect(parse(least)).toEqual({
    document: { url: new URL('https://documents.test/api.json'), authentication: undefined },
    operationId: 'op',
    parameters: {},
    authentication: undefined,
    output: 'content',
    redirect: false,
  })
})

test('all that a call can have', () => {
  const basic = { basic: { username: 'u', password: 'p' } }
  const bearer = { bearer: { token: 't' } }
  const document = { name: 'api', endpoint: { uri: 'https://documents.test/{file}', authentication: basic } }
  const call = { document, operationId: 'op', parameters: { a: 1 }, authentication: bearer, output: 'raw', redirect: true }
  expect(parse(call, { file: 'a b.json' })).toEqual({
    document: { url: new URL('https://documents.test/a%20b.json'), authentication: basic },
    operationId: 'op',
    parameters: { a: 1 },
    authentication: bearer,
    output: 'raw',
    redirect: true,
  })
})

test('null is the same as nothing', () => {
  expect(parse({ ...least, parameters: null, authentication: null, output: null, redirect: null })).toEqual(parse(least))
})

describe('what is wrong is named', () => {
  test.each<[Json, string]>([
    ['text', 'must be an object'],
    [null, 'must be an object'],
    [{ ...least, operation: 'x' }, 'An OpenAPI call has no property "operation"; it has document, operationId, parameters'],
    [{ document: least.document }, '"operationId" is missing'],
    [{ ...least, operationId: '' }, '"operationId" is missing'],
    [{ ...least, operationId: 7 }, '"operationId" is missing'],
    [{ ...least, parameters: [1] }, '"parameters" must be an object'],
    [{ ...least, parameters: 'a=1' }, '"parameters" must be an object'],
    [{ operationId: 'op' }, '"document" must be an object'],
    [{ ...least, document: 'https://documents.test' }, '"document" must be an object'],
    [{ ...least, document: { uri: 'https://documents.test' } }, '"document" has no property "uri"; it has endpoint, name'],
    [{ ...least, document: {} }, '"endpoint" must be a URI'],
    [{ ...least, document: { endpoint: { url: 'x' } } }, 'An endpoint has no property "url"'],
    [{ ...least, document: { endpoint: 'api.json' } }, 'is not an absolute URL'],
    [{ ...least, document: { endpoint: 'file:///etc/passwd' } }, 'goes to http or https'],
    [{ ...least, document: { endpoint: 'https://u:p@documents.test/' } }, 'carries a user name or a password'],
    [{ ...least, output: 'json' }, '"output" must be raw, content or response'],
    [{ ...least, redirect: 'yes' }, '"redirect" must be true or false'],
  ])('in %j', async (args, reason) => {
    const error = await failureOf((async () => parse(args))())
    expect(error.kind).toBe('validation')
    expect(error.message).toContain(reason)
  })
})
