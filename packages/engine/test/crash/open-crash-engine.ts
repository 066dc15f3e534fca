import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { hostname } from 'node:os'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { CompiledWorkflow } from '#core/node.ts'
import type { Lifecycle } from '#durable/lifecycle-events.ts'
import type { Engine } from '#durable/process/engine.ts'
import type { Boundary } from '#durable/ports/boundary.ts'
import type { EffectFunction } from '#durable/ports/effects.ts'
import type { HttpPort } from '#effects/http/index.ts'
import { createHttpFunction } from '#effects/http-functions.ts'
import { createScriptFunction, createScriptPool } from '#effects/script/index.ts'
import { openEngine } from '#postgres/open-engine.ts'
import { newUuid } from '#testing/uuid.ts'
import { keepCompiled } from './worker-environment.ts'
import { crashVersion } from './open-ledger-verifier.ts'

export interface CrashEngineDeps {
  readonly url: string
  /** By version. */
  readonly workflows: ReadonlyMap<string, CompiledWorkflow>
  readonly boundary: Boundary
  readonly warn: (message: string, details: unknown) => void
  /** Whether this process maintains the queue, as one process of an installation does. */
  readonly maintainsQueue: boolean
  readonly lifecycle?: Lifecycle
  /** Functions in addition to `http` and `script`. */
  readonly functions?: ReadonlyMap<string, EffectFunction>
  /** 0 for an engine that only accepts executions. */
  readonly liveMax?: number
  readonly trialMs?: number
}

export interface CrashEngine {
  readonly pool: pg.Pool
  readonly engine: Engine
  /** Shuts down in order, for a process that is not killed. */
  close(): Promise<void>
}

/** A pool with the settings that the engine requires: `json` columns are read as text. */
export function openCrashPool(url: string, onError: (error: Error) => void = () => undefined): pg.Pool {
  const types = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') => (oid === 114 ? String : pg.types.getTypeParser(oid, format ?? 'text')),
  }
  const pool = new pg.Pool({ connectionString: url, max: 8, connectionTimeoutMillis: 10_000, keepAlive: true, types })
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** Opens and starts the engine of a process that a test will kill, with the connections of a real process. */
export async function openCrashEngine(deps: CrashEngineDeps): Promise<CrashEngine> {
  const { url, workflows, boundary, warn, maintainsQueue, lifecycle, functions = new Map(), liveMax = 100, trialMs } = deps
  const pool = openCrashPool(url, (error) => warn('an idle connection broke', error))
  const boss = new PgBoss({
    connectionString: url,
    schema: 'pgboss',
    supervise: maintainsQueue,
    schedule: maintainsQueue,
    persistWarnings: false,
    max: 2,
  })
  boss.on('error', (error) => warn('the queue had an error', error))
  await boss.start()
  const names = new Map([...workflows].map(([versionId, { document }]) => [document.name, versionId]))
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
        async resolve(_accountId, { name }) {
          const versionId = names.get(name)
          return versionId === undefined ? undefined : { workflowId: versionId, versionId }
        },
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
        ['script', createScriptFunction({ pool: createScriptPool({ workersMax: 1 }) })],
        ...functions,
      ]),
      reporter: { warn },
      now: Date.now,
      newId: newUuid,
      version: crashVersion,
      host: hostname(),
      pid: process.pid,
      lives,
      boundary,
      ...(lifecycle === undefined ? {} : { lifecycle }),
    },
    { liveMax, lanes: 3, perAccountMax: 100, ...(trialMs === undefined ? {} : { trialMs }) },
  )
  await engine.work()
  keepCompiled()
  return {
    pool,
    engine,
    async close() {
      await engine.close(Date.now() + 1_000)
      await boss.stop({ graceful: false })
      await pool.end()
    },
  }
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
