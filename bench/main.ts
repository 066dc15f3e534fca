import { cpus } from 'node:os'
import { bareInserts } from './bare-inserts.ts'
import { startChild } from './child.ts'
import { engineOnly } from './engine-only.ts'
import { load, type LoadResult } from './load.ts'
import { startBenchServer } from './server.ts'
import { startThrowawayDatabase } from './throwaway-database.ts'

/** `npm run bench [seconds]`: the first rows of the design's speed table, each beside a bare loop measured in the same run. */
const durationMs = Number(process.argv[2] ?? 5) * 1000

const head = (name: string) => `document: { dsl: '1.0.3', namespace: bench, name: ${name}, version: '1.0.0' }`
const five = `${head('five-sets')}
do:
  - one: { set: { a: '\${ .n + 1 }' } }
  - two: { set: { a: '\${ .a + 1 }', b: two } }
  - three: { set: { a: '\${ .a + 1 }', b: '\${ .b + "!" }' } }
  - four: { set: { a: '\${ .a + 1 }', b: '\${ .b }' } }
  - five: { set: { result: '\${ .a }', text: '\${ .b }' } }
`
const three = (port: number) => `${head('three-effects')}
do:
${[1, 2, 3].map((n) => `  - effect${n}: { call: http, with: { method: post, endpoint: { uri: 'http://127.0.0.1:${port}/' }, body: { n: ${n} } } }`).join('\n')}
`

const database = await startThrowawayDatabase()
const bare = await startChild('bare-fastify.ts', [], {}, /port (\d+)/)
const standIn = await startChild('stand-in.ts', [], {}, /port (\d+)/)
// On its own built-in PostgreSQL, as `npm start` has it.
const server = await startBenchServer(undefined)
const effects = three(Number(standIn.line))
const paths = { five: await run(five), three: await run(effects) }
const headers = { 'content-type': 'application/json', authorization: `Bearer ${server.token}` }
const body = '{"input":{"n":1}}'

async function run(definition: string): Promise<string> {
  return `/api/v1/execute/${await server.create(definition)}/run`
}

function measure(path: string, connections: number): Promise<LoadResult> {
  return load({ port: server.port, path, headers, body, connections, durationMs })
}

const bareHttp = await load({
  port: Number(bare.line),
  path: '/run',
  headers: { 'content-type': 'application/json' },
  body,
  connections: 32,
  durationMs,
})
const inserts = await bareInserts(database.url, 3, durationMs)
for (const path of Object.values(paths)) await load({ port: server.port, path, headers, body, connections: 32, durationMs: 2_000 })
const rows = {
  five32: await measure(paths.five, 32),
  five1: await measure(paths.five, 1),
  three32: await measure(paths.three, 32),
  three1: await measure(paths.three, 1),
}
await server.stop()
const engine = await engineOnly(database.url, durationMs)
await Promise.all([bare.stop(), standIn.stop()])
await database.stop()

const rate = (result: { readonly perSecond: number }) => `${Math.round(result.perSecond)}/s`
const ms = (result: LoadResult) => `${result.p50.toFixed(2)} ms (p99 ${result.p99.toFixed(1)})`
const ratio = (one: { readonly perSecond: number }, other: { readonly perSecond: number }) => (one.perSecond / other.perSecond).toFixed(2)
const lines = [
  ['bare Fastify route, nothing persisted, 32 connections', rate(bareHttp), '', ''],
  ['bare loop: batches of 32 rows, 3 lanes, fsync', rate(inserts), '', ''],
  [
    'HTTP → 5 set tasks → answer, persisted, 32 connections',
    rate(rows.five32),
    '≥ 6000/s',
    `${ratio(rows.five32, bareHttp)} of bare HTTP, ${ratio(rows.five32, inserts)} of bare rows`,
  ],
  ['the same, one connection, median', ms(rows.five1), '≤ 3 ms', ''],
  [
    '3 calls over HTTP, each journalled before the next, 32 connections',
    rate(rows.three32),
    '≥ 3000/s',
    `${ratio(rows.three32, bareHttp)} of bare HTTP`,
  ],
  ['the same, one connection, median', ms(rows.three1), '≤ 5 ms', ''],
  [
    '3 effects in process, each journalled before the next, 32 at a time, no HTTP',
    rate(engine.rate),
    '',
    `${ratio(engine.rate, inserts)} of bare rows`,
  ],
  ['the same, one at a time, median', `${engine.medianMs.toFixed(2)} ms`, '', ''],
]
const failures = Object.values(rows).reduce((sum, row) => sum + row.failures, 0)
process.stdout.write(`${cpus().length} cores, ${cpus()[0]?.model ?? ''}, Node ${process.version}, ${durationMs / 1000} s each\n\n`)
for (const [what = '', got = '', bar = '', beside = ''] of lines)
  process.stdout.write(`${what.padEnd(78)} ${got.padEnd(24)} ${bar.padEnd(10)} ${beside}\n`)
if (failures > 0) {
  process.stderr.write(`${failures} requests failed; the figures are not what they should be\n`)
  process.exitCode = 1
}
