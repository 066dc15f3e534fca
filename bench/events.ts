import { cpus, loadavg } from 'node:os'
import pg from 'pg'
import { uuid } from './bench-engine.ts'
import { copyKept, copyWaiting } from './events-data.ts'
import { openEventsEngine } from './events-engine.ts'
import { startThrowawayDatabase } from './throwaway-database.ts'

/** `npm run bench:events [waiting]`: the cost of an event with few and with many waiting executions, the rate of events, and the rate of messages between workflows. */
const waiting = Number(process.argv[2] ?? 100_000)
const few = 10
const samples = 200
const ratioMax = 1.3

await using running = new AsyncDisposableStack()
const marks = new Map<string, () => void>()
const onMark = (name: string) => marks.get(name)?.()

process.stdout.write(`${cpus().length} cores, ${cpus()[0]?.model ?? ''} (load ${loadavg()[0]?.toFixed(1)}), Node ${process.version}\n\n`)
// Alternately, so that other load on the machine affects both.
const sides = [await openSide(few), await openSide(waiting)] as const
const [{ accountId }] = sides
const [fewTimes, manyTimes] = await deliveries()
const ratio = manyTimes.medianMs / fewTimes.medianMs
report(`from publishing to the task behind, ${few} others wait`, figures(fewTimes))
report(`from publishing to the task behind, ${waiting} others wait`, figures(manyTimes))
report('ratio of the medians', `${ratio.toFixed(2)} (at most ${ratioMax})`)
const [fewFinds, manyFinds] = await findings()
const keptRatio = manyFinds.times.medianMs / fewFinds.times.medianMs
report(`from beginning to listen to the task behind, of ${few} kept`, figures(fewFinds.times))
report(`from beginning to listen to the task behind, of ${waiting} kept`, figures(manyFinds.times))
report('ratio of the medians', `${keptRatio.toFixed(2)} (at most ${ratioMax})`)
report(
  `the first that listens so, with ${few} and with ${waiting} kept`,
  `${fewFinds.firstMs.toFixed(0)} ms, ${manyFinds.firstMs.toFixed(0)} ms`,
)
// The other rows use the database with many waiting executions.
const { engine, start, filling, url, example } = sides[1]
await ingest()
await burst()
await pingPong(1, 200)
await pingPong(32, 30)
await acrossProcesses()
if (ratio > ratioMax || keptRatio > ratioMax) {
  process.stderr.write(
    ratio > ratioMax ? 'an event takes longer where many wait\n' : 'a listener takes longer where many events are kept\n',
  )
  process.exitCode = 1
}

/** A database with this number of waiting executions, and an engine on it. */
async function openSide(count: number) {
  const database = await startThrowawayDatabase()
  running.defer(() => database.stop())
  const pool = new pg.Pool({ connectionString: database.url, max: 1 })
  pool.on('error', () => undefined)
  running.defer(() => pool.end())
  const one = await openEventsEngine(database.url, { onMark })
  running.defer(() => one.close())
  const first = await one.start('waits', { order: `example-${count}` })
  await parked(pool, first)
  await copyWaiting(pool, first, 'other-', count)
  return { ...one, filling: pool, url: database.url, example: first }
}

interface Times {
  readonly medianMs: number
  readonly p99Ms: number
}

function marked(name: string): Promise<void> {
  return new Promise((resolve) => marks.set(name, resolve))
}

async function parked(pool: pg.Pool, id: string): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ state: string }>(`select state from executions where id = $1`, [id])
    if (rows[0]?.state === 'waiting') return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function paid(order: string) {
  return { specversion: '1.0', id: uuid(), source: '/bench', type: 'bench.paid', data: { order } }
}

function sent(order: string) {
  return { ...paid(order), type: 'bench.sent' }
}

/** Sequential events, each for a parked execution, on both databases in turn. */
async function deliveries(): Promise<readonly [Times, Times]> {
  const warming = 20
  for (const side of sides) await copyWaiting(side.filling, side.example, 'hit-', samples + warming)
  const times = [[], []] as [number[], number[]]
  for (let n = 1; n <= samples + warming; n++) {
    for (const index of n % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const came = marked(`hit-${n}`)
      const at = performance.now()
      await sides[index].engine.publish(accountId, [paid(`hit-${n}`)])
      await came
      // Warm-up: the first events compile, plan and connect.
      if (n > warming) times[index].push(performance.now() - at)
    }
  }
  return [timesOf(times[0]), timesOf(times[1])]
}

