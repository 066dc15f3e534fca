import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { request } from 'node:http'
import { hostname } from 'node:os'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { Boundary } from '#durable/ports.ts'
import type { HttpPort } from '#effects/http/index.ts'
import { createHttpFunction } from '#effects/http-functions.ts'
import { openEngine } from '#postgres/open-engine.ts'
import { newUuid } from '#testing/uuid.ts'
import { crashWorkflows, versionIds } from './definitions.ts'

/**
 * A process of a crash test. Starts executions when told to, runs whatever there is, and dies by SIGKILL at the boundary that it was given.
 * Arguments: connection string, ledger, number of the boundary (0: none), executions to start, account.
 * Says `ACK id` for each execution that was acknowledged, `IDLE` when nothing is left to run.
 */
const [url = '', ledger = '', killAt = '0', count = '0', accountId = randomUUID()] = process.argv.slice(2)

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => (oid === 114 ? String : pg.types.getTypeParser(oid, format ?? 'text')),
}
const pool = new pg.Pool({ connectionString: url, max: 8, types })
const boss = new PgBoss({ connectionString: url, schema: 'pgboss', supervise: false, schedule: false, max: 2 })
boss.on('error', (error) => say(`BOSS ${error.message}`))
await boss.start()

let passed = 0
const boundary: Boundary = () => {
  passed += 1
  if (passed === Number(killAt)) process.kill(process.pid, 'SIGKILL')
}

const workflows = crashWorkflows()
const engine = await openEngine(
  {
    pool,
    boss,
    definitions: {
      async load(_accountId, versionId) {
        const workflow = workflows.get(versionId)
        if (workflow === undefined) throw new Error(`no version ${versionId}`)
        return workflow
      },
      resolve: async (_accountId, { name }) =>
        name === 'child' ? { workflowId: versionIds.child, versionId: versionIds.child } : undefined,
    },
    secrets: { read: async () => ({}) },
    functions: new Map([
      [
        'http',
        createHttpFunction({
          http: plainHttp(),
          clock: Date.now,
          randomId: randomUUID,
          limits: { timeoutMs: 10_000, maxResponseBytes: 1_000_000 },
        }),
      ],
    ]),
    reporter: {
      warn: (message, details) =>
        say(`WARN ${message} ${JSON.stringify(details, (_key, value: unknown) => (value instanceof Error ? value.stack : value))}`),
    },
    now: Date.now,
    newId: newUuid,
    version: 'crash',
    host: hostname(),
    pid: process.pid,
    lives,
    boundary,
  },
  { liveMax: 100, lanes: 3, perAccountMax: 100 },
)
await engine.work()
const start = {
  accountId,
  workflowId: versionIds.main,
  versionId: versionIds.main,
  trigger: 'manual',
  actor: 'system:crash',
  input: { ledger },
}
for (let index = 0; index < Number(count); index++) {
  // One after the other, so that the boundaries come in the same order in every process.
  say(`ACK ${(await engine.start(start)).id}`)
}
setInterval(() => void sayWhenIdle(), 50)
setInterval(() => void answer(), 50)

/** Answers what is asked, by as many processes as there are; who dies after it has answered may not have said so. */
async function answer(): Promise<void> {
  const { rows } = await pool.query<{ account_id: string; execution_id: string; position: string; arguments: string }>(
    `select account_id, execution_id, position, arguments from waits where topic = 'ask'`,
  )
  for (const row of rows) {
    const asked: unknown = JSON.parse(row.arguments)
    const question = typeof asked === 'object' && asked !== null && 'question' in asked ? String(asked.question) : ''
    const delivery = { accountId: row.account_id, executionId: row.execution_id, position: row.position, topic: 'ask' }
    await engine.deliver({ ...delivery, value: { answer: question } })
  }
}

async function sayWhenIdle(): Promise<void> {
  const { rows } = await pool.query<{ left: number }>(
    `select count(*)::int as left from executions where state not in ('completed', 'faulted', 'cancelled')`,
  )
  if (rows[0]?.left === 0) say(`IDLE ${passed}`)
}

function say(line: string): void {
  writeSync(1, `${line}\n`)
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function plainHttp(): HttpPort {
  return {
    request({ method, url: target, headers, body }, signal) {
      return new Promise((resolve, reject) => {
        const sent = request(target, { method, headers, signal }, (reply) => {
          const chunks: Buffer[] = []
          reply.on('data', (chunk: Buffer) => chunks.push(chunk))
          reply.on('error', reject)
          reply.on('end', () =>
            resolve({
              status: reply.statusCode ?? 0,
              headers: { 'content-type': String(reply.headers['content-type']) },
              body: Buffer.concat(chunks),
              url: target,
            }),
          )
        })
        sent.on('error', reject)
        sent.end(body)
      })
    },
  }
}
