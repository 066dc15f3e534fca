import { setTimeout as pause } from 'node:timers/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from './child.ts'
import { freePort } from './free-port.ts'
import { type Spread, spread } from './spread.ts'

/** Milliseconds from `millrace start` until the server is healthy, with the built-in PostgreSQL and an existing database. */
export async function coldStart(rounds: number): Promise<Spread> {
  const home = await mkdtemp(join(tmpdir(), 'millrace-bench-start-'))
  try {
    await startOnce(home)
    const times: number[] = []
    for (let round = 0; round < rounds; round++) times.push(await startOnce(home))
    return spread(times)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

async function startOnce(home: string): Promise<number> {
  const port = await freePort()
  const begunAt = performance.now()
  const starting = startChild('../packages/cli/src/main.ts', ['start'], { MILLRACE_HOME: home, PORT: String(port) }, /is running/)
  await untilHealthy(`http://127.0.0.1:${port}/api/v1/health`)
  const took = performance.now() - begunAt
  await (await starting).stop()
  return took
}

async function untilHealthy(url: string): Promise<void> {
  for (const endsAt = performance.now() + 60_000; performance.now() < endsAt; await pause(5)) {
    const healthy = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (healthy) return
  }
  throw new Error(`${url} has not become healthy within a minute`)
}
