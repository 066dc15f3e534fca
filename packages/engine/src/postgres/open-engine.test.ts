import { afterEach, expect, test } from 'vitest'
import { standardError } from '#core/error.ts'
import type { Json } from '#core/json.ts'
import { IdempotencyConflict } from '#durable/process/engine.ts'
import { createEngineDatabase, type EngineDatabase } from '#testing/database.ts'
import { accountId, createTestEngine, type EngineSettings, type TestEngine } from '#testing/engines.ts'
import { call, fork, runWorkflow, set, wait, workflowOf } from '#testing/nodes.ts'
import { newUuid } from '#testing/uuid.ts'

const cleanups: (() => PromiseLike<void>)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

async function database(): Promise<EngineDatabase> {
  const created = await createEngineDatabase()
  cleanups.push(() => created[Symbol.asyncDispose]())
  return created
}

async function engineOn(db: EngineDatabase, settings: EngineSettings): Promise<TestEngine> {
  const created = await createTestEngine(db, settings)
  cleanups.push(() => created.engine.close(Date.now() + 3_000))
  return created
}

async function row(db: EngineDatabase, id: string) {
  const { rows } = await db.pool.query(`select * from executions where id = $1`, [id])
  return rows[0]
}

async function journalOf(db: EngineDatabase, id: string) {
  const { rows } = await db.pool.query(`select seq, position, phase, kind, ok, value from journal where execution_id = $1 order by seq`, [
    id,
  ])
  return rows
}

/** Resolves when the condition is true; the test's time limit bounds it. */
async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** An effect that the test ends. */
function gate() {
  const opened = Promise.withResolvers<null>()
  const entered = Promise.withResolvers<AbortSignal>()
  return {
    entered: entered.promise,
    open: () => opened.resolve(null),
    effect: ({ signal }: { readonly signal: AbortSignal }) => {
      entered.resolve(signal)
      return Promise.race([
        opened.promise,
        new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
      ])
    },
  }
}

test('an execution without effects has ended in the database before it is acknowledged', async () => {
  const db = await database()
  const { start } = await engineOn(db, { workflows: { pure: workflowOf(set(1), set({ answer: 42 })) } })
  const started = await start('pure', { question: '\u0000 "é"' })
  const { state, output, input, claimed_by: claimedBy } = await row(db, started.id)
  expect(started).toMatchObject({ snapshot: { state: 'completed', output: { answer: 42 } } })
  expect({ state, output: JSON.parse(output), input: JSON.parse(input), claimedBy }).toEqual({
    state: 'completed',
    output: { answer: 42 },
    input: { question: '\u0000 "é"' },
    claimedBy: null,
  })
})

test('an effect starts only when everything before it is committed', async () => {
  const db = await database()
  const seen: unknown[] = []
  const look = async ({ executionId }: { readonly executionId: string }) => {
    seen.push({ state: (await row(db, executionId))?.state, entries: (await journalOf(db, executionId)).length })
    return null
  }
  const { start, outcome } = await engineOn(db, {
    workflows: { three: workflowOf(call('look'), call('look'), call('look')) },
    functions: { look },
  })
  const { id } = await start('three')
  expect((await outcome(id))?.state).toBe('completed')
  expect(seen).toEqual([
    { state: 'running', entries: 0 },
    { state: 'running', entries: 1 },
    { state: 'running', entries: 2 },
  ])
  expect((await journalOf(db, id)).map(({ seq, position, kind, ok }) => ({ seq, position, kind, ok }))).toEqual(
    [0, 1, 2].map((seq) => ({ seq, position: `/do/${seq}/task${seq}`, kind: 'look', ok: true })),
  )
})

test('a fault is stored with its status, its detail and the position of the task that raised it', async () => {
  const db = await database()
  const broken = async () => {
    throw standardError('communication', 'no route')
  }
  const { start, outcome } = await engineOn(db, { workflows: { broken: workflowOf(call('broken')) }, functions: { broken } })
  const { id } = await start('broken')
  expect(await outcome(id)).toMatchObject({ state: 'faulted', error: { status: 500, detail: 'no route', instance: '/do/0/task0' } })
})

