import { randomUUID } from 'node:crypto'
import { Fault } from '@millrace/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentOf, greets } from '#testing/definitions.ts'
import { createTestServer, type TestServer } from '#testing/server.ts'
import { createFiringLoop } from './firing-loop.ts'
import { lockDueTriggers, lockReadyFirings } from './firing-store.ts'
import { listSkips, waitingMax } from './skip-store.ts'

let server: TestServer
beforeAll(async () => {
  // Another role starts no triggers, so that only the loops of these tests do.
  server = await createTestServer({ MILLRACE_ROLES: 'api' })
})
afterAll(() => server.close())

const idleDeps = {
  get database() {
    return server.database
  },
  now: () => Date.now(),
  newId: randomUUID,
  snapshot: async () => undefined,
  cancel: async () => undefined,
  onFailing: async () => undefined,
  onPaused: async () => undefined,
  onLoop: async () => undefined,
  onOverrun: async () => undefined,
  runUrl: () => undefined,
  onOverQuota: async () => undefined,
  onError: (error: unknown) => {
    throw error
  },
}

const newTrigger = async () => {
  const { accountId } = await server.registerAccount()
  const id = randomUUID()
  await sql`
    insert into triggers (id, account_id, workflow_id, kind, origin, name, enabled, settings, created_at, created_by, updated_at, updated_by)
    values (${id}, ${accountId}, ${randomUUID()}, 'manual', 'user', 'x', true, '{}', now(), 'x', now(), 'x')`.execute(
    server.database.system,
  )
  return { id, accountId }
}

const addFirings = (trigger: { id: string; accountId: string }, count: number, secondsAgo: number) =>
  sql`
    insert into trigger_firings (id, account_id, trigger_id, cause, due_at, ready_at)
    select gen_random_uuid(), ${trigger.accountId}, ${trigger.id}, n::text, now(), now() - make_interval(secs => ${secondsAgo})
    from generate_series(1, ${count}) n`.execute(server.database.system)

test('many firings of one account leave room in a batch for those of the others', async () => {
  const [busy, other, waiting] = [await newTrigger(), await newTrigger(), await newTrigger()]
  await addFirings(busy, 600, 60)
  await addFirings(other, 1, 1)
  // An account whose firings are all postponed has no share.
  await addFirings(waiting, 5, -60)
  const found = await server.database.system.transaction().execute((tx) => lockReadyFirings(tx, new Date(), 500))
  expect(found.filter(({ triggerId }) => triggerId === other.id)).toHaveLength(1)
  expect(found.filter(({ triggerId }) => triggerId === busy.id)).toHaveLength(250)
  await sql`delete from trigger_firings`.execute(server.database.system)
})

test('two processes start different firings of one account at the same time', async () => {
  const busy = await newTrigger()
  await addFirings(busy, 600, 60)
  const db = server.database.system
  const ids = await db.transaction().execute(async (tx) => {
    const first = await lockReadyFirings(tx, new Date(), 500)
    const second = await db.transaction().execute((other) => lockReadyFirings(other, new Date(), 500))
    return [first, second].map((found) => found.map(({ id }) => id))
  })
  expect(ids.map(({ length }) => length)).toEqual([500, 100])
  expect(new Set(ids.flat()).size).toBe(600)
  await sql`delete from trigger_firings`.execute(db)
})

test('many due schedules of one account leave room in a batch for those of the others, and few are taken in their order', async () => {
  const db = server.database.system
  const addSchedules = ({ accountId }: { readonly accountId: string }, count: number, secondsAgo: number) =>
    sql`
      insert into triggers (id, account_id, workflow_id, kind, origin, name, enabled, settings, next_at, created_at, created_by, updated_at, updated_by)
      select gen_random_uuid(), ${accountId}, gen_random_uuid(), 'manual', 'user', 'x', true, '{}', now() - make_interval(secs => ${secondsAgo}) + n * interval '1 ms',
        now(), 'x', now(), 'x' from generate_series(1, ${count}) n`.execute(db)
  const [busy, other, late] = [await newTrigger(), await newTrigger(), await newTrigger()]
  await addSchedules(busy, 10_000, 60)
  await addSchedules(other, 3, 5)
  await addSchedules(late, 1, -60)
  const claim = (limit: number) => db.transaction().execute((tx) => lockDueTriggers(tx, { now: new Date(), until: new Date() }, limit))
  const crowded = await claim(500)
  const of = ({ accountId }: { readonly accountId: string }) => crowded.filter((trigger) => trigger.accountId === accountId).length
  expect([crowded.length, of(busy), of(other), of(late)]).toEqual([253, 250, 3, 0])
  await sql`delete from triggers where account_id = ${busy.accountId}`.execute(db)
  await addSchedules(busy, 2, 60)
  expect((await claim(500)).map(({ accountId }) => accountId)).toEqual([busy, busy, other, other, other].map(({ accountId }) => accountId))
  await sql`delete from triggers where next_at is not null`.execute(db)
})

