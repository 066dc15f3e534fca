import { afterEach, expect, test } from 'vitest'
import { createGuardedFetch, type GuardedFetch, type GuardedFetchOptions, type OutgoingRequest } from './guarded-fetch.ts'
import { startServer, type TestServer } from './testing-server.ts'

const opened: { close(): Promise<void> }[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()))
})

function openFetch(options: Partial<GuardedFetchOptions> = {}): GuardedFetch {
  const net = createGuardedFetch({ allow: ['127.0.0.0/8'], ...options })
  opened.push(net)
  return net
}

async function serve(...args: Parameters<typeof startServer>): Promise<TestServer> {
  const server = await startServer(...args)
  opened.push(server)
  return server
}

function get(url: string, more: Partial<OutgoingRequest> = {}): OutgoingRequest {
  return { method: 'GET', url, headers: {}, followRedirects: false, timeoutMs: 5_000, maxResponseBytes: 100_000, ...more }
}

const never = new AbortController().signal

test('a loopback address is refused before anything is connected to', async () => {
  const server = await serve((_, response) => response.end())
  await expect(openFetch({ allow: [] }).request(get(server.origin), never)).rejects.toMatchObject({ reason: 'denied' })
  expect(server.connections()).toBe(0)
})

test('what the operator allows is reached', async () => {
  const server = await serve((request, response) => response.writeHead(201, { 'x-seen': request.method ?? '' }).end('hello'))
  const reply = await openFetch().request(get(server.origin), never)
  expect(reply).toMatchObject({ status: 201, url: `${server.origin}/`, headers: { 'x-seen': 'GET' } })
  expect(Buffer.from(reply.body).toString()).toBe('hello')
})
