import { openBenchEngine } from './bench-engine.ts'

const effect = `{ call: http, with: { method: post, endpoint: { uri: 'http://effect/' } } }`
const effects = `do: [{ one: ${effect} }, { two: ${effect} }, { three: ${effect} }]`

/** Three effects that cost nothing themselves, so that what is left is the engine and its journal: how engines that journal steps are measured. */
export async function engineOnly(url: string, durationMs: number) {
  const { engine, accountId, start, close } = await openBenchEngine(url, {
    definitions: { effects },
    functions: { http: async () => ({ done: true }) },
  })

  async function rounds(concurrency: number): Promise<number[]> {
    const latencies: number[] = []
    const endsAt = performance.now() + durationMs
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        while (performance.now() < endsAt) {
          const begunAt = performance.now()
          const id = await start('effects')
          const end = await engine.outcome(accountId, id, 10_000)
          if (end?.state !== 'completed') throw new Error(`an execution of the bench ended ${end?.state}`)
          latencies.push(performance.now() - begunAt)
        }
      }),
    )
    return latencies.toSorted((one, other) => one - other)
  }

  await rounds(32)
  const many = await rounds(32)
  const one = await rounds(1)
  await close()
  return { rate: { perSecond: (many.length / durationMs) * 1000 }, medianMs: one[Math.floor(one.length / 2)] ?? Number.NaN }
}
