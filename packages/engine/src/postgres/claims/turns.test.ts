import { afterEach, expect, test } from 'vitest'
import type { CompiledWorkflow } from '#core/node.ts'
import { createEngineDatabase, type EngineDatabase } from '#testing/database.ts'
import { accountId, createTestEngine, type EngineSettings, type TestEngine } from '#testing/engines.ts'
import { call, runWorkflow, workflowOf } from '#testing/nodes.ts'

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

const limited = (concurrency: number, workflow: CompiledWorkflow): CompiledWorkflow => ({ ...workflow, concurrency })

/** Effects that wait until the test lets one of them end. */
function workbench() {
  const working: (() => void)[] = []
  const begun: string[] = []
  let most = 0
  return {
    begun,
    most: () => most,
    working: () => working.length,
    finishOne: () => working.shift()?.(),
    work: ({ executionId }: { readonly executionId: string }) => {
      begun.push(executionId)
      const { promise, resolve } = Promise.withResolvers<null>()
      working.push(() => resolve(null))
      most = Math.max(most, working.length)
      return promise
    },
  }
}

/** Resolves when so many executions have a turn or wait for one. */
function known({ pool }: EngineDatabase, count: number): Promise<void> {
  return expect.poll(async () => (await pool.query('select from execution_turns')).rowCount).toBe(count)
}

async function statesOf({ pool }: EngineDatabase): Promise<readonly string[]> {
  const { rows } = await pool.query<{ state: string }>('select state from executions order by id')
  return rows.map(({ state }) => state)
}

test('executions of a workflow with a limit run in the order of their starts, at most so many at once over all processes', async () => {
  const db = await database()
  const bench = workbench()
  const settings = { workflows: { careful: limited(2, workflowOf(call('work'))) }, functions: { work: bench.work } }
  const engines = [await engineOn(db, settings), await engineOn(db, { ...settings, host: 'there' })]
  const ids: string[] = []
  for (let index = 0; index < 9; index++) {
    ids.push((await engines[index % 2]?.start('careful'))?.id ?? '')
    await known(db, ids.length)
  }
  await expect.poll(() => bench.working()).toBe(2)
  expect(await statesOf(db)).toEqual(['running', 'running', ...Array.from({ length: 7 }, () => 'pending')])
  while (bench.begun.length < ids.length) {
    const { length } = bench.begun
    bench.finishOne()
    await expect.poll(() => bench.begun.length).toBe(length + 1)
  }
  bench.finishOne()
  bench.finishOne()
  await expect.poll(() => statesOf(db)).toEqual(ids.map(() => 'completed'))
  expect(bench.begun).toEqual(ids)
  expect(bench.most()).toBe(2)
  await known(db, 0)
})

test('an execution that waits for its turn is cancelled at once, and one that is suspended lets the next one pass', async () => {
  const db = await database()
  const bench = workbench()
  const { engine, start, outcome } = await engineOn(db, {
    workflows: { careful: limited(1, workflowOf(call('work'))) },
    functions: { work: bench.work },
  })
  const [first, second, third, fourth] = [await start('careful'), await start('careful'), await start('careful'), await start('careful')]
  await known(db, 4)
  expect(await engine.cancel(accountId, second.id)).toBe('requested')
  expect(await outcome(second.id)).toMatchObject({ state: 'cancelled' })
  expect(await engine.suspend(accountId, third.id)).toBe('suspended')
  bench.finishOne()
  await expect.poll(() => bench.begun).toEqual([first.id, fourth.id])
  expect(await engine.resume(accountId, third.id)).toBe('resumed')
  await expect.poll(() => statesOf(db)).toEqual(['completed', 'cancelled', 'pending', 'running'])
  bench.finishOne()
  await expect.poll(() => bench.begun).toEqual([first.id, fourth.id, third.id])
  bench.finishOne()
  expect(await outcome(third.id)).toMatchObject({ state: 'completed' })
})

