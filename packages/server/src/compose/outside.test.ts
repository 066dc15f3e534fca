import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer, type TestAccount } from '#testing/server.ts'

/** An external service that records its requests and responds with 503 as often as `busy` says. */
interface Service {
  readonly url: string
  readonly keys: string[]
  busy: number
  close(): void
}

async function startService(): Promise<Service> {
  const keys: string[] = []
  const http = createServer((request, response) => {
    keys.push(String(request.headers['idempotency-key']))
    if (service.busy > 0) {
      service.busy -= 1
      response.writeHead(503).end()
    } else response.setHeader('content-type', 'application/json').end('{"stock":7}')
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  if (address === null || typeof address === 'string') throw new Error('the service does not listen on TCP')
  const service: Service = { url: `http://127.0.0.1:${address.port}/stock`, keys, busy: 0, close: () => void http.close() }
  return service
}

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const calls = (url: string) => documentOf(`do:\n  - ask: { call: http, with: { method: get, endpoint: '${url}' } }\n`)

async function runOf(account: TestAccount, definition: string) {
  const { id } = await account.client.workflows.create({ body: { definition } })
  return account.send('POST', `/api/v1/execute/${id}/run`)
}

describe('a workflow that calls a service', () => {
  test('a workflow gets the response of a service, and its call has an idempotency key for the attempt', async () => {
    await using server = await createTestServer()
    const answer = await runOf(await server.registerAccount(), calls(service.url))
    expect([answer.status, answer.body]).toEqual([200, { stock: 7 }])
    expect(service.keys.at(-1)).toMatch(/^exec_[0-9a-z]{26}-[0-9a-f]{24}$/)
  })

  test('knows its execution by the id that the API has for it', async () => {
    await using server = await createTestServer()
    const account = await server.registerAccount()
    const { id } = await account.client.workflows.create({
      body: { definition: documentOf("do:\n  - it: { set: { id: '${ $workflow.id }' } }\n") },
    })
    const answer = await account.send('POST', `/api/v1/execute/${id}/run`)
    const execution = await account.client.workflows.execution({ params: { executionId: answer.body.id } })
    expect(execution).toMatchObject({ id: answer.body.id, output: { id: answer.body.id } })
    expect(JSON.stringify(execution)).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-7/)
  })

  test('a failed call is retried by its retry policy, each attempt with its own idempotency key', async () => {
    await using server = await createTestServer()
    service.busy = 2
    const before = service.keys.length
    const definition = documentOf(`do:
  - patient:
      try:
        - ask: { call: http, with: { method: get, endpoint: '${service.url}' } }
      catch:
        errors: { with: { status: 503 } }
        retry: { delay: { milliseconds: 5 }, limit: { attempt: { count: 5 } } }
`)
    expect((await runOf(await server.registerAccount(), definition)).body).toEqual({ stock: 7 })
    const keys = service.keys.slice(before)
    expect([keys.length, new Set(keys).size]).toEqual([3, 3])
  })

  test('a call to a private address is refused unless the operator permits it', async () => {
    await using server = await createTestServer({ MILLRACE_PRIVATE_NETWORK: '' })
    const before = service.keys.length
    const answer = await runOf(await server.registerAccount(), calls(service.url))
    expect(answer).toMatchObject({ status: 422, body: { code: 'execution_faulted' } })
    expect(service.keys.length).toBe(before)
  })
})

describe('limits of requests', () => {
  test('are counted together by the processes of one installation', async () => {
    await using server = await createTestServer({ MILLRACE_RATE_LIMIT_GLOBAL: '6/60' })
    const second = await server.startSecond()
    const statuses: number[] = []
    for (let count = 0; count < 4; count++)
      for (const url of [server.url, second.url]) statuses.push((await fetch(`${url}/api/v1/health`)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429])
  })

  test('of starting executions are tighter than those of the rest', async () => {
    await using server = await createTestServer({ MILLRACE_RATE_LIMIT_EXECUTION: '1/60' })
    const account = await server.registerAccount()
    const { id } = await account.client.workflows.create({ body: { definition: documentOf('do:\n  - a: { set: { a: 1 } }\n') } })
    const run = () => account.send('POST', `/api/v1/execute/${id}/run`)
    expect((await run()).status).toBe(200)
    const refused = await run()
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await account.send('GET', '/api/v1/workflows')).status).toBe(200)
  })
})
