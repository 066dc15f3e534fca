import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { handled, type HandledJob, job } from './job.ts'
import { JOB_QUEUE } from './job-queue.ts'
import { type JobFailure, startJobWorker } from './job-worker.ts'
import { createJobs, type Jobs } from './jobs.ts'

const never = { limit: 0, delaySeconds: 1, delaySecondsMax: 1 }
const greet = job({ name: 'test.greet', payload: z.strictObject({ name: z.string() }), retry: never })

const lanes = { 'test.code': 'urgent', 'test.pack': 'lasting' } as const

let testing: TestDatabase
let jobs: Jobs
let failures: JobFailure[]
const closing: (() => Promise<unknown>)[] = []

async function startBoss(schedule = false): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: testing.url,
    schema: 'pgboss',
    supervise: false,
    schedule,
    cronMonitorIntervalSeconds: 1,
    cronWorkerIntervalSeconds: 1,
    max: 2,
  })
  boss.on('error', () => undefined)
  await boss.start()
  closing.push(() => boss.stop({ graceful: false }))
  return boss
}

function work(boss: PgBoss, handlers: readonly HandledJob[], schedules = false, pollingIntervalSeconds = 0.5) {
  const worker = startJobWorker({
    boss,
    db: testing.database.system,
    jobs: handlers,
    registersSchedules: schedules,
    schedulesDelayMs: 0,
    pollingIntervalSeconds,
    onFailure: (failure) => failures.push(failure),
    onError: (error) => {
      throw error
    },
  })
  closing.push(() => worker.stop())
  return worker
}

let boss: PgBoss
beforeAll(async () => {
  testing = await createTestDatabase()
  boss = await startBoss()
  jobs = createJobs({ boss, db: testing.database.system, newId: randomUUID, lanes })
})
beforeEach(() => {
  failures = []
})
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
  await testing.drop()
})