test('an execution whose output cannot be stored faults, and the other executions of its batch complete', async () => {
  const db = await database()
  let deep: Json = 1
  for (let level = 0; level < 100_000; level++) deep = [deep]
  const value = deep
  const { start, engine, outcome } = await engineOn(db, {
    workflows: { good: workflowOf(call('small')), evil: workflowOf(call('deep')) },
    functions: { small: async () => 'fine', deep: async () => value },
  })
  const begun = await Promise.all(['evil', ...Array.from({ length: 20 }, () => 'good'), 'evil'].map((name) => start(name)))
  const ends = await Promise.all(begun.map(({ id }) => outcome(id)))
  expect(ends.filter((end) => end?.state === 'completed')).toHaveLength(20)
  const fault = { state: 'faulted', error: { title: 'Not storable', detail: expect.stringContaining('/do/0/task0') } }
  expect([ends[0], ends.at(-1)]).toMatchObject([fault, fault])
  expect(await engine.verify(accountId, begun[0]?.id ?? '')).toMatchObject({ difference: undefined })
  expect((await db.pool.query('select from executions where crash_count > 0')).rowCount).toBe(0)
})

test('an execution in a long wait is parked without a claim and continues no earlier than it is due', async () => {
  const db = await database()
  const { start, outcome, engine } = await engineOn(db, { workflows: { slow: workflowOf(wait(1_500), set('done')) } })
  const begunAtMs = Date.now()
  const { id } = await start('slow')
  await until(async () => (await row(db, id)).state === 'waiting')
  expect((await row(db, id)).claimed_by).toBeNull()
  expect(engine.live()).toBe(0)
  expect(await outcome(id)).toMatchObject({ state: 'completed', output: 'done' })
  expect(Date.now() - begunAtMs).toBeGreaterThanOrEqual(1_500)
})

test('an execution that is accepted by a process without free capacity runs in another process', async () => {
  const db = await database()
  const workflows = { pure: workflowOf(set('here')) }
  const api = await engineOn(db, { workflows, liveMax: 0 })
  const { id } = await api.start('pure')
  expect((await row(db, id)).state).toBe('pending')
  await engineOn(db, { workflows })
  expect(await api.outcome(id)).toMatchObject({ state: 'completed', output: 'here' })
})

test('a child starts once, with its journal entry, and its output becomes the output of the task', async () => {
  const db = await database()
  const workflows = { parent: workflowOf(set('in'), runWorkflow('child')), child: workflowOf(call('echo')) }
  const { start, outcome } = await engineOn(db, { workflows, functions: { echo: async ({ input }) => ({ got: input }) } })
  const { id } = await start('parent')
  expect(await outcome(id)).toMatchObject({ state: 'completed', output: { got: 'in' } })
  expect((await journalOf(db, id)).map(({ phase, kind }) => `${phase} ${kind}`)).toEqual(['started workflow', 'ended workflow'])
  const { rows } = await db.pool.query(`select parent_id, depth from executions where parent_id is not null`)
  expect(rows).toEqual([{ parent_id: id, depth: 1 }])
})

test('a parked parent continues when its child ends in another process', async () => {
  const db = await database()
  const workflows = { parent: workflowOf(runWorkflow('child'), set('after')), child: workflowOf(wait(2_500), set('x')) }
  const one = await engineOn(db, { workflows })
  await engineOn(db, { workflows })
  const { id } = await one.start('parent')
  await until(async () => (await row(db, id)).state === 'waiting')
  expect(await one.outcome(id)).toMatchObject({ state: 'completed', output: 'after' })
})

test('a fault of a child is the fault of the task that ran it', async () => {
  const db = await database()
  const workflows = { parent: workflowOf(runWorkflow('child')), child: workflowOf(call('nowhere')) }
  const { start, outcome } = await engineOn(db, { workflows })
  expect(await outcome((await start('parent')).id)).toMatchObject({ state: 'faulted', error: { status: 400 } })
})

test('a cancel aborts a running effect', async () => {
  const db = await database()
  const blocked = gate()
  const { start, outcome, engine } = await engineOn(db, {
    workflows: { blocked: workflowOf(call('blocked'), call('blocked')) },
    functions: { blocked: blocked.effect },
  })
  const { id } = await start('blocked')
  const signal = await blocked.entered
  expect(await engine.cancel(accountId, id)).toBe('requested')
  expect((await outcome(id))?.state).toBe('cancelled')
  expect(signal.aborted).toBe(true)
})

test('a cancel reaches an execution that another process runs', async () => {
  const db = await database()
  const blocked = gate()
  const settings = { workflows: { blocked: workflowOf(call('blocked')) }, functions: { blocked: blocked.effect } }
  const one = await engineOn(db, settings)
  const other = await engineOn(db, { ...settings, liveMax: 0 })
  const { id } = await one.start('blocked')
  await blocked.entered
  expect(await other.engine.cancel(accountId, id)).toBe('requested')
  expect((await other.outcome(id))?.state).toBe('cancelled')
})

