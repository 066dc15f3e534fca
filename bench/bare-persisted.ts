import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'
import { Agent, request } from 'undici'
import { createBareTables, createGroupCommit } from './group-commit.ts'

// The upper bound for the rows over HTTP: the same request and reply, persisted with group commit and fsync, and nothing else. No key is checked, no
// workflow is looked up or interpreted, and the tables have one index each. Arguments: the port of the called service, and the database.
const [, , standIn = '', databaseUrl = ''] = process.argv
const lanes = 3
// The tables are empty when the statements are planned, and a plan that is cheap then would read all rows later.
const options = '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off'
const pool = new pg.Pool({ connectionString: databaseUrl, max: lanes, options })
await createBareTables(pool)
const write = createGroupCommit(pool, lanes)
const dispatcher = new Agent({ connections: 128, pipelining: 1 })
const headers = { 'content-type': 'application/json' }

async function call(n: number): Promise<string> {
  const { body } = await request(`http://127.0.0.1:${standIn}/`, { method: 'POST', dispatcher, headers, body: JSON.stringify({ n }) })
  return JSON.stringify(await body.json())
}

const app = Fastify()

// One insert for each execution, like an execution without effects.
app.post('/sets', async (received) => {
  const output = { result: 5, text: 'two!' }
  const [input, written] = [JSON.stringify(received.body), JSON.stringify(output)]
  await write([{ kind: 'execution', id: randomUUID(), state: 'completed', input, output: written }])
  return output
})

// Four commits for each execution: the result of each call is committed before the next one begins.
app.post('/calls', async (received) => {
  const id = randomUUID()
  await write([{ kind: 'execution', id, state: 'running', input: JSON.stringify(received.body), output: null }])
  for (const n of [1, 2]) await write([entryOf(id, n, await call(n))])
  const output = await call(3)
  await write([entryOf(id, 3, output), { kind: 'end', id, output }])
  return output
})

function entryOf(id: string, seq: number, value: string) {
  return { kind: 'entry', id, seq, position: `/do/${seq}/effect${seq}`, value } as const
}

await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
process.stdout.write(`port ${typeof address === 'object' && address !== null ? address.port : 0}\n`)
process.on('SIGINT', () => process.exit(0))
