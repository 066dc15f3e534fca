import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { createEngineDatabase, type EngineDatabase } from '#testing/database.ts'
import { effects } from './definitions.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { spawnWorker } from './spawn-worker.ts'

/** A worker that neither dies nor finishes in this time has hung. */
const WORKER_MS_MAX = 40_000
/** Each lane has its own database. There are more lanes than cores, since executions sometimes wait. */
const LANES = 4
/** `npm run crash` kills at every boundary, the test command at every twentieth one. */
const STEP = inject('deep') ? 1 : 20
/** One in this many executions loses its second process as well. */
const DIES_TWICE = 2 * STEP

interface Lane {
  readonly database: EngineDatabase
  readonly ledger: Ledger
  readonly acknowledged: Set<string>
  readonly warnings: string[]
  executions: number
  kills: number
}

test('a kill at any await boundary loses no acknowledged execution, leaves none running and repeats no journalled effect', {
  timeout: 900_000,
}, async () => {
  const lanes = await Promise.all(Array.from({ length: LANES }, openLane))
  let boundary = 0
  let boundariesOfOneRun = Number.POSITIVE_INFINITY
  await Promise.all(
    lanes.map(async (lane) => {
      while (boundary < boundariesOfOneRun) {
        boundary += STEP
        const survived = await surviveDeaths(lane, boundary)
        boundariesOfOneRun = Math.min(boundariesOfOneRun, survived ?? Number.POSITIVE_INFINITY)
      }
    }),
  )
  for (const lane of lanes) await expectAllEnded(lane)
  expect(lanes.reduce((sum, lane) => sum + lane.kills, 0)).toBeGreaterThanOrEqual(Math.floor(boundariesOfOneRun / STEP) - 1)
  await Promise.all(lanes.map(closeLane))
})

/**
 * Starts one execution in a process that dies at `boundary`, and completes it in another process. Some executions lose a second process in between, late enough
 * to have made progress.
 * @returns the number of boundaries of a complete run, if the first process ended before it died
 */
async function surviveDeaths(lane: Lane, boundary: number): Promise<number | undefined> {
  lane.executions += 1
  const first = await work(lane, boundary, 1)
  if (first.idleAt !== undefined) return first.idleAt
  if (boundary % DIES_TWICE === 0) {
    const second = await work(lane, 8 + (boundary % 9), 0)
    if (second.idleAt !== undefined) return undefined
  }
  const last = await work(lane, 0, 0)
  expect(last.idleAt, `the execution did not end after the kill at boundary ${boundary}: ${last.output}`).toBeDefined()
  return undefined
}

async function work(lane: Lane, killAt: number, start: number) {
  const worker = await spawnWorker([lane.database.url, lane.ledger.url, String(killAt), String(start), randomUUID()], WORKER_MS_MAX)
  for (const id of worker.acknowledged) lane.acknowledged.add(id)
  lane.warnings.push(...worker.warnings)
  if (worker.killed) lane.kills += 1
  else expect(worker.idleAt, `a worker neither died nor finished: ${worker.output}`).toBeDefined()
  return worker
}

async function expectAllEnded({ database, ledger, acknowledged, executions }: Lane): Promise<void> {
  const { rows } = await database.pool.query<{ id: string; state: string; output: string; error: string; parent_id: string | null }>(
    `select id, state, output, error, parent_id from executions`,
  )
  expect(ledger.violations).toEqual([])
  expect(rows.filter(({ state }) => state !== 'completed')).toEqual([])
  const roots = rows.filter(({ parent_id: parent }) => parent === null)
  expect([...acknowledged].filter((id) => !roots.some((root) => root.id === id))).toEqual([])
  // An execution whose process was killed before the acknowledgement exists or not, but never twice.
  expect(roots.length).toBeLessThanOrEqual(executions)
  expect(roots.length).toBeGreaterThanOrEqual(acknowledged.size)
  for (const { output } of roots) expect(JSON.parse(output)).toEqual({ done: true, child: 'child-2' })
  expect(rows.length).toBe(2 * roots.length)
  for (const effect of effects) expect(ledger.counts.get(effect), effect).toBeGreaterThanOrEqual(roots.length)
  await expectEventsTaken(database, roots.length)
  const claimed = await database.pool.query(`select from executions where claimed_by is not null`)
  expect(claimed.rowCount).toBe(0)
}

/** Every event was emitted once and taken by one execution; no listener, wait or message remains. */
async function expectEventsTaken({ pool }: EngineDatabase, executions: number): Promise<void> {
  const { rows: events } = await pool.query(
    `select count(*)::int as emitted, count(distinct envelope -> 'data' ->> 'of')::int as executions, min(takers) as least, max(takers) as most,
       bool_and(matched_at is not null) as matched from events`,
  )
  expect(events).toEqual([{ emitted: 4 * executions, executions, least: 1, most: 1, matched: true }])
  const { rows: left } = await pool.query(
    `select (select count(*)::int from listeners) as listeners, (select count(*)::int from waits) as waits, (select count(*)::int from messages) as messages`,
  )
  expect(left).toEqual([{ listeners: 0, waits: 0, messages: 0 }])
  const { rows: replies } = await pool.query<{ reply: string }>(
    `select distinct reply::text as reply from executions where parent_id is null`,
  )
  expect(replies).toEqual([{ reply: '{"heard":3}' }])
}

async function openLane(): Promise<Lane> {
  const database = await createEngineDatabase()
  return { database, ledger: await openLedger(database.pool), acknowledged: new Set(), warnings: [], executions: 0, kills: 0 }
}

async function closeLane({ database, ledger }: Lane): Promise<void> {
  await ledger.close()
  await database[Symbol.asyncDispose]()
}
