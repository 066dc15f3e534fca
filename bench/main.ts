import { bareInserts } from './bare-inserts.ts'
import { startChild } from './child.ts'
import { coldStart } from './cold-start.ts'
import { type DatabaseMeter, openDatabaseMeter } from './database-meter.ts'
import { fiveSets, threeCalls } from './definitions.ts'
import { openEngineOnly } from './engine-only.ts'
import { load, type LoadResult } from './load.ts'
import { describeLoad, describeMachine } from './machine.ts'
import { startBenchServer } from './server.ts'
import { showMs, showRate, spread } from './spread.ts'
import { startThrowawayDatabase } from './throwaway-database.ts'

/**
 * `npm run bench [seconds] [rounds]`: the rows of the design's speed table, each beside a bare loop measured in the same run. Rows take turns,
 * so that whatever else the machine does is done to all; then each runs once more for what it costs the database.
 */
const durationMs = Number(process.argv[2] ?? 3) * 1000
const rounds = Number(process.argv[3] ?? 3)
/** Until the compilers have done most of what they do. */
const warmUpMs = 4_000

interface Row {
  readonly what: string
  readonly bar: string
  readonly show: 'rate' | 'latency'
  /** The rows that this one is given as a share of. */
  readonly beside?: readonly { readonly name: string; readonly row: Row }[]
  /** Of the PostgreSQL that it uses. */
  readonly meter?: DatabaseMeter
  measure(ms: number): Promise<LoadResult>
}

await using running = new AsyncDisposableStack()
const bare = await startChild('bare-fastify.ts', [], {}, /port (\d+)/)
running.defer(() => bare.stop())
const standIn = await startChild('stand-in.ts', [], {}, /port (\d+)/)
running.defer(() => standIn.stop())
const calls = await startChild('bare-calls.ts', [standIn.line], {}, /port (\d+)/)
running.defer(() => calls.stop())
// The built-in PostgreSQL, twice, so that rows without HTTP share nothing with the server.
const [database, other] = [await startThrowawayDatabase(), await startThrowawayDatabase()]
running.defer(() => database.stop())
running.defer(() => other.stop())
const server = await startBenchServer(database.url)
running.defer(() => server.stop())
const engine = await openEngineOnly(other.url)
running.defer(() => engine.close())

const json = { 'content-type': 'application/json' }
const body = '{"input":{"n":1}}'
const post = (port: number, path: string, connections: number, headers: Readonly<Record<string, string>>) => (ms: number) =>
  load({ port, path, headers, body, connections, durationMs: ms })
const authorized = { ...json, authorization: `Bearer ${server.token}` }
const run = (workflow: string, connections: number) => post(server.port, `/api/v1/execute/${workflow}/run`, connections, authorized)
const five = await server.create(fiveSets)
const three = await server.create(threeCalls(Number(standIn.line)))

