import Fastify from 'fastify'
import { Agent, request } from 'undici'

// The upper bound for the row of three calls: the same three calls in sequence behind a bare route without persistence, with either HTTP client
// of Node. Argument: the port of the called service.
const url = `http://127.0.0.1:${process.argv[2]}/`
const dispatcher = new Agent({ connections: 128, pipelining: 1 })
const headers = { 'content-type': 'application/json' }

async function byUndici(n: number): Promise<unknown> {
  const { body } = await request(url, { method: 'POST', dispatcher, headers, body: JSON.stringify({ n }) })
  return await body.json()
}

async function byFetch(n: number): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ n }) })
  return await response.json()
}

async function three(call: (n: number) => Promise<unknown>): Promise<unknown> {
  await call(1)
  await call(2)
  return await call(3)
}

const app = Fastify()
app.post('/undici', () => three(byUndici))
app.post('/fetch', () => three(byFetch))
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
process.stdout.write(`port ${typeof address === 'object' && address !== null ? address.port : 0}\n`)
process.on('SIGINT', () => process.exit(0))
