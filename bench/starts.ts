import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Child, startChild } from './child.ts'
import { freePort } from './free-port.ts'
import { describeLoad, describeMachine } from './machine.ts'
import { startThrowawayDatabase } from './throwaway-database.ts'

/**
 * `npm run ledger:starts [seconds] [kills] [webhooks a second] [schedules due]`: two processes on one database receive webhooks and start schedules that are
 * due each second, while one after the other is ended by SIGKILL. Then as many schedules as named are due at the same moment. It counts from outside: each
 * acknowledged delivery and each due time must have exactly one execution, which has completed, and the analytics must equal a count over the executions
 * and their journals. Ends with code 1 otherwise.
 */
const seconds = Number(process.argv[2] ?? 60)
const kills = Number(process.argv[3] ?? 10)
const perSecond = Number(process.argv[4] ?? 200)
const due = Number(process.argv[5] ?? 10_000)
const hooks = 4
const schedules = 20
/** Accounts that share the schedules that are due at once. */
const accounts = 10
const drainMs = 120_000
const dueInMs = 120_000

const definition = (name: string) =>
  `document: { dsl: '1.0.3', namespace: bench, name: ${name}, version: '1.0.0' }\ndo:\n  - keep: { set: { kept: true } }\n  - note: { emit: { event: { with: { source: 'https://bench.example', type: example.bench.noted } } } }\n`

await using running = new AsyncDisposableStack()
const database = await startThrowawayDatabase()
running.defer(() => database.stop())
const pool = new pg.Pool({ connectionString: database.url, max: 4 })
running.defer(() => pool.end())
const free = '100000000/60'
const environment = {
  DATABASE_URL: database.url,
  MILLRACE_SECRET_KEY: 'ab'.repeat(32),
  MILLRACE_REGISTRATION: 'open',
  MILLRACE_RATE_LIMIT_GLOBAL: free,
  MILLRACE_RATE_LIMIT_AUTH: free,
  MILLRACE_RATE_LIMIT_EXECUTION: free,
}
const ports = [await freePort(), await freePort()]
const start = (port: number): Promise<Child> =>
  startChild('../packages/cli/src/main.ts', ['start'], { ...environment, PORT: String(port) }, /API +http:\/\/127\.0\.0\.1:(\d+)/)
const processes = await Promise.all(ports.map(start))
running.defer(async () => void (await Promise.all(processes.map((child) => child.stop()))))

process.stdout.write(`${describeMachine()}\n\n`)
const faults = [...(await receiveAndKill()), ...(await startDue())]
process.stdout.write(`\n${describeLoad()}\n`)
for (const fault of faults) process.stdout.write(`${fault}\n`)
process.stdout.write(faults.length === 0 ? 'No start was lost, and none was made twice.\n' : '')
process.exitCode = faults.length === 0 ? 0 : 1

interface Caller {
  get(path: string): Promise<Record<string, unknown>>
  post(path: string, body: unknown): Promise<Record<string, unknown>>
  patch(path: string, body: unknown): Promise<unknown>
}

async function register(email: string): Promise<Caller> {
  const [port = 0] = ports
  let token = ''
  const send = async (method: string, path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) }
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- All responses are objects.
    return JSON.parse(text) as Record<string, unknown>
  }
  token = String((await send('POST', '/auth/register', { email, password: 'nothing-but-a-bench-1', accountName: 'Bench' }))['accessToken'])
  return {
    get: (path) => send('GET', path, undefined),
    post: (path, body) => send('POST', path, body),
    patch: (path, body) => send('PATCH', path, body),
  }
}

