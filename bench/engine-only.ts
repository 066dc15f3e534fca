import { randomBytes } from 'node:crypto'
import type { Definition } from '@millrace/dsl'
import { compileWorkflow, openEngine } from '@millrace/engine'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { parse } from 'yaml'

const definition = `
document: { dsl: '1.0.3', namespace: bench, name: effects, version: '1.0.0' }
do:
  - one: { call: http, with: { method: post, endpoint: { uri: 'http://effect/' } } }
  - two: { call: http, with: { method: post, endpoint: { uri: 'http://effect/' } } }
  - three: { call: http, with: { method: post, endpoint: { uri: 'http://effect/' } } }
`

/** Three effects that cost nothing themselves, so that what is left is the engine and its journal: how engines that journal steps are measured. */
export async function engineOnly(url: string, durationMs: number) {
  const types = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') => (oid === 114 ? String : pg.types.getTypeParser(oid, format ?? 'text')),
  }
  const pool = new pg.Pool({ connectionString: url, max: 8, types })
  const boss = new PgBoss({ connectionString: url, schema: 'pgboss', supervise: false, schedule: false, max: 2 })
  await boss.start()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written above.
  const workflow = compileWorkflow(parse(definition) as Definition)
  const accountId = uuid()
  const versionId = uuid()
  const engine = await openEngine(
    {
      pool,
      boss,
      definitions: { load: async () => workflow, resolve: async () => undefined },
      secrets: { read: async () => ({}) },
      functions: new Map([['http', async () => ({ done: true })]]),
      reporter: { warn: (message, details) => process.stderr.write(`${message} ${JSON.stringify(details)}\n`) },
      now: Date.now,
      newId: uuid,
      version: 'bench',
      host: 'bench',
      pid: process.pid,
      lives: () => true,
    },
    { liveMax: 1_000, lanes: 3, perAccountMax: 100 },
  )
  await engine.work()
  const start = { accountId, workflowId: versionId, versionId, trigger: 'manual', actor: 'system:bench', input: {} }

  async function rounds(concurrency: number): Promise<number[]> {
    const latencies: number[] = []
    const endsAt = performance.now() + durationMs
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        while (performance.now() < endsAt) {
          const begunAt = performance.now()
          const { id } = await engine.start(start)
          const end = await engine.outcome(accountId, id, 10_000)
          if (end?.state !== 'completed') throw new Error(`an execution of the bench ended ${end?.state}`)
          latencies.push(performance.now() - begunAt)
        }
      }),
    )
    return latencies.toSorted((one, other) => one - other)
  }

  await rounds(32)
  const many = await rounds(32)
  const one = await rounds(1)
  await engine.close(Date.now() + 5_000)
  await boss.stop({ graceful: false })
  await pool.end()
  return { rate: { perSecond: (many.length / durationMs) * 1000 }, medianMs: one[Math.floor(one.length / 2)] ?? Number.NaN }
}

/** A UUIDv7. */
function uuid(): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(Date.now(), 0, 6)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