test('a job that is sent in a transaction runs once it has committed, and not when it is rolled back', async () => {
  const { system } = testing.database
  const greeted: string[] = []
  const worker = work(boss, [handled(greet, async ({ name }) => void greeted.push(name))])
  await expect(
    system.transaction().execute(async (tx) => {
      await jobs.send(tx, greet, { name: 'rolled back' })
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  await system.transaction().execute((tx) => jobs.send(tx, greet, { name: 'committed' }))
  await expect.poll(() => greeted).toEqual(['committed'])
  await worker.stop()
  expect(greeted).toEqual(['committed'])
})

test('a transaction that is bound to an account can send jobs and cannot read any', async () => {
  const { database } = testing
  const accountId = randomUUID()
  const id = await database.account(accountId, (tx) => jobs.send(tx, greet, { name: 'Ada' }))
  expect(await jobs.find(id ?? '')).toEqual({ name: 'test.greet', state: 'waiting', attempts: 0, progress: undefined })
  await expect(database.account(accountId, (tx) => sql`select data from pgboss.job`.execute(tx))).rejects.toThrow('permission denied')
  await boss.deleteAllJobs(JOB_QUEUE)
})

test('a payload that does not match the schema of its job is refused where it is sent, and fails its job where it is handled', async () => {
  const { system } = testing.database
  const wrong = { name: 'Ada', more: 1 }
  await expect(jobs.send(system, greet, wrong)).rejects.toThrow('Unrecognized key')
  const handledPayloads: unknown[] = []
  const worker = work(boss, [handled(greet, async (payload) => void handledPayloads.push(payload))])
  await jobs.send(system, job({ ...greet, payload: z.object({ name: z.string(), more: z.int() }) }), wrong)
  await expect.poll(() => failures).toMatchObject([{ name: 'test.greet', attempt: 1, retried: false }])
  expect(handledPayloads).toEqual([])
  await worker.stop()
})

test('jobs that wait run one after the other, without a pause between them', async () => {
  const greeted: string[] = []
  const names = Array.from({ length: 30 }, (_, index) => `guest ${index}`)
  for (const name of names) await jobs.send(testing.database.system, greet, { name })
  work(boss, [handled(greet, async ({ name }) => void greeted.push(name))], false, 60)
  await expect.poll(() => greeted.length).toBe(30)
  expect(new Set(greeted)).toEqual(new Set(names))
})

test('a job without a handler fails with an error that contains its name', async () => {
  const worker = work(boss, [])
  await jobs.send(testing.database.system, job({ ...greet, name: 'test.unknown' }), { name: 'Ada' })
  await expect
    .poll(() => failures)
    .toMatchObject([{ name: 'test.unknown', error: expect.objectContaining({ message: expect.stringContaining('test.unknown') }) }])
  await worker.stop()
})

test('a failed job is retried after a delay, each failure is reported with its name, and the last attempt decides', async () => {
  const flaky = job({ ...greet, name: 'test.flaky', retry: { limit: 2, delaySeconds: 1, delaySecondsMax: 2 } })
  const at: number[] = []
  const worker = work(boss, [
    handled(flaky, async (_payload, { attempt }) => {
      at.push(performance.now())
      if (attempt < 3) throw new Error(`attempt ${attempt}`)
    }),
  ])
  const id = (await jobs.send(testing.database.system, flaky, { name: 'Ada' })) ?? ''
  await expect.poll(() => jobs.find(id)).toMatchObject({ state: 'completed', attempts: 3 })
  expect(failures).toMatchObject([
    { name: 'test.flaky', id, attempt: 1, retried: true, scheduled: false, error: expect.objectContaining({ message: 'attempt 1' }) },
    { name: 'test.flaky', id, attempt: 2, retried: true, error: expect.objectContaining({ message: 'attempt 2' }) },
  ])
  const [first = 0, second = 0, third = 0] = at
  expect(Math.min(second - first, third - second)).toBeGreaterThan(500)
  await worker.stop()
})

test('a job without retries left has failed, and the database does not store its error', async () => {
  const broken = job({ ...greet, name: 'test.broken' })
  const worker = work(boss, [handled(broken, () => Promise.reject(new Error('password=hunter2')))])
  const id = (await jobs.send(testing.database.system, broken, { name: 'Ada' })) ?? ''
  await expect.poll(() => jobs.find(id)).toMatchObject({ state: 'failed', attempts: 1 })
  expect(failures).toMatchObject([{ name: 'test.broken', retried: false }])
  const { rows } = await sql<{ row: string }>`select j::text as row from pgboss.job j where id = ${id}`.execute(testing.database.system)
  expect(rows[0]?.row).toContain('test.broken')
  expect(rows[0]?.row).not.toContain('hunter2')
  await worker.stop()
})

test('the progress of a job can be read by its id while it runs and after it completed', async () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const worker = work(boss, [
    handled(greet, async (_payload, { report }) => {
      await report({ done: 1, of: 2 })
      await gate
      await report({ done: 2, of: 2 })
    }),
  ])
  const id = (await jobs.send(testing.database.system, greet, { name: 'Ada' })) ?? ''
  await expect.poll(() => jobs.find(id)).toMatchObject({ state: 'running', attempts: 1, progress: { done: 1, of: 2 } })
  open()
  await expect.poll(() => jobs.find(id)).toMatchObject({ state: 'completed', progress: { done: 2, of: 2 } })
  expect(await jobs.find(randomUUID())).toBeUndefined()
  await worker.stop()
})

test('at most one job with a singleton key waits and at most one runs', async () => {
  const single = job({ ...greet, name: 'test.single', singleton: ({ name }) => name })
  const { system } = testing.database
  expect(await jobs.send(system, single, { name: 'Ada' })).toBeTypeOf('string')
  expect(await jobs.send(system, single, { name: 'Ada' })).toBeUndefined()
  expect(await jobs.send(system, single, { name: 'Bob' })).toBeTypeOf('string')
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const running: string[] = []
  const worker = work(boss, [
    handled(single, async ({ name }) => {
      running.push(name)
      await gate
    }),
  ])
  await expect.poll(() => running.toSorted()).toEqual(['Ada', 'Bob'])
  const second = (await jobs.send(system, single, { name: 'Ada' })) ?? ''
  expect(await jobs.find(second)).toMatchObject({ state: 'waiting' })
  open()
  await expect.poll(() => jobs.find(second)).toMatchObject({ state: 'completed' })
  expect(running.filter((name) => name === 'Ada')).toHaveLength(2)
  await worker.stop()
})

test('lasting jobs run one at a time, ordinary ones do not wait for them, and urgent ones for none of both', async () => {
  const chore = job({ ...greet, name: 'test.chore-of-hours' })
  const pack = job({ ...greet, name: 'test.pack' })
  const code = job({ ...greet, name: 'test.code' })
  const { system } = testing.database
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const running: string[] = []
  const lasting = async ({ name }: { readonly name: string }) => {
    running.push(name)
    await gate
  }
  const worker = work(boss, [handled(pack, lasting), handled(chore, lasting), handled(code, async () => undefined)])
  const ids = []
  for (const name of ['pack 1', 'pack 2', 'pack 3']) ids.push(await jobs.send(system, pack, { name }))
  await expect.poll(() => running).toEqual(['pack 1'])
  for (const name of ['chore 1', 'chore 2']) ids.push(await jobs.send(system, chore, { name }))
  await expect.poll(() => running).toHaveLength(3)
  const sent = (await jobs.send(system, code, { name: 'Ada' })) ?? ''
  await expect.poll(() => jobs.find(sent)).toMatchObject({ state: 'completed' })
  expect(running.toSorted()).toEqual(['chore 1', 'chore 2', 'pack 1'])
  open()
  for (const id of ids) await expect.poll(() => jobs.find(id ?? '')).toMatchObject({ state: 'completed' })
  await worker.stop()
})

test('a job whose process was killed runs again in another process', async () => {
  const dying = await startBoss()
  const begun = Promise.withResolvers<void>()
  const lasting = job({ ...greet, name: 'test.lasting', retry: { limit: 1, delaySeconds: 0, delaySecondsMax: 1 } })
  work(dying, [
    handled(lasting, () => {
      begun.resolve()
      return new Promise(() => undefined)
    }),
  ])
  closing.pop()
  const id = (await jobs.send(testing.database.system, lasting, { name: 'Ada' })) ?? ''
  await begun.promise
  // A kill leaves the row as it is and touches it no more.
  await dying.stop({ graceful: false })
  await sql`update pgboss.job set heartbeat_on = now() - interval '10 minutes' where id = ${id}`.execute(testing.database.system)
  const worker = work(boss, [handled(lasting, async () => undefined)])
  await boss.supervise(JOB_QUEUE)
  await expect.poll(() => jobs.find(id)).toMatchObject({ state: 'completed', attempts: 2 })
  await worker.stop()
})

test('several processes send one job for each time of a schedule, and a schedule that is no longer declared ends', async () => {
  const system = testing.database.system
  const everyMinute = { cron: '* * * * *', payload: {} }
  const chore = job({ name: 'test.chore', payload: z.strictObject({}), retry: never, schedule: everyMinute })
  const old = job({ ...chore, name: 'test.old' })
  const first = await startBoss(true)
  const before = work(first, [handled(old, async () => undefined)], true)
  await expect.poll(() => boss.getSchedules(JOB_QUEUE)).toMatchObject([{ key: 'test.old' }])
  await before.stop()
  const minutes: string[] = []
  const workers = [first, await startBoss(true)].map((one) => work(one, [handled(chore, async () => void minutes.push('ran'))], true))
  await expect.poll(() => minutes.length).toBeGreaterThan(0)
  expect(await boss.getSchedules(JOB_QUEUE)).toMatchObject([{ key: 'test.chore' }])
  await Promise.all(workers.map((worker) => worker.stop()))
  const { rows } = await sql<{ at: string; jobs: number }>`
    select date_trunc('minute', created_on)::text as at, count(*)::int as jobs from pgboss.job
    where name = ${JOB_QUEUE} and data ->> 'name' = 'test.chore' group by 1`.execute(system)
  expect(rows.map(({ jobs: count }) => count)).toEqual(rows.map(() => 1))
})