test('firings whose trigger was deleted are deleted, and conditions that take too long are tried again later', async () => {
  const db = server.database.system
  const [gone, slow, other] = [await newTrigger(), await newTrigger(), await newTrigger()]
  for (const trigger of [gone, slow, other]) await addFirings(trigger, 1, 60)
  await sql`delete from triggers where id = ${gone.id}`.execute(db)
  await sql`
    update triggers set settings = ${JSON.stringify({ on: { read: 'data', strategy: { any: [{ with: { type: 'x' } }], until: '.slow' } } })}
    where id = ${slow.id}`.execute(db)
  await sql`update trigger_firings set event = '{"type":"x"}' where trigger_id = ${slow.id}`.execute(db)
  const started: string[] = []
  const loop = createFiringLoop({
    ...idleDeps,
    fire: {
      start: async ({ id }) => {
        started.push(id)
        return { id: randomUUID(), replayed: true }
      },
    },
    collector: {
      passes: async () => true,
      collect: (_tx, _trigger, _firings, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new DOMException('late', 'TimeoutError')))),
    },
    startMsMax: 50,
  })
  loop.start()
  const left = async () =>
    (await sql<{ trigger_id: string; attempts: number }>`select trigger_id, attempts from trigger_firings`.execute(db)).rows
  // A busy machine may look only after several attempts.
  const kept = async () => (await left()).map(({ trigger_id: id, attempts }) => ({ id, isRepeated: attempts > 0 }))
  await expect.poll(kept).toEqual([{ id: slow.id, isRepeated: true }])
  await loop.stop()
  expect(new Set(started)).toEqual(new Set([other.id]))
  await sql`delete from trigger_firings`.execute(db)
})

test('a schedule that cannot be used any more pauses its trigger, and no other', async () => {
  const db = server.database.system
  const [broken, other] = [await newTrigger(), await newTrigger()]
  for (const [{ id }, timeZone] of [
    [broken, 'Atlantis/Capital'],
    [other, 'Europe/Berlin'],
  ] as const) {
    const schedule = { spec: { kind: 'cron', expression: '0 4 1 1 *', timeZone }, missed: 'skip', overlap: 'allow' }
    await sql`
      update triggers set kind = 'schedule', settings = ${JSON.stringify({ schedule })}, next_at = now() - interval '1 second' where id = ${id}`.execute(
      db,
    )
  }
  const paused: unknown[] = []
  const loop = createFiringLoop({
    ...idleDeps,
    fire: { start: async () => ({ id: randomUUID(), replayed: false }) },
    collector: { passes: async () => true, collect: async () => [] },
    onPaused: async (_tx, { id, reason }) => {
      paused.push([id, reason])
    },
  })
  loop.start()
  const nextOf = async ({ id }: { readonly id: string }) =>
    (
      await sql<{
        enabled: boolean
        year: number | null
      }>`select enabled, extract(year from next_at)::int4 as year from triggers where id = ${id}`.execute(db)
    ).rows[0]
  await expect.poll(() => nextOf(other)).toEqual({ enabled: true, year: expect.toSatisfy((year: number) => year > 2000) })
  await expect.poll(() => nextOf(broken)).toEqual({ enabled: false, year: null })
  await loop.stop()
  expect(paused).toEqual([[broken.id, expect.stringMatching(/Atlantis\/Capital/i)]])
  await sql`delete from trigger_firings`.execute(db)
})

test('failures of the server do not count as slow starts of a firing', async () => {
  const db = server.database.system
  const trigger = await newTrigger()
  await addFirings(trigger, 1, 60)
  await sql`update trigger_firings set attempts = 50`.execute(db)
  const loop = createFiringLoop({
    ...idleDeps,
    fire: { start: () => new Promise<never>(() => undefined) },
    collector: { passes: async () => true, collect: async () => [] },
    startMsMax: 50,
  })
  loop.start()
  const left = async () => (await sql`select attempts, slow_starts from trigger_firings`.execute(db)).rows
  await expect.poll(left).toEqual([{ attempts: 51, slow_starts: 1 }])
  await loop.stop()
  await sql`delete from trigger_firings`.execute(db)
})