test('a cancel ends a waiting execution and the child that it waits for', async () => {
  const db = await database()
  const workflows = { parent: workflowOf(runWorkflow('child')), child: workflowOf(wait(60_000)) }
  const { start, outcome, engine } = await engineOn(db, { workflows })
  const { id } = await start('parent')
  await until(async () => (await row(db, id)).state === 'waiting')
  await engine.cancel(accountId, id)
  expect((await outcome(id))?.state).toBe('cancelled')
  const { rows } = await db.pool.query(`select id from executions where parent_id = $1`, [id])
  expect((await outcome(rows[0].id))?.state).toBe('cancelled')
})

test('a cancel reports that an execution has ended, and does not find an execution of another account', async () => {
  const db = await database()
  const { start, engine } = await engineOn(db, { workflows: { pure: workflowOf(set(1)) } })
  const { id } = await start('pure')
  expect(await engine.cancel(accountId, id)).toBe('ended')
  expect(await engine.cancel(newUuid(), id)).toBe('unknown')
  expect(await engine.outcome(newUuid(), id, 0)).toBeUndefined()
})

test('the loser of a race is cancelled with the child that it waits for', async () => {
  const db = await database()
  const workflows = { race: workflowOf(fork(true, runWorkflow('slow'), wait(3_000))), slow: workflowOf(wait(60_000)) }
  const { start, outcome } = await engineOn(db, { workflows })
  const { id } = await start('race')
  expect((await outcome(id))?.state).toBe('completed')
  const { rows } = await db.pool.query(`select id from executions where parent_id = $1`, [id])
  expect((await outcome(rows[0].id))?.state).toBe('cancelled')
})

test('one idempotency key starts one execution, however many requests race', async () => {
  const db = await database()
  const { start } = await engineOn(db, {
    workflows: { pure: workflowOf(set(1)), effect: workflowOf(call('no')) },
    functions: { no: async () => null },
  })
  for (const name of ['pure', 'effect']) {
    const key = { key: `${name}-key`, digest: 'a' }
    const started = await Promise.all(Array.from({ length: 20 }, () => start(name, {}, key)))
    expect(new Set(started.map(({ id }) => id)).size).toBe(1)
    expect(started.filter(({ replayed }) => !replayed)).toHaveLength(1)
    await expect(start(name, {}, { ...key, digest: 'b' })).rejects.toThrow(IdempotencyConflict)
  }
  const { rows } = await db.pool.query(`select count(*)::int as count from executions`)
  expect(rows).toEqual([{ count: 2 }])
})

test('an execution of a process without heartbeats continues in another process, which does not repeat journalled effects', async () => {
  const db = await database()
  const done: string[] = []
  const blocked = gate()
  const functions = (who: string, second: NonNullable<EngineSettings['functions']>[string]) => ({
    first: async () => {
      done.push(`first ${who}`)
      return null
    },
    second,
  })
  const workflows = { two: workflowOf(call('first'), call('second'), set('end')) }
  const silent = await engineOn(db, { workflows, host: 'elsewhere', functions: functions('silent', blocked.effect) })
  const { id } = await silent.start('two')
  await blocked.entered
  const second = async () => {
    done.push('second other')
    return null
  }
  const other = await engineOn(db, { workflows, functions: functions('other', second) })
  await db.pool.query(`update processes set heartbeat_at = now() - interval '1 minute' where host = 'elsewhere'`)
  await db.pool.query(`update executions set claimed_by = $1 where id = $2`, [newUuid(), id])
  expect(await other.outcome(id)).toMatchObject({ state: 'completed', output: 'end' })
  expect(done).toEqual(['first silent', 'second other'])
})

test('a fenced process can write nothing', async () => {
  const db = await database()
  const blocked = gate()
  const workflows = { blocked: workflowOf(call('blocked'), set('end')) }
  const slow = await engineOn(db, { workflows, functions: { blocked: blocked.effect } })
  const { id } = await slow.start('blocked')
  await blocked.entered
  await db.pool.query(`delete from processes`)
  blocked.open()
  await until(() => slow.engine.live() === 0)
  expect(await journalOf(db, id)).toEqual([])
  expect((await row(db, id)).state).toMatch(/running|pending/)
})

