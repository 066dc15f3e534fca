import { setTimeout as pause } from 'node:timers/promises'
import type { BoundaryName } from '#durable/ports/boundary.ts'
import type { Outage } from './observations.ts'
import type { RunPostgres, Stop } from './start-run-postgres.ts'
import type { Random } from './random.ts'
import type { WorkerPool } from './worker-pool.ts'

export const boundaries: readonly [BoundaryName, ...BoundaryName[]] = [
  'accept-submitted',
  'accept-committed',
  'effect-starting',
  'effect-done',
  'entry-submitted',
  'entry-committed',
  'park-submitted',
  'park-committed',
  'end-submitted',
  'end-committed',
  'claimed',
  'replayed',
]

export interface FaultsDeps {
  readonly random: Random
  readonly pool: WorkerPool
  readonly postgres: RunPostgres
  readonly kills: number
  readonly restarts: number
  readonly cuts: number
  /** The share of started executions, from 0 to 1; faults are spread over it. */
  readonly progress: () => number
  readonly say: (what: string) => void
}

/** The injected faults. */
export interface Faults {
  /** Resolves after the last fault. */
  readonly done: Promise<void>
  readonly outages: readonly Outage[]
  readonly restarts: ReadonlyMap<string, number>
  readonly cuts: ReadonlyMap<string, number>
}

/** Time between two kills. With shorter times executions could not make progress and would become dead letters. */
const PAUSE_MS = { min: 900, max: 3_300 } as const
/** Time for a process to reach the boundary of its kill. */
const BOUNDARY_MS = 2_000
/** One in this many kills hits all processes at once. */
const ALL_AT_ONCE = 40

export function causeFaults(deps: FaultsDeps): Faults {
  const { random, pool, postgres, say } = deps
  const outages: Outage[] = []
  const [restarts, cuts] = [new Map<string, number>(), new Map<string, number>()]

  async function during(what: string, act: () => Promise<void>): Promise<void> {
    const fromMs = Date.now()
    await act()
    outages.push({ fromMs, toMs: Date.now(), what })
    say(`${what} for ${Date.now() - fromMs} ms`)
  }

  async function killSome(): Promise<void> {
    const ready = pool.ready()
    const [first, ...others] = ready
    if (first === undefined) return pause(100)
    if (random.int(1, ALL_AT_ONCE) === 1) {
      await Promise.all(ready.map((worker) => worker.kill()))
      return
    }
    const worker = random.pick([first, ...others])
    // Boundaries with few kills come first, so that each is used.
    const rare = boundaries.toSorted((one, other) => diedAt(one) - diedAt(other))[random.int(0, 3)]
    if (rare === undefined || random.chance(0.4)) await worker.kill()
    else await worker.dieAt(rare, BOUNDARY_MS)
  }

  function diedAt(boundary: BoundaryName): number {
    return pool.kills.filter(({ place }) => place === boundary).length
  }

  async function restart(): Promise<void> {
    const stop = random.pick<Stop>(['immediate', 'fast'])
    note(restarts, stop)
    await during(`PostgreSQL stopped (${stop})`, () => postgres.restart(stop))
  }

  /** False if no process is there whose connections could be cut. */
  async function cut(): Promise<boolean> {
    const ready = pool.ready()
    const [first, ...others] = ready
    if (first === undefined) return false
    const kind = random.pick(['all cut', 'all silent', 'one cut', 'one silent'])
    note(cuts, kind)
    const reached = kind.startsWith('all') ? ready : [random.pick([first, ...others])]
    const silent = kind.endsWith('silent')
    // A process that is silent for longer than its lease loses it while it still runs.
    const ms = kind === 'one silent' ? random.int(11_000, 14_000) : random.int(500, 3_000)
    await during(`network: ${kind}`, async () => {
      for (const { proxy } of reached) {
        if (silent) proxy.silence()
        else proxy.cut()
      }
      await pause(ms)
      for (const { proxy } of reached) {
        if (silent && random.chance(0.5)) proxy.cut()
        proxy.open()
      }
    })
    return true
  }

  async function run(): Promise<void> {
    const at = (count: number, of: number) => Math.floor(((count + 0.5) * deps.kills) / of)
    // On a slow machine the last kills may come together, before their restart or cut.
    for (let [restarted, wasCut] = [0, 0]; pool.kills.length < deps.kills || restarted < deps.restarts || wasCut < deps.cuts; ) {
      await pause(random.int(PAUSE_MS.min, PAUSE_MS.max))
      const killed = pool.kills.length
      if (restarted < deps.restarts && killed >= at(restarted, deps.restarts)) {
        restarted += 1
        await restart()
      } else if (wasCut < deps.cuts && killed > at(wasCut, deps.cuts)) {
        if (await cut()) wasCut += 1
      } else if (killed < deps.kills && killed / deps.kills <= deps.progress() + 0.02) await killSome()
    }
  }

  return { done: run(), outages, restarts, cuts }
}

function note(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1)
}
