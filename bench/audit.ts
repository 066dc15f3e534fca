import { fileURLToPath } from 'node:url'
import { load } from './load.ts'
import { describeMachine } from './machine.ts'
import { openProcessorMeter } from './processor-meter.ts'
import { send, startBenchServer } from './server.ts'
import { showRate, spread } from './spread.ts'
import { startThrowawayDatabase } from './throwaway-database.ts'

/**
 * `npm run bench:audit [rounds] [seconds]`: the rate of operations that write, and the processor time of each in server and PostgreSQL, with the audit log
 * and without it, in turns. It fails when the log costs more than a tenth of the rate.
 */
const rounds = Number(process.argv[2] ?? 5)
const durationMs = Number(process.argv[3] ?? 4) * 1000
const connections = 8
const shareMin = 0.9

await using running = new AsyncDisposableStack()

/** A server on a database of its own, and what its writing operations are sent. */
async function openSide(environment: Readonly<Record<string, string>>) {
  const database = await startThrowawayDatabase()
  running.defer(() => database.stop())
  const server = await startBenchServer(database.url, environment)
  running.defer(() => server.stop())
  const at = (path: string) => `http://127.0.0.1:${server.port}/api/v1${path}`
  const definition = `document: { dsl: '1.0.3', namespace: bench, name: one, version: '1.0.0' }\ndo:\n  - one: { set: { done: true } }\n`
  const workflowId = await server.create(definition)
  /** One thing for each connection: writes to the same row would wait for each other. */
  const idsOf = async (path: string, bodyOf: (name: string) => object) => {
    const ids: string[] = []
    for (let number = 0; number < connections; number++)
      ids.push(String((await send('POST', at(path), bodyOf(`number${number}`), server.session))['id']))
    return ids
  }
  const triggers = await idsOf('/triggers', (name) => ({ name, kind: 'schedule', workflowId, schedule: { cron: '0 4 1 1 *' } }))
  const variables = await idsOf('/variables', (name) => ({ name, value: 'first' }))
  const requests = [
    ['trigger.toggled', 'PATCH', triggers.map((id) => `/triggers/${id}/toggle`), {}],
    ['variable.updated', 'PUT', variables.map((id) => `/variables/${id}`), { value: 'another' }],
  ] as const
  // A request that is refused says here why.
  for (const [, method, paths, body] of requests) for (const path of paths) await send(method, at(path), body, server.session)
  const meter = await openProcessorMeter(server.pid, database.url)
  running.defer(() => meter.close())
  return { port: server.port, token: server.session, requests, meter }
}

const sides = {
  with: await openSide({}),
  without: await openSide({ NODE_OPTIONS: `--import ${fileURLToPath(new URL('without-audit.ts', import.meta.url))}` }),
}
type Side = keyof typeof sides

function fail(index: number): never {
  throw new Error(`there is no operation ${index}`)
}

/** Operations per second, and microseconds of processor time that each takes, with what happens afterwards because of it. */
async function costOf(side: Side, index: number, ms: number) {
  let rate = 0
  const { serverMs, databaseMs } = await sides[side].meter.during(async () => {
    rate = await rateOf(side, index, ms)
  })
  const operations = (rate * ms) / 1000
  return { rate, server: (serverMs * 1000) / operations, database: (databaseMs * 1000) / operations }
}

async function rateOf(side: Side, index: number, ms: number): Promise<number> {
  const { port, token, requests } = sides[side]
  const [event, method, paths, body] = requests[index] ?? fail(index)
  const { perSecond, failures } = await load({
    port,
    method,
    path: paths.map((path) => `/api/v1${path}`),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
    connections,
    durationMs: ms,
  })
  if (failures > 0) throw new Error(`${failures} requests of ${event} failed`)
  return perSecond
}

process.stdout.write(`${describeMachine()}; ${connections} connections, ${rounds} rounds of ${durationMs / 1000} s in turns\n\n`)
let missed = 0
for (const [index, [event]] of sides.with.requests.entries()) {
  const costs: Record<Side, Awaited<ReturnType<typeof costOf>>[]> = { with: [], without: [] }
  for (const side of ['with', 'without'] as const) await rateOf(side, index, 2_000)
  for (let round = 0; round < rounds; round++)
    for (const side of round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const))
      costs[side].push(await costOf(side, index, durationMs))
  const of = (side: Side, figure: 'rate' | 'server' | 'database') => spread(costs[side].map((cost) => cost[figure]))
  const share = of('with', 'rate').median / of('without', 'rate').median
  if (share < shareMin) missed += 1
  const microseconds = (side: Side) => `${of(side, 'server').median.toFixed(0)} + ${of(side, 'database').median.toFixed(0)} us`
  process.stdout.write(
    `${event.padEnd(20)} with the log ${showRate(of('with', 'rate'))}, without ${showRate(of('without', 'rate'))}: ${share.toFixed(2)}\n`,
  )
  process.stdout.write(
    `${''.padEnd(20)} processor time of server + PostgreSQL: with ${microseconds('with')}, without ${microseconds('without')}\n`,
  )
}
if (missed > 0) {
  process.stderr.write(`${missed} operations had less than ${shareMin} of the rate without the log\n`)
  process.exitCode = 1
}
