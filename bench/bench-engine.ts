import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import type { Definition } from '@millrace/dsl'
import { compileWorkflow, type Engine, type EffectFunction, openEngine } from '@millrace/engine'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { parse } from 'yaml'

export interface BenchEngine {
  readonly engine: Engine
  readonly pool: pg.Pool
  readonly accountId: string
  /** Starts one of the definitions. */
  start(name: string, input?: object): Promise<string>
  close(): Promise<void>
}

export interface BenchEngineOptions {
  /** YAML without `document`, by name. */
  readonly definitions: Readonly<Record<string, string>>
  readonly functions?: Readonly<Record<string, EffectFunction>>
  readonly liveMax?: number
}

/** An engine on a database without a server. The id of a version is the name of its definition. */
export async function openBenchEngine(url: string, options: BenchEngineOptions): Promise<BenchEngine> {
  const types = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') => (oid === 114 ? String : pg.types.getTypeParser(oid, format ?? 'text')),
  }
  const pool = new pg.Pool({ connectionString: url, max: 8, types })
  const boss = new PgBoss({ connectionString: url, schema: 'pgboss', supervise: false, schedule: false, max: 2 })
  // While the database stops, idle connections end in any way.
  pool.on('error', () => undefined)
  boss.on('error', () => undefined)
  await boss.start()
  const names = Object.keys(options.definitions)
  const compiled = Object.entries(options.definitions).map(([name, text]) => {
    const document = { dsl: '1.0.3', namespace: 'bench', name, version: '1.0.0' }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written by the bench.
    return compileWorkflow({ document, ...parse(text) } as Definition)
  })
  const versionOf = (name: string) => `00000000-0000-7000-8000-${String(names.indexOf(name)).padStart(12, '0')}`
  const byVersion = new Map(names.map((name, index) => [versionOf(name), compiled[index]]))
  const accountId = '00000000-0000-7000-8000-00000000ace0'
  const engine = await openEngine(
    {
      pool,
      boss,
      definitions: {
        async load(_accountId, versionId) {
          const found = byVersion.get(versionId)
          if (found === undefined) throw new Error(`no definition ${versionId}`)
          return found
        },
        resolve: async () => undefined,
      },
      secrets: { read: async () => ({}) },
      functions: new Map(Object.entries(options.functions ?? {})),
      reporter: { warn: (message, details) => process.stderr.write(`${message} ${inspect(details)}\n`) },
      now: Date.now,
      newId: uuid,
      version: 'bench',
      // The engines of one process need different pids, like those of several processes.
      host: `bench-${uuid()}`,
      pid: process.pid,
      lives: () => true,
    },
    { liveMax: options.liveMax ?? 1_000, lanes: 3, perAccountMax: 100_000 },
  )
  await engine.work()
  return {
    engine,
    pool,
    accountId,
    async start(name, input = {}) {
      const versionId = versionOf(name)
      const request = { accountId, workflowId: versionId, versionId, trigger: 'manual', actor: 'system:bench' }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Input of the bench is JSON.
      return (await engine.start({ ...request, input: input as never })).id
    },
    async close() {
      await engine.close(Date.now() + 5_000)
      await boss.stop({ graceful: false })
      await pool.end()
    },
  }
}

/** A UUIDv7. */
export function uuid(): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(Date.now(), 0, 6)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
