import { afterAll, beforeAll, expect, test } from 'vitest'
import { callHttp } from './call-http.ts'
import { sendJson, startServer, type TestServer } from './testing-server.ts'
import { testContext } from './testing-context.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer((request, response) => {
    if (request.url.startsWith('/pets')) sendJson(response, 200, { url: request.url })
    else sendJson(response, 404, { error: 'no such thing' })
  })
})

afterAll(() => server.close())

test('the content of a JSON reply is the output', async () => {
  const output = await callHttp({ method: 'get', endpoint: `${server.origin}/pets/{id}` }, testContext({ uriVariables: { id: 7 } }))
  expect(output).toEqual({ url: '/pets/7' })
})

test('basic credentials reach the server', async () => {
  const endpoint = { uri: `${server.origin}/pets`, authentication: { basic: { username: 'ann', password: 'søren' } } }
  await callHttp({ method: 'get', endpoint }, testContext())
  expect(server.received.at(-1)?.headers.authorization).toBe(`Basic ${Buffer.from('ann:søren').toString('base64')}`)
})
