// Prints how long every way to sign in takes beyond its password hash, 20 users at once, beside as many requests that do nothing and as many inserts.
// The bar is for the time of the server, from the head of each request until its response was sent, so waiting for other users and the database counts.
// The user sees a longer time here than from a machine of their own, since the programs of the 20 users share the cores with the server.
// npm run bench:sign-in [rounds] [part of the name of a way]
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import * as z from 'zod'
import { startEmbedded } from '#platform/db/embedded/start-embedded.ts'
import { freePort } from '#testing/free-port.ts'
import { type SignInWay, signInWays, type World } from '#testing/sign-in/sign-in-ways.ts'

const users = 20
const rounds = Number(process.argv[2] ?? 5)
const wanted = process.argv[3] ?? ''
const barMs = 50
/** By address. */
const ServerTimes = z.array(z.tuple([z.string(), z.number()]))

await using running = new AsyncDisposableStack()
const home = await mkdtemp(join(tmpdir(), 'millrace-sign-in-'))
running.defer(() => rm(home, { recursive: true, force: true }))
const postgres = await startEmbedded({ home, randomBytes })
running.defer(() => postgres.stop())
const port = await freePort()
const url = `http://localhost:${port}`
const ways = await signInWays()
running.defer(() => ways[Symbol.asyncDispose]())
const free = '100000000/60'
const server = fork(join(import.meta.dirname, 'sign-in-server.ts'), {
  env: {
    ...process.env,
    PORT: String(port),
    MILLRACE_HOME: home,
    DATABASE_URL: postgres.url,
    MILLRACE_SECRET_KEY: 'ab'.repeat(32),
    MILLRACE_PUBLIC_URL: url,
    MILLRACE_PRIVATE_NETWORK: '127.0.0.0/8',
    MILLRACE_RATE_LIMIT_GLOBAL: free,
    MILLRACE_RATE_LIMIT_AUTH: free,
    MILLRACE_SMS_COUNTRIES: 'DE',
    MILLRACE_SMS_DAILY_MAX: '1000000',
    ...ways.environment,
  },
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
})
running.defer(async () => {
  server.kill('SIGTERM')
  await once(server, 'exit')
})
await Promise.race([once(server, 'message'), once(server, 'exit').then(() => Promise.reject(new Error('the server did not start')))])
const client = new pg.Client({ connectionString: postgres.url })
await client.connect()
running.defer(() => client.end())
const pool = new pg.Pool({ connectionString: postgres.url, max: users })
running.defer(() => pool.end())
await client.query('create table bench_inserts (id bigserial primary key, at timestamptz not null)')

interface Measured {
  readonly name: string
  /** Of each sign-in, as the server sees it: its requests together. */
  readonly serverTimes: readonly number[]
  /** Of each sign-in, as its user sees it. */
  readonly times: readonly number[]
  readonly bare: readonly number[]
  readonly requests: number
  readonly processorMs: number
}

const world: World = { url, database: client, users }
process.stdout.write(
  `${cpus().length} cores (load ${loadavg()[0]?.toFixed(1)}), Node ${process.version}; ${users} at once, ${rounds} rounds\n\n`,
)
const measured: Measured[] = []
for (const way of ways.all.filter(({ name }) => name.includes(wanted))) {
  const row = await measure(way)
  measured.push(row)
  process.stdout.write(`${describe(row)}\n`)
}
const slow = measured.filter(isSlow)
for (const { name } of slow) process.stdout.write(`\n${name} takes more than ${barMs} ms, and the machine is not the reason\n`)
if (wanted === '' && measured.length !== 13) throw new Error(`${measured.length} ways were measured, not 13`)
if (slow.length > 0) process.exitCode = 1

/** Each step of all users at once, after a bare loop: a request that does nothing, and an insert. The first round is not counted. */
async function measure(way: SignInWay): Promise<Measured> {
  const times: number[] = []
  const serverTimes: number[] = []
  const bare: number[] = []
  let requests = 0
  let processorMs = 0
  for (let round = 0; round <= rounds; round++) {
    await client.query('delete from text_message_counts')
    const sessions = await way.prepare(world, round)
    const spent = sessions.map(() => 0)
    const idle = sessions.map(() => 0)
    const served = sessions.map(() => 0)
    for (const [index, step] of way.steps.entries()) {
      await atOnce(sessions, idle, async ({ visitor }) => {
        await visitor.get('/api/v1/health')
        await pool.query('insert into bench_inserts (at) values (now())')
      })
      await takeServerTimes()
      const before = await processorMsOf(server.pid ?? 0)
      await atOnce(sessions, spent, step.run)
      if (round > 0) processorMs += (await processorMsOf(server.pid ?? 0)) - before
      const taken = await takeServerTimes()
      for (const [place, { visitor }] of sessions.entries())
        served[place] = (served[place] ?? 0) + (taken.get(visitor.address) ?? Number.NaN)
      if (index < way.steps.length - 1) await step.after?.(sessions, world)
    }
    if (round === 0) continue
    times.push(...spent)
    serverTimes.push(...served)
    bare.push(...idle)
    requests = way.steps.length
  }
  return { name: way.name, times, serverTimes, bare, requests, processorMs: processorMs / times.length }
}

/** How long the server took for each address since it was last asked. */
async function takeServerTimes(): Promise<ReadonlyMap<string, number>> {
  server.send('take')
  const [entries]: unknown[] = await once(server, 'message')
  return new Map(ServerTimes.parse(entries))
}

async function atOnce<S>(sessions: readonly S[], spent: number[], run: (session: S) => Promise<unknown>): Promise<void> {
  await Promise.all(
    sessions.map(async (session, index) => {
      const startedAt = performance.now()
      await run(session)
      spent[index] = (spent[index] ?? 0) + performance.now() - startedAt
    }),
  )
}

function at(list: readonly number[], share: number): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length * share)] ?? Number.NaN
}

function describe({ name, times, serverTimes, bare, requests, processorMs }: Measured): string {
  const ratio = at(times, 0.5) / at(bare, 0.5)
  return (
    `${name.padEnd(44)} ${requests} requests: server median ${at(serverTimes, 0.5).toFixed(1)} ms, ` +
    `90 % under ${at(serverTimes, 0.9).toFixed(1)} ms; user median ${at(times, 0.5).toFixed(1)} ms; ` +
    `bare ${at(bare, 0.5).toFixed(1)} ms, ratio ${ratio.toFixed(1)}; processor ${processorMs.toFixed(1)} ms`
  )
}

/** Over the bar on a machine that is idle, or, on a busy one, more of the processor for one sign-in than the bar. */
function isSlow({ serverTimes, bare, requests, processorMs }: Measured): boolean {
  const isQuiet = at(bare, 0.5) / requests < 10
  return isQuiet ? at(serverTimes, 0.5) > barMs : processorMs > barMs
}

/** Of Linux, in steps of 10 ms. */
async function processorMsOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
