import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let service: Server
let server: TestServer
beforeAll(async () => {
  service = createServer((_request, response) => response.writeHead(500).end('the stock of ada@example.com is unknown'))
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  server = await createTestServer()
})
afterAll(async () => {
  await server.close()
  service.close()
})

function address(): string {
  const bound = service.address()
  return typeof bound === 'object' && bound !== null ? `http://127.0.0.1:${bound.port}` : ''
}

async function run(account: TestAccount, body: string): Promise<string> {
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(body) } })
  return (await account.send('POST', `/api/v1/workflows/${id}/execute`, {}, { prefer: 'wait=20' })).body.id
}

const logOf = (account: TestAccount, executionId: string, position: string) =>
  account.client.executions.attemptLog({ params: { executionId }, query: { position } })

const script = (code: string) => `do:
  - work:
      run: { script: { language: js, code: '${code}' }, return: code }
`

test('what a script writes is its log, of which the last 64 KB are kept', async () => {
  const account = await server.registerAccount()
  const id = await run(account, script('console.log("one"); console.error("two")'))
  await expect.poll(() => logOf(account, id, '/do/0/work')).toMatchObject({ text: 'one\ntwo\n', truncated: false })
  const long = await run(account, script('console.log("x".repeat(100000) + "end")'))
  await expect.poll(async () => (await logOf(account, long, '/do/0/work')).truncated).toBe(true)
  const { text } = await logOf(account, long, '/do/0/work')
  expect([text?.length, text?.endsWith('xend\n')]).toEqual([65_536, true])
  expect(await logOf(account, long, '/do/0/other')).toEqual({ position: null, text: null, truncated: false, at: null })
  expect(await account.client.executions.attemptLog({ params: { executionId: id } })).toMatchObject({
    position: '/do/0/work',
    text: 'one\ntwo\n',
  })
})

test('each failed attempt has the request and the reply of the service, as the privacy policies leave them', async () => {
  const account = await server.registerAccount()
  const stated = { purpose: 'Orders', legalBasis: 'contract', retention: 'P90D' } as const
  await account.client.privacy.putPolicy({ body: { ...stated, point: 'journal', action: 'redact', kinds: ['email'] } })
  const id = await run(
    account,
    `do:
  - get:
      try: [{ ask: { call: http, with: { method: get, endpoint: '${address()}/stock?key=hush' } } }]
      catch: { retry: { limit: { attempt: { count: 1 } } } }
`,
  )
  const { timeline } = await account.client.workflows.execution({ params: { executionId: id }, query: { task: '/do/0/get/try/0/ask' } })
  expect(timeline).toHaveLength(2)
  for (const { position } of timeline) {
    await expect.poll(async () => (await logOf(account, id, position)).text).not.toBeNull()
    const { text } = await logOf(account, id, position)
    expect(text).toMatch(/GET http:\/\/127\.0\.0\.1:\d+\/stock: 500\nthe stock of <EMAIL> is unknown\n/)
    expect(text).not.toContain('hush')
  }
  const other = await server.registerAccount()
  await expect(logOf(other, id, timeline[0]?.position ?? '')).rejects.toMatchObject({ status: 404 })
})
