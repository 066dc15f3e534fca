import { openBenchEngine } from './bench-engine.ts'
import { loadInProcess, type LoadResult } from './load.ts'

const effect = `{ call: http, with: { method: post, endpoint: { uri: 'http://effect/' } } }`
const effects = `do: [{ one: ${effect} }, { two: ${effect} }, { three: ${effect} }]`

export interface EngineOnly {
  measure(concurrency: number, durationMs: number): Promise<LoadResult>
  close(): Promise<void>
}

/** Three effects without cost of their own, to measure the engine and its journal. Other engines with journalled steps are measured the same way. */
export async function openEngineOnly(url: string): Promise<EngineOnly> {
  const { engine, accountId, start, close } = await openBenchEngine(url, {
    definitions: { effects },
    functions: { http: async () => ({ done: true }) },
  })
  async function runOne(): Promise<void> {
    const id = await start('effects')
    const end = await engine.outcome(accountId, id, 10_000)
    if (end?.state !== 'completed') throw new Error(`an execution of the bench ended ${end?.state}`)
  }
  return {
    measure: (concurrency, durationMs) => loadInProcess(runOne, concurrency, durationMs),
    close,
  }
}
