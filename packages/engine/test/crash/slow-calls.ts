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
  /** How long calls take, each time that they are asked for. */
  readonly callsMs: readonly number[]
  readonly processes: number
  readonly kills: number
  readonly killEveryMs: number
  /** How long one process is stopped at the beginning, to wake when it was given up. */
  readonly freezeMs: number
  readonly trialMs: number
  readonly seed: number
  /** What else goes wrong meanwhile. */
  readonly meanwhile?: () => Promise<void>
  /** In which everything that is innocent must have ended after the last kill, and then the killer. */
  readonly settleMsMax: number
  readonly say: (what: string) => void
}

export interface SlowCallsResult {
  readonly kills: number
  /** Ends of executions, by state and the title of the error. */
  readonly ends: ReadonlyMap<string, number>
  /** The most deaths that one of them had without getting on. */
  readonly deathsMost: number
  readonly requests: number
  /** Different keys under which was asked. */
  readonly effects: number
  /** How often an execution made its process exit before it was given up, and how that ended. */
  readonly killer: { readonly exits: number; readonly end: string }
}

/**
 * Executions whose process is killed from outside while they wait for slow calls; one that kills its process comes after them.
 * What would have ended must end, and what kills must be given up.
 */
export async function runSlowCalls(options: SlowCallsOptions): Promise<SlowCallsResult> {
  const { url, callsMs, trialMs, say } = options
  const service = await openSlowService()
  const workflows = slowWorkflows(service.url, callsMs)
  const { engine, pool, close } = await openCrashEngine({
    url,
    workflows,
    boundary: () => undefined,
    keepsHouse: false,
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
    // What comes first is spread over all.
    await pause(random.int(0, 50))
  }
  let kills = 0
  async function killAgainAndAgain(place: number): Promise<void> {
    while (kills < options.kills) {
      await processes.ready(place)
      await pause(options.killEveryMs)
      kills += 1
      await processes.kill(place)
    }
  }
  await Promise.all([processes.freeze(0, options.freezeMs), ...places.slice(1).map(killAgainAndAgain), options.meanwhile?.()])
  say(`${kills} kills; now all must end`)
  await ended('what was killed from outside')
  const { rows: most } = await pool.query<{ most: number }>(`select max(deliveries)::int as most from executions`)
  const ends = await readEnds()
  const exits = processes.exits
  say('now one comes that kills its process')
  const { id } = await start(killerVersion)
  await ended('the killer')
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

/** A service that takes its time for every request, repeated ones too, and keeps books by key. */
async function openSlowService() {
  const keys = new Set<string>()
  let requests = 0
  const server = createServer((request, response) => {
    request.resume()
    requests += 1
    keys.add(String(request.headers['idempotency-key']))
    const timer = setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'), Number(request.url?.slice(1)))
    // Whoever hangs up gets no answer.
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
