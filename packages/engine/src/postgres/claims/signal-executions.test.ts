import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExecutionState } from '#core/execution-state.ts'
import type { ExecutionHead } from '#durable/ports/execution.ts'
import { createEngineDatabase, type EngineDatabase } from '#testing/database.ts'
import { acceptOf, executionIn, headOf, openParts, type PostgresParts, writeOf } from '#testing/postgres-parts.ts'
import { newUuid } from '#testing/uuid.ts'
import { tell } from './signal-executions.ts'

let database: EngineDatabase
let here: PostgresParts
let elsewhere: PostgresParts
beforeAll(async () => {
  database = await createEngineDatabase()
  here = await openParts(database)
  elsewhere = await openParts(database)
})
afterAll(() => database[Symbol.asyncDispose]())

/** An execution in this state, which one of the two processes runs if any does. */
async function execution(state: ExecutionState, { journal }: PostgresParts = here): Promise<ExecutionHead> {
  const head = headOf()
  await journal.write(acceptOf(head, state !== 'pending'))
  if (state === 'waiting') await journal.write(writeOf(head, { progress: { state, wakeAtMs: undefined } }))
  else if (state !== 'running' && state !== 'pending')
    await database.pool.query(`update executions set state = $2, claimed_by = null where id = $1`, [head.id, state])
  return head
}

const say = (
  to: { readonly parents?: readonly ExecutionHead[]; readonly cancels?: readonly ExecutionHead[] },
  client: Parameters<typeof tell>[0] = database.pool,
) =>
  tell(client, {
    parents: (to.parents ?? []).map(({ id }) => id),
    cancels: (to.cancels ?? []).map(({ id }) => id),
    by: here.identity.id(),
  })

const marks = async ({ id }: ExecutionHead) => {
  const row = await executionIn(database, id)
  return { told: row?.['signalled_at'] instanceof Date, cancelled: row?.['cancel_requested_at'] instanceof Date }
}

const jobFor = ({ id, accountId }: ExecutionHead) => ({ executionId: id, accountId, afterMs: undefined })

/** Who is rung for meanwhile. */
async function rungFor(act: (client: Parameters<typeof tell>[0]) => Promise<unknown>): Promise<readonly string[]> {
  const rung: string[] = []
  await act({
    query: (...given: unknown[]) => {
      const [config] = given
      if (
        typeof config === 'object' &&
        config !== null &&
        'name' in config &&
        config.name === 'ring' &&
        'values' in config &&
        Array.isArray(config.values)
      )
        rung.push(...String(config.values[0]).split(' '))
      return Reflect.apply(database.pool.query, database.pool, given)
    },
  })
  return rung
}

describe('something that happened to an execution', () => {
  test.each<[state: ExecutionState, told: boolean, woken: boolean]>([
    ['pending', true, false],
    ['running', true, false],
    ['waiting', true, true],
    ['suspended', true, false],
    ['completed', false, false],
    ['faulted', false, false],
    ['cancelled', false, false],
  ])('that is %s: it is told %s, and put on the queue %s', async (state, told, woken) => {
    const head = await execution(state)
    expect(await say({ parents: [head] })).toEqual(woken ? [jobFor(head)] : [])
    expect(await marks(head)).toEqual({ told, cancelled: false })
  })

  test('reaches each of many, and none that was not meant', async () => {
    const [one, other, unmeant] = [await execution('waiting'), await execution('waiting'), await execution('waiting')]
    const jobs = await say({ parents: [one, other] })
    expect(new Set(jobs.map(({ executionId }) => executionId))).toEqual(new Set([one.id, other.id]))
    expect(await marks(unmeant)).toEqual({ told: false, cancelled: false })
  })

  test('twice in one breath is one job', async () => {
    const head = await execution('waiting')
    expect(await say({ parents: [head, head], cancels: [head] })).toEqual([jobFor(head)])
  })

  test('that is not there says nothing', async () => {
    expect(await say({ parents: [headOf({ id: newUuid() })] })).toEqual([])
  })
})

describe('an execution that nobody waits for any more', () => {
  test.each<[state: ExecutionState, asked: boolean, woken: boolean]>([
    ['pending', true, false],
    ['running', true, false],
    ['waiting', true, true],
    // Held or not, it is to end.
    ['suspended', true, true],
    ['completed', false, false],
  ])('and is %s: it is asked to end %s, and put on the queue for it %s', async (state, asked, woken) => {
    const head = await execution(state)
    expect(await say({ cancels: [head] })).toEqual(woken ? [jobFor(head)] : [])
    expect(await marks(head)).toEqual({ told: asked, cancelled: asked })
  })

  test('was asked to end when it was asked first', async () => {
    const head = await execution('running')
    await say({ cancels: [head] })
    const first = (await executionIn(database, head.id))?.['cancel_requested_at']
    await say({ cancels: [head] })
    await say({ parents: [head] })
    expect((await executionIn(database, head.id))?.['cancel_requested_at']).toEqual(first)
  })
})

describe('the process that runs an execution', () => {
  test('is rung for when it is another one, with the executions that are meant', async () => {
    const [own, foreign, parked] = [await execution('running', here), await execution('running', elsewhere), await execution('waiting')]
    expect(await rungFor((client) => say({ parents: [own, foreign, parked] }, client))).toEqual([foreign.id])
  })

  test('is not rung for when nothing of it was meant', async () => {
    const own = await execution('running', here)
    expect(await rungFor((client) => say({ parents: [own] }, client))).toEqual([])
    expect(await rungFor((client) => say({}, client))).toEqual([])
  })
})

test('what is told in a transaction that is undone was never told', async () => {
  const head = await execution('waiting')
  const client = await database.pool.connect()
  await client.query('begin')
  await say({ cancels: [head] }, client)
  await client.query('rollback')
  client.release()
  expect(await marks(head)).toEqual({ told: false, cancelled: false })
})

test('many that tell one another’s executions at once wait for no circle', async () => {
  const heads = await Promise.all(Array.from({ length: 12 }, () => execution('waiting')))
  const orders = Array.from({ length: 12 }, (_, turn) => [...heads.slice(turn), ...heads.slice(0, turn)])
  const told = await Promise.all(orders.map((order, turn) => say(turn % 2 === 0 ? { parents: order } : { cancels: order.toReversed() })))
  expect(told.every((jobs) => jobs.length === heads.length)).toBe(true)
})