/** Sequential executions, each of which listens for a kept event, among few and among many events of its type, on both databases in turn. */
async function findings() {
  const warming = 20
  for (const [index, side] of sides.entries()) {
    await copyKept(side.filling, accountId, 'bench.sent', 'other-', index === 0 ? few : waiting)
    await side.engine.publish(
      accountId,
      Array.from({ length: samples + warming + 1 }, (_, n) => sent(`kept-${n}`)),
    )
    await matched(side.filling)
  }
  const times = [[], []] as [number[], number[]]
  const firstMs = [0, 0] as [number, number]
  for (let n = 0; n <= samples + warming; n++) {
    for (const index of n % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const came = marked(`kept-${n}`)
      const at = performance.now()
      await sides[index].start('finds', { order: `kept-${n}` })
      await came
      // The first listener has a new filter, which is compared with all kept events.
      if (n === 0) firstMs[index] = performance.now() - at
      else if (n > warming) times[index].push(performance.now() - at)
    }
  }
  return [
    { times: timesOf(times[0]), firstMs: firstMs[0] },
    { times: timesOf(times[1]), firstMs: firstMs[1] },
  ] as const
}

/** Events without a listener, in batches of 100 from eight concurrent publishers. */
async function ingest(): Promise<void> {
  const batches = 100
  const left = Array.from({ length: batches }, () => Array.from({ length: 100 }, () => paid('unclaimed')))
  const at = performance.now()
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let batch = left.pop(); batch !== undefined; batch = left.pop()) await engine.publish(accountId, batch)
    }),
  )
  const taken = performance.now() - at
  await matched(filling)
  report(
    'events without a listener, kept',
    `${perSecond(batches * 100, taken)}; looked at: ${perSecond(batches * 100, performance.now() - at)}`,
  )
}

async function matched(pool: pg.Pool): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ left: boolean }>(`select exists (select from events where matched_at is null) as left`)
    if (rows[0]?.left === false) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** One event for each of many executions, all at once. */
async function burst(): Promise<void> {
  const count = 5_000
  await copyWaiting(filling, example, 'burst-', count)
  const names = Array.from({ length: count }, (_, index) => `burst-${index + 1}`)
  const came = Promise.all(names.map(marked))
  const at = performance.now()
  for (let from = 0; from < count; from += 100) await engine.publish(accountId, names.slice(from, from + 100).map(paid))
  await came
  report(`${count} events for as many parked executions, until the task behind`, perSecond(count, performance.now() - at))
}

/** Pairs of executions; one emits and listens, the other listens and emits. */
async function pingPong(pairs: number, rounds: number): Promise<void> {
  const names = Array.from({ length: pairs }, (_, index) => `pair-${pairs}-${index}`)
  const came = Promise.all(names.map(marked))
  const at = performance.now()
  await Promise.all(names.flatMap((pair) => [start('pongs', { pair, rounds }), start('pings', { pair, rounds })]))
  await came
  report(
    `emit and listen to and fro, ${pairs} pairs at a time`,
    `${perSecond(pairs * rounds, performance.now() - at)} rounds of two events`,
  )
}

/** One process publishes the event, and another one runs the execution. */
async function acrossProcesses(): Promise<void> {
  const accepting = await openEventsEngine(url, { onMark, liveMax: 0 })
  const times: number[] = []
  await copyWaiting(filling, example, 'd-', samples)
  for (let n = 1; n <= samples; n++) {
    const came = marked(`d-${n}`)
    const at = performance.now()
    await accepting.engine.publish(accountId, [paid(`d-${n}`)])
    await came
    times.push(performance.now() - at)
  }
  report('the same, published by a process that runs nothing', figures(timesOf(times)))
  await accepting.close()
}

function timesOf(times: number[]): Times {
  times.sort((one, other) => one - other)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
  return { medianMs: at(0.5), p99Ms: at(0.99) }
}

function figures({ medianMs, p99Ms }: Times): string {
  return `median ${medianMs.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`
}

function perSecond(count: number, ms: number): string {
  return `${Math.round((count / ms) * 1000)}/s`
}

function report(what: string, result: string): void {
  process.stdout.write(`${what.padEnd(74)} ${result}\n`)
}