test('an execution that keeps crashing its process becomes a dead letter, and its parent faults', async () => {
  const db = await database()
  const blocked = gate()
  const settings = {
    workflows: { parent: workflowOf(runWorkflow('killer')), killer: workflowOf(call('blocked')) },
    functions: { blocked: () => blocked.effect({ signal: new AbortController().signal }) },
  }
  const one = await engineOn(db, { ...settings })
  const { id } = await one.start('parent')
  const child = async () => (await db.pool.query(`select * from executions where parent_id = $1`, [id])).rows[0]
  await until(async () => (await child())?.state === 'running')
  // Simulates its last permitted crash: its claim names a process that does not exist.
  await db.pool.query(`update executions set claimed_by = $1, crash_count = 11 where parent_id = $2`, [newUuid(), id])
  await until(async () => (await child()).state === 'faulted')
  // The process that runs it has not noticed that its claim is gone, and waits for the end of its own run.
  const other = await engineOn(db, { ...settings, liveMax: 0 })
  expect(await other.outcome((await child()).id)).toMatchObject({ state: 'faulted', error: { title: 'Dead letter' } })
  const { rows } = await db.pool.query(`select execution_id, attempts, payload from dead_letters`)
  expect(rows).toEqual([{ execution_id: (await child()).id, attempts: 12, payload: expect.stringContaining('"input"') }])
  expect(await one.outcome(id)).toMatchObject({ state: 'faulted', error: { title: 'Dead letter' } })
  blocked.open()
})

test('every retry repeats an unfinished effect under the idempotency key of its first attempt', async () => {
  const db = await database()
  const keys: string[] = []
  let respondsNow = false
  const { start, engine, outcome } = await engineOn(db, {
    workflows: { pays: workflowOf(call('pay'), call('pay')) },
    functions: {
      async pay({ idempotencyKey, signal }) {
        keys.push(idempotencyKey)
        if (respondsNow) return null
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
      },
    },
  })
  let { id } = await start('pays')
  for (let retries = 0; retries < 2; retries++) {
    await until(() => keys.length === retries + 1)
    await engine.cancel(accountId, id)
    expect(await outcome(id)).toMatchObject({ state: 'cancelled' })
    respondsNow = retries === 1
    const retried = await engine.retry(accountId, id, { actor: 'user:test' })
    if (retried.kind !== 'started') throw new Error(retried.kind)
    id = retried.id
  }
  expect(await outcome(id)).toMatchObject({ state: 'completed' })
  expect(new Set(keys.slice(0, 3)).size).toBe(1)
  expect(keys).toHaveLength(4)
  expect(keys[3]).toContain(id)
})

test('an engine that closes hands over executions that do not end in time, and another process completes them', async () => {
  const db = await database()
  const blocked = gate()
  const workflows = { blocked: workflowOf(call('blocked'), set('end')) }
  const one = await createTestEngine(db, { workflows, functions: { blocked: blocked.effect } })
  const { id } = await one.start('blocked')
  await blocked.entered
  await one.engine.close(Date.now() + 2_500)
  expect(await row(db, id)).toMatchObject({ state: 'pending', claimed_by: null })
  const other = await engineOn(db, { workflows, functions: { blocked: async () => null } })
  expect(await other.outcome(id)).toMatchObject({ state: 'completed', output: 'end' })
  const { rows } = await db.pool.query(`select count(*)::int as count from processes`)
  expect(rows).toEqual([{ count: 1 }])
})

test('an engine that closes waits for an effect that ends in time, and journals its outcome', async () => {
  const db = await database()
  const blocked = gate()
  const workflows = { blocked: workflowOf(call('blocked'), call('blocked')) }
  const one = await createTestEngine(db, { workflows, functions: { blocked: blocked.effect } })
  const { id } = await one.start('blocked')
  await blocked.entered
  const closed = one.engine.close(Date.now() + 8_000)
  blocked.open()
  await closed
  expect(await journalOf(db, id)).toHaveLength(1)
  expect((await row(db, id)).state).toBe('pending')
})

test('executions complete although every connection to the database is cut', async () => {
  const db = await database()
  const workflows = { waits: workflowOf(call('short'), call('short'), set('end')) }
  const short = () => new Promise<null>((resolve) => setTimeout(() => resolve(null), 150))
  const { start, outcome } = await engineOn(db, { workflows, functions: { short } })
  const started = await Promise.all(Array.from({ length: 20 }, () => start('waits')))
  await db.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  )
  for (const { id } of started) expect(await outcome(id)).toMatchObject({ state: 'completed', output: 'end' })
})