test('an execution that is suspended between its tasks leaves its turn to others, and waits for another one with its time of start when it is resumed', async () => {
  const db = await database()
  const bench = workbench()
  const { engine, start, outcome } = await engineOn(db, {
    workflows: { careful: limited(1, workflowOf(call('work'), call('work'))) },
    functions: { work: bench.work },
  })
  const [first, second] = [await start('careful'), await start('careful')]
  await known(db, 2)
  const startOf = async () => (await db.pool.query('select started_at from executions where id = $1', [first.id])).rows
  const started = await startOf()
  expect(await engine.suspend(accountId, first.id)).toBe('requested')
  bench.finishOne()
  await expect.poll(() => bench.begun).toEqual([first.id, second.id])
  expect(await engine.resume(accountId, first.id)).toBe('resumed')
  await expect.poll(() => statesOf(db)).toEqual(['pending', 'running'])
  bench.finishOne()
  await expect.poll(() => bench.begun).toEqual([first.id, second.id, second.id])
  bench.finishOne()
  await expect.poll(() => bench.begun).toEqual([first.id, second.id, second.id, first.id])
  bench.finishOne()
  expect(await outcome(first.id)).toMatchObject({ state: 'completed' })
  expect(await startOf()).toEqual(started)
  expect(bench.most()).toBe(1)
})

test('one of a version that permits more does not let those of another version exceed theirs', async () => {
  const db = await database()
  const bench = workbench()
  const { start } = await engineOn(db, { workflows: { careful: limited(1, workflowOf(call('work'))) }, functions: { work: bench.work } })
  const ids: string[] = []
  for (let index = 0; index < 5; index++) ids.push((await start('careful')).id)
  await known(db, 5)
  await db.pool.query('update execution_turns set turn_max = 4 where execution_id = $1', [ids.at(-1)])
  for (const begun of [2, 3]) {
    bench.finishOne()
    await expect.poll(() => bench.begun.length).toBe(begun)
  }
  expect(bench.most()).toBe(1)
  // The last may run beside the one before it.
  bench.finishOne()
  await expect.poll(() => bench.begun.toSorted()).toEqual(ids)
  bench.finishOne()
  bench.finishOne()
  await expect.poll(() => statesOf(db)).toEqual(ids.map(() => 'completed'))
  expect(bench.most()).toBe(2)
})

test('an execution that runs its own workflow does not wait for itself', async () => {
  const db = await database()
  let depth = 0
  const { start, outcome } = await engineOn(db, {
    workflows: {
      nested: limited(1, workflowOf(call('deeper'), runWorkflow('between'))),
      between: workflowOf(call('deeper'), runWorkflow('last')),
      last: workflowOf(call('deeper')),
    },
    functions: { deeper: async () => ++depth },
  })
  const { id } = await start('nested')
  expect(await outcome(id)).toMatchObject({ state: 'completed' })
  expect(depth).toBe(3)
})

test('the turn of an execution that ended without a process is passed on', async () => {
  const db = await database()
  const bench = workbench()
  const { start } = await engineOn(db, { workflows: { careful: limited(1, workflowOf(call('work'))) }, functions: { work: bench.work } })
  const { id: dead } = await start('careful')
  const { id: next } = await start('careful')
  await known(db, 2)
  await expect.poll(() => bench.begun).toEqual([dead])
  // As a dead letter: its process is gone, and recovery has ended it.
  await db.pool.query(`update executions set state = 'faulted', ended_at = now(), claimed_by = null where id = $1`, [dead])
  await expect.poll(() => bench.begun).toEqual([dead, next])
  bench.finishOne()
  bench.finishOne()
})

test('an execution whose process dies keeps its turn and continues', async () => {
  const db = await database()
  const bench = workbench()
  const settings = { workflows: { careful: limited(1, workflowOf(call('work'))) }, functions: { work: bench.work } }
  const { start } = await engineOn(db, { ...settings, host: 'there' })
  const { id: first } = await start('careful')
  const { id: second } = await start('careful')
  await known(db, 2)
  await expect.poll(() => bench.begun).toEqual([first])
  const { outcome } = await engineOn(db, settings)
  await db.pool.query(`delete from processes where host = 'there'`)
  await expect.poll(() => bench.begun).toEqual([first, first])
  expect(await statesOf(db)).toEqual(['running', 'pending'])
  bench.finishOne()
  bench.finishOne()
  await expect.poll(() => bench.begun).toEqual([first, first, second])
  bench.finishOne()
  expect(await outcome(second)).toMatchObject({ state: 'completed' })
})
