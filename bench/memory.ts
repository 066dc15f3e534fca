import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { setTimeout as pause } from 'node:timers/promises'
import { openBenchEngine } from './bench-engine.ts'
import { startThrowawayDatabase } from './throwaway-database.ts'

/** `npm run bench:memory [waiting]`: the memory of waiting executions, of executions with many tasks, and of loops with many iterations. */
const waiting = Number(process.argv[2] ?? 100_000)
const warmUp = 20_000

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
const megabyte = 1024 * 1024

/** Heap and resident memory of this process after a garbage collection. */
async function memory() {
  for (let round = 0; round < 3; round++) {
    collect()
    await pause(100)
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  return { heap: heapUsed + external, rss }
}

const tasks = Array.from({ length: 10_000 }, (_, index) => `  - t${index}: { set: { n: '\${ .n + 1 }' } }`).join('\n')
const database = await startThrowawayDatabase()
const bench = await openBenchEngine(database.url, {
  liveMax: 2_000,
  definitions: {
    timer: 'do: [{ later: { wait: { days: 1 } } }]',
    event: `do: [{ hear: { listen: { to: { one: { with: { type: t }, correlate: { id: { from: .data.id, expect: '\${ .id }' } } } } } } }]`,
    tasks: `do:\n${tasks}`,
    rounds: `do: [{ round: { for: { in: '\${ [range(100000)] }' }, do: [{ add: { set: { n: '\${ .n + 1 }' } } }] } }]`,
    effects: `do: [{ round: { for: { in: '\${ [range(10000)] }' }, do: [{ act: { call: http, with: { method: post, endpoint: { uri: 'http://effect/' } } } }] } }]`,
  },
  functions: { http: async () => ({ done: true }) },
})

async function parked(name: string, count: number): Promise<void> {
  for (let begun = 0; begun < count; begun += 500) {
    await Promise.all(Array.from({ length: Math.min(500, count - begun) }, (_, index) => bench.start(name, { id: begun + index })))
    while (bench.engine.live() > 1_000) await pause(20)
  }
  while (bench.engine.live() > 0) await pause(100)
}

/** The highest use of the heap during an execution, above the use before it. */
async function peakOf(name: string): Promise<{ readonly peak: number; readonly tookMs: number }> {
  const before = await memory()
  let peak = 0
  const startedAt = performance.now()
  const id = await bench.start(name, { n: 0 })
  const sampler = setInterval(() => {
    collect()
    peak = Math.max(peak, process.memoryUsage().heapUsed + process.memoryUsage().external - before.heap)
  }, 250)
  const end = await bench.engine.outcome(bench.accountId, id, 300_000)
  clearInterval(sampler)
  if (end?.state !== 'completed') throw new Error(`${name} ended ${end?.state} ${JSON.stringify(end?.error)}`)
  return { peak, tookMs: performance.now() - startedAt }
}

try {
  // A process keeps the memory of earlier load; the measured value is the addition of the waiting executions.
  await parked('timer', warmUp)
  await parked('event', warmUp)
  for (const kind of ['timer', 'event']) {
    const before = await memory()
    const startedAt = performance.now()
    await parked(kind, waiting)
    const seconds = (performance.now() - startedAt) / 1000
    const after = await memory()
    const heap = (after.heap - before.heap) / megabyte
    process.stdout.write(
      `${waiting} executions that wait for ${kind === 'timer' ? 'a timer' : 'an event'}: heap ${heap.toFixed(1)} MB, resident ${((after.rss - before.rss) / megabyte).toFixed(1)} MB more than before (bar 50); ${seconds.toFixed(0)} s to start and park\n`,
    )
  }
  for (const [name, what] of [
    ['tasks', '10,000 tasks'],
    ['rounds', '100,000 rounds of a loop'],
    ['effects', '10,000 effects in a loop'],
  ] as const) {
    await peakOf(name)
    const { peak, tookMs } = await peakOf(name)
    process.stdout.write(
      `${what}: heap at most ${(peak / megabyte).toFixed(1)} MB above what there was before, ${(tookMs / 1000).toFixed(2)} s\n`,
    )
  }
} finally {
  await bench.close()
  await database.stop()
}