/** Sends webhooks and lets schedules be due while processes are killed. Returns what is wrong. */
async function receiveAndKill(): Promise<readonly string[]> {
  const account = await register('hooks@example.org')
  const [received, ticked] = [await workflowOf(account, 'received'), await workflowOf(account, 'ticked')]
  const webhook = { signature: { scheme: 'none' }, deliveryHeader: 'x-delivery', ratePerMinute: 60_000 }
  const paths: string[] = []
  for (let hook = 0; hook < hooks; hook++) {
    const made = await account.post('/triggers/webhook', { workflowId: received, name: `Hook ${hook}`, webhook })
    paths.push(new URL(String(Object(made['webhook']).url)).pathname)
  }
  const ticking: string[] = []
  for (let index = 0; index < schedules; index++) {
    const made = await account.post('/triggers/schedule', { workflowId: ticked, name: `Tick ${index}`, schedule: { cron: '* * * * * *' } })
    ticking.push(String(made['id']))
  }
  const latencies: number[] = []
  let repeated = 0
  let killed = 0
  const killing = (async () => {
    for (; killed < kills; killed++) {
      await pause((seconds * 1000) / (kills + 1))
      const index = killed % 2
      process.kill(processes[index]?.pid ?? 0, 'SIGKILL')
      processes[index] = await start(ports[index] ?? 0)
    }
  })()
  const deliver = async (id: number) => {
    const begunAt = performance.now()
    for (let attempt = 0; ; attempt++) {
      const url = `http://127.0.0.1:${ports[(id + attempt) % 2]}${paths[id % hooks]}`
      const answer = await fetch(url, { method: 'POST', headers: { 'x-delivery': `d-${id}` }, body: `{"n":${id}}` }).catch(() => undefined)
      await answer?.arrayBuffer().catch(() => undefined)
      if (answer?.ok === true) {
        latencies.push(performance.now() - begunAt)
        return
      }
      repeated += 1
      if (attempt > 200) throw new Error(`the delivery ${id} was never accepted: ${answer?.status}`)
      await pause(100)
    }
  }
  const sending: Promise<void>[] = []
  const begunAt = performance.now()
  for (let id = 0; id < perSecond * seconds; id++) {
    const wait = begunAt + (id * 1000) / perSecond - performance.now()
    if (wait > 1) await pause(wait)
    sending.push(deliver(id))
  }
  await Promise.all(sending)
  await killing
  const tookSeconds = (performance.now() - begunAt) / 1000
  const stoppedAt = Date.now()
  await Promise.all(ticking.map((id) => account.patch(`/triggers/schedule/${id}/toggle`, { enabled: false })))
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1)
  process.stdout.write(
    `webhooks: ${sending.length} in ${tookSeconds.toFixed(0)} s, ${killed} kills, ${repeated} requests repeated; answer median ${at(0.5)} ms, 99 % ${at(0.99)} ms\n`,
  )
  await drained()
  const wrong: string[] = []
  const deliveries = await countsBy('received', 'deliveryId')
  for (let id = 0; id < sending.length; id++)
    if (deliveries.get(`d-${id}`) !== 1) wrong.push(`delivery ${id} has ${deliveries.get(`d-${id}`) ?? 0} executions`)
  const times = [...(await countsBy('ticked', 'dueAt'))].toSorted(([a], [b]) => (a < b ? -1 : 1))
  // At its ends the schedules were being made and disabled, which forgets what is not started yet.
  const whole = times.slice(2).filter(([time]) => Date.parse(time) < stoppedAt - 2_000)
  for (const [time, count] of whole) if (count !== schedules) wrong.push(`${count} of ${schedules} schedules started at ${time}`)
  const [first, last] = [Date.parse(whole[0]?.[0] ?? ''), Date.parse(whole.at(-1)?.[0] ?? '')]
  if ((last - first) / 1000 + 1 !== whole.length) wrong.push(`${whole.length} due times from ${whole[0]?.[0]} to ${whole.at(-1)?.[0]}`)
  wrong.push(...(await compareAnalytics(account)))
  process.stdout.write(`schedules of each second: ${schedules} × ${whole.length} due times\n`)
  return wrong
}

