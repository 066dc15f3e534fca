import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import type { Definition } from '@millrace/dsl'
import { compileWorkflow, openEngine } from '@millrace/engine'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { parse } from 'yaml'

const head = (name: string) => `document: { dsl: '1.0.3', namespace: bench, name: ${name}, version: '1.0.0' }`
const about = (name: string, expect: string) => `correlate: { ${name}: { from: .data.${name}, expect: '\${ ${expect} }' } }`
const mark = (name: string) =>
  `{ mark: { call: http, with: { method: post, endpoint: { uri: 'http://mark/' }, body: { name: '\${ ${name} }' } } } }`

const definitions = {
  /** Waits for the one event that is about its order, and says that it came. */
  waits: `${head('waits')}
do:
  - paid: { listen: { to: { one: { with: { type: bench.paid }, ${about('order', '.order')} } } } }
  - ${mark('.[0].order')}
`,
  /** Waits for one that came before. */
  finds: `${head('finds')}
do:
  - sent: { listen: { to: { one: { with: { type: bench.sent }, ${about('order', '.order')} } } } }
  - ${mark('.[0].order')}
`,
  /** Says something and waits for the answer, again and again. */
  pings: `${head('pings')}
do:
  - remember: { set: '\${ . }', export: { as: '.' } }
  - rounds:
      for: { each: round, in: '\${ [range($context.rounds)] }' }
      do:
        - ping: { emit: { event: { with: { type: bench.ping, source: /bench, data: { pair: '\${ $context.pair }' } } } } }
        - pong: { input: { from: $context }, listen: { to: { one: { with: { type: bench.pong }, ${about('pair', '.pair')} } } } }
  - ${mark('$context.pair')}
`,
  pongs: `${head('pongs')}
do:
  - remember: { set: '\${ . }', export: { as: '.' } }
  - rounds:
      for: { each: round, in: '\${ [range($context.rounds)] }' }
      do:
        - ping: { input: { from: $context }, listen: { to: { one: { with: { type: bench.ping }, ${about('pair', '.pair')} } } } }
        - pong: { emit: { event: { with: { type: bench.pong, source: /bench, data: { pair: '\${ $context.pair }' } } } } }
`,
} as const

export type BenchWorkflow = keyof typeof definitions

export interface EventsEngineOptions {
  /** Told of the name that an execution marks. */
  readonly onMark: (name: string) => void
  readonly liveMax?: number
}

/** An engine on a database, as one process has it, with workflows that wait for events. */
export async function openEventsEngine(url: string, accountId: string, { onMark, liveMax = 1_000 }: EventsEngineOptions) {
  const pool = openPool(url)
  const boss = new PgBoss({ connectionString: url, schema: 'pgboss', supervise: false, schedule: false, max: 2 })
  boss.on('error', () => undefined)
  await boss.start()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written above.
  const compiled = new Map(Object.entries(definitions).map(([name, yaml]) => [idOf(name), compileWorkflow(parse(yaml) as Definition)]))
  const engine = await openEngine(
    {
      pool,
      boss,
      definitions: {
        async load(_accountId, versionId) {
          const workflow = compiled.get(versionId)
          if (workflow === undefined) throw new Error(`no version ${versionId}`)
          return workflow
        },
        resolve: async () => undefined,
      },
      secrets: { read: async () => ({}) },
      functions: new Map([
        [
          'http',
          async ({ arguments: given }: { readonly arguments: unknown }) => {
            onMark(nameIn(given))
            return null
          },
        ],
      ]),
      reporter: { warn: (message, details) => process.stderr.write(`${message} ${inspect(details)}\n`) },
      now: Date.now,
      newId: uuid,
      version: 'bench',
      host: `bench-${process.pid}-${uuid()}`,
      pid: process.pid,
      lives: () => true,
    },
    { liveMax, lanes: 3, perAccountMax: 100_000 },
  )
  await engine.work()
  return {
    engine,
    start: (name: BenchWorkflow, input: Parameters<typeof engine.start>[0]['input']) =>
      engine.start({ accountId, workflowId: idOf(name), versionId: idOf(name), trigger: 'manual', actor: 'system:bench', input }),
    async close() {
      await engine.close(Date.now() + 5_000)
      await boss.stop({ graceful: false })
      await pool.end()
    },
  }
}

/** `json` columns come as text, as the engine wants them. */
export function openPool(url: string): pg.Pool {
  const types = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') => (oid === 114 ? String : pg.types.getTypeParser(oid, format ?? 'text')),
  }
  const pool = new pg.Pool({ connectionString: url, max: 8, types })
  // The database may go first.
  pool.on('error', () => undefined)
  return pool
}

function nameIn(given: unknown): string {
  const body = typeof given === 'object' && given !== null && 'body' in given ? given.body : undefined
  return typeof body === 'object' && body !== null && 'name' in body ? String(body.name) : ''
}

/** The same for the same name. */
function idOf(name: string): string {
  return `01900000-0000-7000-8000-${Buffer.from(name.padEnd(6).slice(0, 6)).toString('hex')}`
}

/** A UUIDv7. */
export function uuid(): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(Date.now(), 0, 6)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
