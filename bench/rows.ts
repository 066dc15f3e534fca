import { bareInserts } from './bare-inserts.ts'
import { startChild } from './child.ts'
import { type DatabaseMeter, openDatabaseMeter } from './database-meter.ts'
import { fiveSets, threeCalls } from './definitions.ts'
import { openEngineOnly } from './engine-only.ts'
import { load, type LoadResult } from './load.ts'
import { openProcessorMeter, type ProcessorMeter } from './processor-meter.ts'
import { startBenchServer } from './server.ts'
import { startThrowawayDatabase } from './throwaway-database.ts'

/** One row: its measurement and its format. */
export interface Row {
  readonly what: string
  /** A unique name. */
  readonly id: string
  readonly bar: string
  readonly show: 'rate' | 'latency'
  /** The rows of which this one is printed as a share. */
  readonly beside?: readonly { readonly name: string; readonly row: Row }[]
  /** The meter of its PostgreSQL. */
  readonly meter?: DatabaseMeter
  /** The meter of its server and PostgreSQL. */
  readonly processors?: ProcessorMeter
  measure(ms: number): Promise<LoadResult>
}

export interface Rows extends AsyncDisposable {
  readonly rows: readonly Row[]
}

/** Warm-up time for the compilers. */
export const warmUpMs = 4_000

const json = { 'content-type': 'application/json' }
const body = '{"input":{"n":1}}'

function post(port: number, path: string, connections: number, headers: Readonly<Record<string, string>>): Row['measure'] {
  return (ms) => load({ port, path, headers, body, connections, durationMs: ms })
}

/** Starts the servers and engines of all rows. */
export async function openRows(): Promise<Rows> {
  await using opening = new AsyncDisposableStack()
  const child = async (script: string, args: readonly string[] = []) => {
    const { line, stop } = await startChild(script, args, {}, /port (\d+)/)
    opening.defer(stop)
    return Number(line)
  }
  const [bare, standIn] = [await child('bare-fastify.ts'), await child('stand-in.ts')]
  const calls = await child('bare-calls.ts', [String(standIn)])
  // Two built-in PostgreSQL, so that rows without HTTP share nothing with the server.
  const [database, other] = [await startThrowawayDatabase(), await startThrowawayDatabase()]
  opening.defer(() => database.stop())
  opening.defer(() => other.stop())
  const server = await startBenchServer(database.url)
  opening.defer(() => server.stop())
  const engine = await openEngineOnly(other.url)
  opening.defer(() => engine.close())
  const [served, inProcess] = [openDatabaseMeter(database.url), openDatabaseMeter(other.url)]
  opening.defer(() => served.close())
  opening.defer(() => inProcess.close())
  const processors = await openProcessorMeter(server.pid, database.url)
  opening.defer(() => processors.close())
  const persisted = await child('bare-persisted.ts', [String(standIn), other.url])
  const bareRows = rowsWithout({ bare, calls, persisted }, other.url)
  const [five, three] = [await server.create(fiveSets), await server.create(threeCalls(standIn))]
  const authorized = { ...json, authorization: `Bearer ${server.token}` }
  const run = (workflow: string) => (connections: number) => post(server.port, `/api/v1/execute/${workflow}/run`, connections, authorized)
  const rows = [
    ...Object.values(bareRows),
    ...servedRows(bareRows, { meter: served, processors }, { five: run(five), three: run(three) }),
    ...engineRows(bareRows, inProcess, (atOnce) => (ms) => engine.measure(atOnce, ms)),
  ]
  const started = opening.move()
  return { rows, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

/** The bare loops, of which the other rows are printed as a share. */
function rowsWithout({ bare, calls, persisted }: Readonly<Record<'bare' | 'calls' | 'persisted', number>>, databaseUrl: string) {
  const http: Row = {
    id: 'bare HTTP',
    what: 'bare Fastify route, nothing persisted, 32 connections',
    bar: '',
    show: 'rate',
    measure: post(bare, '/run', 32, json),
  }
  const inserts: Row = {
    id: 'bare rows',
    what: 'bare loop: batches of 32 rows, 3 lanes, fsync',
    bar: '',
    show: 'rate',
    measure: async (ms) => ({ ...(await bareInserts(databaseUrl, 3, ms)), answers: 0, p50: 0, p99: 0, failures: 0 }),
  }
  const callsBy = (client: string): Row => ({
    id: `3 calls by ${client}`,
    what: `bare Fastify route, 3 calls by ${client}, nothing persisted, 32 connections`,
    bar: '',
    show: 'rate',
    beside: [besides(http)],
    measure: post(calls, `/${client}`, 32, json),
  })
  const byUndici = callsBy('undici')
  const sets: Row = {
    id: 'bare HTTP and insert',
    what: 'bare Fastify route, one batched insert each, fsync, 32 connections',
    bar: '',
    show: 'rate',
    beside: [besides(http)],
    measure: post(persisted, '/sets', 32, json),
  }
  const persistedCalls: Row = {
    id: '3 calls and inserts',
    what: 'bare Fastify route, 3 calls by undici, each committed before the next, 32 connections',
    bar: '',
    show: 'rate',
    beside: [besides(byUndici)],
    measure: post(persisted, '/calls', 32, json),
  }
  return { http, inserts, byUndici, byFetch: callsBy('fetch'), sets, persistedCalls }
}

function besides(row: Row) {
  return { name: row.id, row }
}

type BareRows = ReturnType<typeof rowsWithout>
type AtOnce = (atOnce: number) => Row['measure']

function servedRows(
  bare: BareRows,
  meters: Required<Pick<Row, 'meter' | 'processors'>>,
  { five, three }: Readonly<Record<'five' | 'three', AtOnce>>,
): readonly Row[] {
  const one = { what: 'the same, one connection, median', show: 'latency', ...meters } as const
  return [
    {
      id: '5 sets',
      what: 'HTTP → 5 set tasks → answer, persisted, 32 connections',
      bar: '≥ 6000/s',
      show: 'rate',
      beside: [bare.http, bare.sets].map(besides),
      ...meters,
      measure: five(32),
    },
    { ...one, id: '5 sets, one connection', bar: '≤ 3 ms', measure: five(1) },
    {
      id: '3 calls',
      what: '3 calls over HTTP, each journalled before the next, 32 connections',
      bar: '≥ 3000/s',
      show: 'rate',
      beside: [bare.http, bare.byUndici, bare.byFetch, bare.persistedCalls].map(besides),
      ...meters,
      measure: three(32),
    },
    { ...one, id: '3 calls, one connection', bar: '≤ 5 ms', measure: three(1) },
  ]
}

function engineRows(bare: BareRows, meter: DatabaseMeter, effects: AtOnce): readonly Row[] {
  return [
    {
      id: '3 effects in process',
      what: '3 effects in process, each journalled before the next, 32 at a time, no HTTP',
      bar: '≥ 3000/s',
      show: 'rate',
      beside: [besides(bare.inserts)],
      meter,
      measure: effects(32),
    },
    {
      id: '3 effects in process, one at a time',
      what: 'the same, one at a time, median',
      bar: '≤ 5 ms',
      show: 'latency',
      meter,
      measure: effects(1),
    },
  ]
}
