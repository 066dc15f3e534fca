import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callHttp } from './call-http.ts'
import { startServer, type TestServer } from './testing-server.ts'
import { testContext } from './testing-context.ts'
import { failureOf } from './testing-outcome.ts'

// The excerpt of an error response in the error of the call.

let server: TestServer
let answer: (response: ServerResponse) => void

beforeAll(async () => {
  server = await startServer((_, response) => answer(response))
})

afterAll(() => server.close())

async function detailOf(status: number, headers: Readonly<Record<string, string>>, body: string | Buffer): Promise<string> {
  answer = (response) => response.writeHead(status, headers).end(body)
  const failure = await failureOf(callHttp({ method: 'delete', endpoint: `${server.origin}/thing?key=hidden` }, testContext()))
  expect(failure.error.status).toBe(status)
  return (failure.error.detail ?? '').replace(server.origin, '')
}

describe('the detail of an error', () => {
  test.each([
    [404, { 'content-type': 'application/json' }, '{"message":"gone"}', 'DELETE /thing?key=*** answered 404. It says: {"message":"gone"}'],
    [400, { 'content-type': 'application/problem+json' }, '{}', 'DELETE /thing?key=*** answered 400. It says: {}'],
    [500, { 'content-type': 'text/plain' }, '\n  oh no \n', 'DELETE /thing?key=*** answered 500. It says: oh no'],
    [500, { 'content-type': 'text/plain' }, '   ', 'DELETE /thing?key=*** answered 500.'],
    [500, { 'content-type': 'text/plain' }, '', 'DELETE /thing?key=*** answered 500.'],
    [500, {}, 'unlabelled', 'DELETE /thing?key=*** answered 500.'],
    [500, { 'content-type': 'application/octet-stream' }, 'binary', 'DELETE /thing?key=*** answered 500.'],
    [429, { 'retry-after': '0' }, '', 'DELETE /thing?key=*** answered 429. It asks to retry after 0 s.'],
    [429, { 'retry-after': '1.2' }, '', 'DELETE /thing?key=*** answered 429. It asks to retry after 2 s.'],
    [429, { 'retry-after': 'soon' }, '', 'DELETE /thing?key=*** answered 429.'],
  ])('%d with %j and %j', async (status, headers, body, expected) => {
    expect(await detailOf(status, headers, body)).toBe(expected)
  })

  test('has the charset of the reply', async () => {
    const body = Buffer.from('über', 'latin1')
    expect(await detailOf(500, { 'content-type': 'text/plain; charset=iso-8859-1' }, body)).toContain('It says: über')
  })

  test('has five hundred characters of the reply at most, and says that there were more', async () => {
    const headers = { 'content-type': 'text/plain' }
    expect(await detailOf(500, headers, 'x'.repeat(500))).toBe(`DELETE /thing?key=*** answered 500. It says: ${'x'.repeat(500)}`)
    expect(await detailOf(500, headers, 'x'.repeat(501))).toBe(`DELETE /thing?key=*** answered 500. It says: ${'x'.repeat(500)}…`)
    expect(await detailOf(500, headers, 'x'.repeat(900_000))).toHaveLength(546)
  })

  test('has no values of credentials from the query', async () => {
    expect(await detailOf(500, {}, '')).not.toContain('hidden')
  })
})

describe('the title of an error', () => {
  test.each([
    [402, 'Payment Required'],
    [418, "I'm a Teapot"],
    [503, 'Service Unavailable'],
    [599, 'Communication error'],
  ])('%d is %s', async (status, title) => {
    answer = (response) => response.writeHead(status).end()
    const failure = await failureOf(callHttp({ method: 'get', endpoint: server.origin }, testContext()))
    expect(failure.error).toMatchObject({ status, title })
  })
})