test('a start that takes too long does not delay the starts of others, and is repeated later', async () => {
  const [slow, other] = [await newTrigger(), await newTrigger()]
  await addFirings(slow, 1, 60)
  await addFirings(other, 1, 1)
  const started: string[] = []
  const loop = createFiringLoop({
    ...idleDeps,
    fire: {
      start: async ({ id }) => {
        if (id === slow.id) return new Promise<never>(() => undefined)
        started.push(id)
        return { id: randomUUID(), replayed: true }
      },
    },
    collector: { passes: async () => true, collect: async () => [] },
    startMsMax: 50,
  })
  loop.start()
  const left = async () =>
    (await sql<{ trigger_id: string; attempts: number }>`select trigger_id, attempts from trigger_firings`.execute(server.database.system))
      .rows
  await expect.poll(left).toEqual([{ trigger_id: slow.id, attempts: 1 }])
  expect(started).toEqual([other.id])
  await loop.stop()
})

test('starts that are refused for want of quota are reported and pause no trigger', async () => {
  const [refused, failing] = [await newTrigger(), await newTrigger()]
  const loop = createFiringLoop({
    ...idleDeps,
    fire: {
      start: async ({ id }) => {
        throw new Fault(id === refused.id ? 'quota_exceeded' : 'workflow_disabled')
      },
    },
    collector: { passes: async () => true, collect: async () => [] },
  })
  await addFirings(refused, 12, 1)
  await addFirings(failing, 12, 1)
  loop.start()
  const stateOf = async ({ id }: { readonly id: string }) => {
    const { rows } = await sql<{ enabled: boolean; failures: number; last_error: string | null }>`
      select enabled, failures, last_error from triggers where id = ${id}`.execute(server.database.system)
    return rows[0]
  }
  await expect.poll(() => stateOf(failing)).toMatchObject({ enabled: false, failures: 12 })
  await expect.poll(() => stateOf(refused)).toMatchObject({ enabled: true, failures: 0, last_error: expect.any(String) })
  await loop.stop()
})

test('events that a quota refuses wait for it in any number up to a limit, are listed page by page, and start when it allows them', async () => {
  const { system } = server.database
  const trigger = await newTrigger()
  const { id, accountId } = trigger
  let isUsedUp = true
  let nowMs = Date.now()
  const started = new Set<string>()
  const loop = createFiringLoop({
    ...idleDeps,
    now: () => nowMs,
    fire: {
      start: async (_trigger, { cause }) => {
        if (isUsedUp) throw new Fault('quota_exceeded')
        started.add(cause ?? '')
        return { id: randomUUID() }
      },
    },
    collector: { passes: async () => true, collect: async () => [] },
  })
  const kept = async () => {
    const { rows } = await sql`select from trigger_firings where trigger_id = ${id}`.execute(system)
    return rows.length
  }
  await addFirings(trigger, waitingMax + 2, 1)
  loop.start()
  await expect.poll(kept).toBe(waitingMax)
  const [first, second] = await listSkips(system, accountId, id, { before: undefined, limit: 2 })
  expect([first?.state, second?.state]).toEqual(['waiting', 'waiting'])
  expect(await listSkips(system, accountId, id, { before: first, limit: 1 })).toEqual([second])
  isUsedUp = false
  nowMs += 11 * 60_000
  loop.wake()
  await expect.poll(kept).toBe(0)
  expect(started.size).toBe(waitingMax)
  expect((await listSkips(system, accountId, id, { before: undefined, limit: 1 }))[0]?.state).toBe('started')
  await loop.stop()
})