const bareHttp: Row = {
  what: 'bare Fastify route, nothing persisted, 32 connections',
  bar: '',
  show: 'rate',
  measure: post(Number(bare.line), '/run', 32, json),
}
const bareRows: Row = {
  what: 'bare loop: batches of 32 rows, 3 lanes, fsync',
  bar: '',
  show: 'rate',
  measure: async (ms) => ({ ...(await bareInserts(other.url, 3, ms)), answers: 0, p50: 0, p99: 0, failures: 0 }),
}
const bareCalls = (client: string): Row => ({
  what: `bare Fastify route, 3 calls by ${client}, nothing persisted, 32 connections`,
  bar: '',
  show: 'rate',
  beside: [besideHttp],
  measure: post(Number(calls.line), `/${client}`, 32, json),
})
const besideHttp = { name: 'bare HTTP', row: bareHttp }
const [undiciCalls, fetchCalls] = [bareCalls('undici'), bareCalls('fetch')]
const besideCalls = [undiciCalls, fetchCalls].map((row, index) => ({ name: `3 calls by ${['undici', 'fetch'][index]}`, row }))
const besideRows = { name: 'bare rows', row: bareRows }
const served = openDatabaseMeter(database.url)
const inProcess = openDatabaseMeter(other.url)
running.defer(() => served.close())
running.defer(() => inProcess.close())
const rows: readonly Row[] = [
  bareHttp,
  bareRows,
  undiciCalls,
  fetchCalls,
  {
    what: 'HTTP → 5 set tasks → answer, persisted, 32 connections',
    bar: '≥ 6000/s',
    show: 'rate',
    beside: [besideHttp],
    meter: served,
    measure: run(five, 32),
  },
  { what: 'the same, one connection, median', bar: '≤ 3 ms', show: 'latency', meter: served, measure: run(five, 1) },
  {
    what: '3 calls over HTTP, each journalled before the next, 32 connections',
    bar: '≥ 3000/s',
    show: 'rate',
    beside: [besideHttp, ...besideCalls],
    meter: served,
    measure: run(three, 32),
  },
  {
    what: 'the same, one connection, median',
    bar: '≤ 5 ms',
    show: 'latency',
    meter: served,
    measure: run(three, 1),
  },
  {
    what: '3 effects in process, each journalled before the next, 32 at a time, no HTTP',
    bar: '≥ 3000/s',
    show: 'rate',
    beside: [besideRows],
    meter: inProcess,
    measure: (ms) => engine.measure(32, ms),
  },
  {
    what: 'the same, one at a time, median',
    bar: '≤ 5 ms',
    show: 'latency',
    meter: inProcess,
    measure: (ms) => engine.measure(1, ms),
  },
]

process.stdout.write(`${describeMachine()}\n${durationMs / 1000} s each, median (least to most) of ${rounds} rounds\n\n`)
for (const row of rows) await row.measure(warmUpMs)
const results = new Map<Row, LoadResult[]>(rows.map((row) => [row, []]))
for (let round = 0; round < rounds; round++) for (const row of rows) results.get(row)?.push(await row.measure(durationMs))
for (const row of rows) process.stdout.write(await lineOf(row))
process.stdout.write(`${'cold start to healthy, existing database'.padEnd(78)} ${showMs(await coldStart(rounds)).padEnd(26)} ≤ 2 s\n`)
process.stdout.write(`\n${describeLoad()}\n`)
const failures = [...results.values()].flat().reduce((sum, result) => sum + result.failures, 0)
if (failures > 0) {
  process.stderr.write(`${failures} requests failed; the figures are not what they should be\n`)
  process.exitCode = 1
}

async function lineOf(row: Row): Promise<string> {
  const got = results.get(row) ?? []
  const figure = row.show === 'rate' ? showRate(spread(got.map((one) => one.perSecond))) : showMs(spread(got.map((one) => one.p50)))
  const cost = row.meter === undefined ? '' : await costOf(row, row.meter)
  return `${row.what.padEnd(78)} ${figure.padEnd(26)} ${row.bar.padEnd(10)} ${[...sharesOf(row), cost].filter((part) => part !== '').join('; ')}\n`
}

/** Round by round, so that a share is of things measured seconds apart. */
function sharesOf(row: Row): readonly string[] {
  const mine = results.get(row) ?? []
  return (row.beside ?? []).map((beside) => {
    const theirs = results.get(beside.row) ?? []
    const shares = spread(mine.map((one, round) => one.perSecond / (theirs[round]?.perSecond ?? Number.NaN)))
    return `${shares.median.toFixed(2)} of ${beside.name}`
  })
}

async function costOf(row: Row, meter: DatabaseMeter): Promise<string> {
  let executions = 0
  const use = await meter.during(async () => {
    executions = (await row.measure(durationMs)).answers
  })
  return `${(use.commits / executions).toFixed(2)} transactions, ${Math.round(use.walBytes / executions)} bytes of WAL each`
}