/** Compares the analytics of an account with a count over its rows. */
async function compareAnalytics(account: Caller): Promise<readonly string[]> {
  const from = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString()
  const { totals, slowestTasks } = await account.get(`/analytics/workflows?from=${from}`)
  const { rows } = await pool.query<{ executions: number; attempts: number; ms: number }>(
    `select count(*)::int as executions, sum(j.attempts)::int as attempts, sum(j.ms)::int as ms
     from executions e join workflows w on w.id = e.workflow_id cross join lateral (
       select count(*) as attempts, coalesce(sum(greatest(0, round(extract(epoch from ended_at - started_at) * 1000))), 0) as ms
       from journal where execution_id = e.id and phase = 'ended'
     ) j where w.name in ('received', 'ticked') and e.state = 'completed'`,
  )
  const tasks: readonly { readonly attempts: number; readonly totalMs: number }[] = Array.isArray(slowestTasks) ? slowestTasks : []
  const sumOf = (member: 'attempts' | 'totalMs') => tasks.reduce((sum, task) => sum + task[member], 0)
  const figures = { executions: Object(totals).executions, attempts: sumOf('attempts'), ms: sumOf('totalMs') }
  process.stdout.write(`analytics: ${JSON.stringify(figures)}\n`)
  return JSON.stringify(figures) === JSON.stringify(rows[0]) ? [] : [`the analytics differ from the rows: ${JSON.stringify(rows[0])}`]
}

/** Lets many schedules be due at one moment. Returns what is wrong. */
async function startDue(): Promise<readonly string[]> {
  if (due === 0) return []
  const at = new Date(Math.ceil((Date.now() + dueInMs) / 1000) * 1000)
  const schedule = { at: at.toISOString().slice(0, 19) }
  await Promise.all(
    Array.from({ length: accounts }, async (_, index) => {
      const account = await register(`due-${index}@example.org`)
      const workflowId = await workflowOf(account, 'due')
      for (let made = 0; made < due / accounts; made++)
        await account.post('/triggers/schedule', { workflowId, name: `Due ${made}`, schedule })
    }),
  )
  if (Date.now() > at.getTime()) return [`making ${due} schedules took longer than ${dueInMs / 1000} s`]
  process.stdout.write(`${due} schedules made ${Math.round((at.getTime() - Date.now()) / 1000)} s before they are due\n`)
  await pause(at.getTime() - Date.now() + 1_000)
  await drained()
  const { rows } = await pool.query<{ count: number; latest: number; median: number; begun: number; ended: number }>(
    `select count(*)::int as count, extract(epoch from max(e.created_at) - $1)::float8 as latest,
       extract(epoch from percentile_disc(0.5) within group (order by e.created_at) - $1)::float8 as median,
       extract(epoch from max(e.started_at) - $1)::float8 as begun, extract(epoch from max(e.ended_at) - $1)::float8 as ended
     from executions e join workflows w on w.id = e.workflow_id where w.name = 'due'`,
    [at],
  )
  const { count = 0, latest = Number.NaN, median = Number.NaN, begun = Number.NaN, ended = Number.NaN } = rows[0] ?? {}
  process.stdout.write(
    `schedules due at once: ${count} started, median ${median.toFixed(2)} s late, the last ${latest.toFixed(2)} s (bar 5 s); begun by ${begun.toFixed(2)} s, ended by ${ended.toFixed(2)} s\n`,
  )
  return [
    ...(count === due ? [] : [`${count} of ${due} schedules started`]),
    ...(latest <= 5 ? [] : [`the last start was ${latest} s late`]),
  ]
}

async function workflowOf(account: Caller, name: string): Promise<string> {
  return String((await account.post('/workflows', { definition: definition(name) }))['id'])
}

/** Waits until no execution is left to run and no start waits. */
async function drained(): Promise<void> {
  const endsAt = Date.now() + drainMs
  for (let before = -1; Date.now() < endsAt; await pause(1_000)) {
    const { rows } = await pool.query<{ all: number; open: number }>(
      `select count(*)::int as all, count(*) filter (where state <> 'completed')::int as open from executions`,
    )
    const { all = 0, open = 0 } = rows[0] ?? {}
    if (open === 0 && all === before) return
    before = all
  }
}

/** Completed executions of the workflow of this name by a member of their input. */
async function countsBy(workflow: 'received' | 'ticked', member: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ value: string; count: number }>(
    `select e.input ->> $2 as value, count(*)::int as count from executions e join workflows w on w.id = e.workflow_id where w.name = $1 and e.state = 'completed' group by 1`,
    [workflow, member],
  )
  return new Map(rows.map(({ value, count }) => [value, count]))
}