test.each([
  ['skip', 3, []],
  ['once', 3, ['due 1']],
  ['all', 2, ['due 1', 'due 2']],
] as const)(
  'due times that a quota refuses are recorded, and with `missed: %s` made up for when it allows it',
  async (missed, missedMax, kept) => {
    const { system } = server.database
    const { id, accountId } = await newTrigger()
    const schedule = { spec: { kind: 'every', everyMs: 60_000, from: 0 }, missed, missedMax, overlap: 'allow' }
    await sql`update triggers set kind = 'schedule', settings = ${JSON.stringify({ schedule })} where id = ${id}`.execute(system)
    let isUsedUp = true
    let nowMs = Date.now()
    const noticed: string[] = []
    const executions: string[] = []
    const loop = createFiringLoop({
      ...idleDeps,
      now: () => nowMs,
      fire: {
        start: async () => {
          if (isUsedUp) throw new Fault('quota_exceeded', { detail: 'The plan allows 5 executions.' })
          executions.push(randomUUID())
          return { id: executions.at(-1) ?? '' }
        },
      },
      collector: { passes: async () => true, collect: async () => [] },
      onOverQuota: async (_tx, account) => void noticed.push(account),
    })
    const due = async (minute: number) =>
      sql`
      insert into trigger_firings (id, account_id, trigger_id, cause, due_at, ready_at)
      values (gen_random_uuid(), ${accountId}, ${id}, ${`due ${minute}`}, ${new Date(minute * 60_000)}, ${new Date(nowMs)})`.execute(system)
    const statesOf = async () => {
      const times = await listSkips(system, accountId, id, { before: undefined, limit: 10 })
      return times.map(({ dueAt, state }) => `${dueAt.getTime() / 60_000} ${state}`)
    }
    loop.start()
    for (const minute of [1, 2, 3]) {
      await due(minute)
      await expect.poll(async () => (await statesOf()).length).toBe(minute)
    }
    const waiting = await sql<{ cause: string }>`select cause from trigger_firings where trigger_id = ${id} order by due_at`.execute(system)
    expect(waiting.rows.map(({ cause }) => cause)).toEqual(kept)
    expect((await listSkips(system, accountId, id, { before: undefined, limit: 1 }))[0]?.reason).toBe('The plan allows 5 executions.')
    expect(noticed).toEqual([accountId])
    isUsedUp = false
    nowMs += 11 * 60_000
    const ends = [3, 2, 1].map((minute) => `${minute} ${kept.some((cause) => cause === `due ${minute}`) ? 'started' : 'skipped'}`)
    await expect.poll(statesOf).toEqual(ends)
    expect(executions).toHaveLength(kept.length)
    await loop.stop()
  },
)

const at = (ms: number) => new Date(ms).toISOString()

test('a schedule is claimed before it is due, starts when it is due, and not after a change in between', async () => {
  const db = server.database.system
  const account = await server.registerAccount()
  const { id: workflowId } = await account.client.workflows.create({ body: { definition: documentOf(greets) } })
  // Far from now, so that the clock of the database does not matter.
  const dueAt = Math.ceil(Date.now() / 1000) * 1000 + 3_600_000
  const schedule = { at: at(dueAt).slice(0, 19) }
  const [stays, changed, disabled] = await Promise.all(
    ['stays', 'changed', 'disabled'].map(async (name) => {
      const { body } = await account.send('POST', '/api/v1/triggers/schedule', { workflowId, name, schedule, input: { name } })
      return String(body.id)
    }),
  )
  let now = dueAt - 3_001
  const started: string[] = []
  const loop = createFiringLoop({
    ...idleDeps,
    now: () => now,
    fire: {
      start: async ({ name }) => {
        started.push(name)
        return { id: randomUUID() }
      },
    },
    collector: { passes: async () => true, collect: async () => [] },
  })
  const claimed = async () =>
    (await sql<{ ready_at: Date }>`select ready_at from trigger_firings`.execute(db)).rows.map((row) => row.ready_at)
  loop.start()
  now += 1
  loop.wake()
  await expect.poll(claimed).toEqual([new Date(dueAt), new Date(dueAt), new Date(dueAt)])
  expect((await account.send('GET', `/api/v1/triggers/${stays}`)).body.schedule.nextAt).toBe(at(dueAt))
  await account.send('PATCH', `/api/v1/triggers/${changed}`, { schedule: { at: at(dueAt + 3_600_000).slice(0, 19) } })
  await account.send('PATCH', `/api/v1/triggers/${disabled}/toggle`, { enabled: false })
  await expect.poll(claimed).toHaveLength(1)
  expect(started).toEqual([])
  now = dueAt
  loop.wake()
  await expect.poll(claimed).toEqual([])
  await loop.stop()
  expect(started).toEqual(['stays'])
  expect((await account.send('GET', `/api/v1/triggers/${changed}`)).body.schedule.nextAt).toBe(at(dueAt + 3_600_000))
})
