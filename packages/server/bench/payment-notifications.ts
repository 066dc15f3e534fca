// Prints how long payment providers wait for the answer to a notification, at a fixed rate, and checks that each one was stored and processed once.
// npm run bench:payments [rate] [seconds]
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { startEmbedded } from '#platform/db/embedded/start-embedded.ts'
import { startPsptwoStandIn } from '#testing/payments/psptwo-stand-in.ts'
import { startStripeStandIn } from '#testing/payments/stripe-stand-in.ts'
import { startServerProcess } from '#testing/server-process.ts'

const rate = Number(process.argv[2] ?? 200)
const seconds = Number(process.argv[3] ?? 20)
const barMs = 20
const payments = 50
/** The first ones, one after the other: they load the library of the provider. Not counted. */
const warming = 100

await using running = new AsyncDisposableStack()
const home = await mkdtemp(join(tmpdir(), 'millrace-payments-'))
running.defer(() => rm(home, { recursive: true, force: true }))
const postgres = await startEmbedded({ home, randomBytes })
running.defer(() => postgres.stop())
const stands = { pspone: await startStripeStandIn(), psptwo: await startPsptwoStandIn() }
for (const stand of Object.values(stands)) running.defer(() => stand[Symbol.asyncDispose]())
const free = '100000000/60'
const server = await startServerProcess({
  MILLRACE_HOME: home,
  DATABASE_URL: postgres.url,
  MILLRACE_RATE_LIMIT_GLOBAL: free,
  MILLRACE_RATE_LIMIT_AUTH: free,
  ...stands.pspone.environment,
  ...stands.psptwo.environment,
})
running.defer(async () => void (await server.end('SIGTERM')))
const client = new pg.Client({ connectionString: postgres.url })
await client.connect()
running.defer(() => client.end())
const agent = new Agent({ keepAlive: true, maxSockets: 64 })
running.defer(() => agent.destroy())

let failures = 0
process.stdout.write(
  `${cpus().length} cores (load ${loadavg()[0]?.toFixed(1)}), Node ${process.version}; ${rate} notifications a second for ${seconds} s\n\n`,
)
for (const name of ['pspone', 'psptwo'] as const) await measure(name)
if (failures > 0) process.exitCode = 1

async function measure(name: 'pspone' | 'psptwo'): Promise<void> {
  const stand = stands[name]
  for (let index = 0; index < payments; index++) await checkout(name, index)
  for (const { id } of stand.ledger.entries.values()) stand.ledger.pay(id)
  const count = rate * seconds
  const all = warming + count
  const happened = stand.ledger.happenings.filter(({ what }) => what === 'succeeded')
  // Providers send several notifications about one payment. Some arrive twice.
  const messages = Array.from({ length: all }, (_, index) => {
    const happening = happened[index % happened.length]
    if (happening === undefined) throw new Error('nothing was paid')
    return stand.signed({ ...happening, id: `evt_${randomUUID().replaceAll('-', '')}` })
  })
  for (const message of messages.splice(0, warming)) await deliver(name, message)
  const times: number[] = []
  const begin = performance.now()
  const answers = messages.map(async (message, index) => {
    await setTimeout((index * 1000) / rate)
    const sentAt = performance.now()
    const status = await deliver(name, message)
    times.push(performance.now() - sentAt)
    return status
  })
  const statuses = await Promise.all(answers)
  const answeredMs = performance.now() - begin
  const drainedMs = await processed(name, all)
  const refused = statuses.filter((status) => status !== 200).length
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  process.stdout.write(
    `${name}: answered in ${at(0.5).toFixed(1)} ms at the median, ${at(0.99).toFixed(1)} ms at 99 %; ${((count / answeredMs) * 1000).toFixed(0)}/s, ${refused} refused; all processed ${(drainedMs / 1000).toFixed(1)} s later\n`,
  )
  if (refused > 0 || at(0.5) > barMs) failures += 1
}

async function checkout(name: string, index: number): Promise<void> {
  const registered = await post('/api/v1/auth/register', { email: `${name}-${index}@example.com`, password: 'nothing-but-a-bench-1' })
  await post(`/api/v1/billing/checkout/${name}`, { tier: 'pro' }, String(registered['accessToken']))
}

async function post(path: string, body: object, token?: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- An answer of our own server, read member by member.
  return JSON.parse(text) as Record<string, unknown>
}

function deliver(name: string, { body, headers }: { readonly body: string; readonly headers: Readonly<Record<string, string>> }) {
  return new Promise<number | undefined>((resolve, reject) => {
    const sent = request(`${server.url}/api/v1/webhooks/${name}`, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Waits until so many different notifications were processed. @returns how long that took. */
async function processed(name: string, count: number): Promise<number> {
  const begin = performance.now()
  for (;;) {
    const { rows } = await client.query<{ state: string; count: number }>(
      'select state, count(*)::int4 as count from payment_notifications where provider = $1 group by state',
      [name],
    )
    const of = (state: string) => rows.find((row) => row.state === state)?.count ?? 0
    if (of('processed') === count) return performance.now() - begin
    if (of('dead') > 0 || performance.now() - begin > 300_000) throw new Error(`not all were processed: ${JSON.stringify(rows)}`)
    await setTimeout(200)
  }
}
