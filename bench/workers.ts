import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Child, startChild } from './child.ts'
import { fiveSets, threeCalls } from './definitions.ts'
import { load } from './load.ts'
import { describeLoad, describeMachine } from './machine.ts'
import { type BenchAccount, startBenchServer } from './server.ts'
import { showRate, spread } from './spread.ts'
import { startThrowawayDatabase } from './throwaway-database.ts'

/**
 * `npm run bench:workers [executions] [rounds] [atOnce] [networkMs]`: the rate of one and of two worker processes on one database. Executions are accepted
 * by a process that runs none, so all of them go through the queue as a backlog. One and two workers take turns.
 */
const executions = Number(process.argv[2] ?? 1_000)
const rounds = Number(process.argv[3] ?? 3)
/** Maximum concurrent executions of a worker. It is small, so that it limits one worker while the machine can run another. */
const atOnce = Number(process.argv[4] ?? 32)
const networkMs = Number(process.argv[5] ?? 50)
const waitMsMax = 180_000

interface Backlog {
  readonly account: BenchAccount
  readonly workflow: string
}

await using running = new AsyncDisposableStack()
const standIn = await startChild('stand-in.ts', [String(networkMs)], {}, /port (\d+)/)
running.defer(() => standIn.stop())
const database = await startThrowawayDatabase()
running.defer(() => database.stop())
const pool = new pg.Pool({ connectionString: database.url, max: 2 })
running.defer(() => pool.end())
const api = await startBenchServer(database.url, { MILLRACE_ROLES: 'api,scheduler' })
running.defer(() => api.stop())
const calls = threeCalls(Number(standIn.line))
const one: Backlog = { account: api, workflow: await api.create(calls) }
const others = await Promise.all(
  [1, 2, 3].map(async (n): Promise<Backlog> => {
    const account = await api.register(`bench-${n}@example.org`)
    return { account, workflow: await account.create(calls) }
  }),
)
const kinds: readonly { readonly what: string; readonly bar: number; readonly backlogs: readonly Backlog[] }[] = [
  { what: `three calls of ${networkMs} ms, four accounts`, bar: 1.6, backlogs: [one, ...others] },
  { what: `three calls of ${networkMs} ms, one account`, bar: 1.6, backlogs: [one] },
  { what: 'five set tasks, one account', bar: 1, backlogs: [{ account: api, workflow: await api.create(fiveSets) }] },
]

process.stdout.write(`${describeMachine()}\n`)
process.stdout.write(
  `${executions} executions, at most ${atOnce} at once in a process and of one account; median (least to most) of ${rounds} rounds\n\n`,
)
for (const { what, bar, backlogs } of kinds) {
  const [alone, together]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    alone.push(await workOff(backlogs, 1))
    together.push(await workOff(backlogs, 2))
  }
  const ratio = spread(together.map((rate, round) => rate / (alone[round] ?? Number.NaN)))
  const figures = `one ${showRate(spread(alone))}, two ${showRate(spread(together))}`
  process.stdout.write(
    `${what.padEnd(40)} ${figures}: ${ratio.median.toFixed(2)}× (${ratio.min.toFixed(2)} to ${ratio.max.toFixed(2)}, bar ${bar})\n`,
  )
  if (ratio.median < bar) process.exitCode = 1
}
process.stdout.write(`\n${describeLoad()}\n`)

/** Executions per second, from the common start of all workers to the end of the last execution. */
async function workOff(backlogs: readonly Backlog[], workers: number): Promise<number> {
  await Promise.all(backlogs.map((backlog) => fill(backlog, Math.floor(executions / backlogs.length))))
  const count = await left()
  // While this lock is held no worker gets a job, so all workers start together.
  const gate = await pool.connect()
  await gate.query('begin; lock table pgboss.job in exclusive mode')
  const children = await Promise.all(Array.from({ length: workers }, startWorker))
  await gate.query('commit')
  gate.release()
  const begunAt = performance.now()
  const endsAt = begunAt + waitMsMax
  while ((await left()) > 0) {
    if (performance.now() > endsAt) throw new Error(`${await left()} of ${count} executions have not ended after ${waitMsMax} ms`)
    await pause(20)
  }
  const seconds = (performance.now() - begunAt) / 1000
  await Promise.all(children.map((child) => child.stop()))
  return count / seconds
}

async function fill({ account, workflow }: Backlog, count: number): Promise<void> {
  const { failures } = await load({
    port: api.port,
    path: `/api/v1/workflows/${workflow}/execute`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${account.token}` },
    body: '{"input":{"n":1}}',
    connections: 8,
    durationMs: waitMsMax,
    requestsMax: count,
  })
  if (failures > 0) throw new Error(`${failures} executions were not accepted`)
}

async function left(): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from executions where state in ('pending', 'running', 'waiting')`,
  )
  return rows[0]?.count ?? Number.NaN
}

function startWorker(): Promise<Child> {
  const env = {
    ...api.env,
    MILLRACE_ROLES: 'worker',
    MILLRACE_EXECUTIONS_MAX: String(atOnce),
    MILLRACE_EXECUTIONS_PER_ACCOUNT: String(atOnce),
  }
  return startChild('../packages/cli/src/main.ts', ['start'], env, /is running/)
}
