import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { openCrashEngine } from './open-crash-engine.ts'
import { createRandom } from './random.ts'
import { openSlowProcesses } from './slow-processes.ts'
import { killerVersion, slowVersion, slowWorkflows } from './slow-workflows.ts'

export interface SlowCallsOptions {
  readonly url: string
  readonly executions: number
  /** Durations of the calls, for every request. */
  readonly callsMs: readonly number[]
  readonly processes: number
  readonly kills: number
  readonly killEveryMs: number
  /** How long one process is stopped at the beginning, so that it loses its lease. */
  readonly freezeMs: number
  readonly trialMs: number
  readonly seed: number
  /** Additional faults during the kills. */
  readonly meanwhile?: () => Promise<void>
  /** Time in which the innocent executions must end after the last kill, and then the killer execution. */
  readonly settleMsMax: number
  readonly say: (what: string) => void
}

export interface SlowCallsResult {
  readonly kills: number
  /** Number of executions by state and title of the error. */
  readonly ends: ReadonlyMap<string, number>
  /** The highest number of deaths of one execution without progress. */
  readonly deathsMost: number
  readonly requests: number
  /** Number of different keys of the requests. */
  readonly effects: number
  /** The execution that makes its process exit: number of exits, and its end. */
  readonly killer: { readonly exits: number; readonly end: string }
}

/**
 * Runs executions with slow calls while their processes are killed from outside, and then an execution that makes its process exit.
 * The former must complete, and the latter must become a dead letter.
 */
export async function runSlowCalls(options: SlowCallsOptions): Promise<SlowCallsResult> {
  const { url, callsMs, trialMs, say } = options
  const service = await openSlowService()
  const workflows = slowWorkflows(service.url, callsMs)
  const { engine, pool, close } = await openCrashEngine({
    url,
    workflows,
    boundary: () => undefined,
    maintainsQueue: false,
    warn: () => undefined,
    liveMax: 0,
    trialMs,
  })
  const random = createRandom(options.seed)
  const accountId = randomUUID()
  const start = (versionId: string) =>
    engine.start({ accountId, workflowId: versionId, versionId, trigger: 'manual', actor: 'system:crash', input: {} })
  const args = [url, service.url, String(trialMs), ...callsMs.map(String)]
  const processes = openSlowProcesses(options.processes, args)

  async function ended(what: string): Promise<void> {
    for (const untilMs = Date.now() + options.settleMsMax; Date.now() < untilMs; await pause(200)) {
      const { rowCount } = await pool.query(`select from executions where ended_at is null limit 1`).catch(() => ({ rowCount: null }))
      if (rowCount === 0) return
    }
    say(`${what} did not end in time`)
  }

  const places = Array.from({ length: options.processes }, (_, place) => place)
  await Promise.all(places.map((place) => processes.ready(place)))
  for (let index = 0; index < options.executions; index++) {
    await start(slowVersion(callsMs[index % callsMs.length] ?? 0))
    // Short pauses spread the executions over all processes.
    await pause(random.int(0, 50))
  }
  let kills = 0
  async function killRepeatedly(place: number): Promise<void> {
    while (kills < options.kills) {
      await processes.ready(place)
      await pause(options.killEveryMs)
      kills += 1
      await processes.kill(place)
    }
  }
  await Promise.all([processes.freeze(0, options.freezeMs), ...places.slice(1).map(killRepeatedly), options.meanwhile?.()])
  say(`${kills} kills; waiting for the end of all executions`)
  await ended('the executions killed from outside')
  const { rows: most } = await pool.query<{ most: number }>(`select max(crash_count)::int as most from executions`)
  const ends = await readEnds()
  const exits = processes.exits
  say('starting the execution that makes its process exit')
  const { id } = await start(killerVersion)
  await ended('the killer execution')
  const end = await engine.outcome(accountId, id, 0)
  await processes.close()
  await close()
  await service.close()
  return {
    kills,
    ends,
    deathsMost: most[0]?.most ?? 0,
    ...service.seen(),
    killer: { exits: processes.exits - exits, end: `${end?.state} ${end?.error?.title}` },
  }

  async function readEnds(): Promise<ReadonlyMap<string, number>> {
    const { rows } = await pool.query<{ end: string; count: number }>(
      `select concat_ws(' ', state, error ->> 'title') as end, count(*)::int as count from executions group by 1`,
    )
    return new Map(rows.map(({ end: name, count }) => [name, count]))
  }
}

/** A service that responds slowly to every request, including repeated ones, and counts the keys. */
async function openSlowService() {
  const keys = new Set<string>()
  let requests = 0
  const server = createServer((request, response) => {
    request.resume()
    requests += 1
    keys.add(String(request.headers['idempotency-key']))
    const timer = setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'), Number(request.url?.slice(1)))
    // A closed connection gets no response.
    response.on('close', () => clearTimeout(timer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen: () => ({ requests, effects: keys.size }),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
