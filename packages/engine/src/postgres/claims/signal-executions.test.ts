import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExecutionState } from '#core/execution-state.ts'
import type { ExecutionHead } from '#durable/ports/execution.ts'
import { createEngineDatabase, type EngineDatabase } from '#testing/database.ts'
import { acceptOf, executionIn, headOf, openParts, type PostgresParts, writeOf } from '#testing/postgres-parts.ts'
import { newUuid } from '#testing/uuid.ts'
import { signalExecutions } from './signal-executions.ts'

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

const signal = (
  signals: { readonly wake?: readonly ExecutionHead[]; readonly cancel?: readonly ExecutionHead[] },
  client: Parameters<typeof signalExecutions>[0] = database.pool,
) =>
  signalExecutions(client, {
    wake: (signals.wake ?? []).map(({ id }) => id),
    cancel: (signals.cancel ?? []).map(({ id }) => id),
    signalledBy: here.identity.id(),
  })

const flagsOf = async ({ id }: ExecutionHead) => {
  const row = await executionIn(database, id)
  return { signalled: row?.['signalled_at'] instanceof Date, cancelled: row?.['cancel_requested_at'] instanceof Date }
}

const jobFor = ({ id, accountId }: ExecutionHead) => ({ executionId: id, accountId, notBeforeMs: undefined })

/** The executions that `act` sends notifications of. */
async function notifiedOf(act: (client: Parameters<typeof signalExecutions>[0]) => Promise<unknown>): Promise<readonly string[]> {
  const notified: string[] = []
  await act({
    query: (...given: unknown[]) => {
      const [config] = given
      if (
        typeof config === 'object' &&
        config !== null &&
        'name' in config &&
        config.name === 'notify' &&
        'values' in config &&
        Array.isArray(config.values)
      )
        notified.push(...String(config.values[0]).split(' '))
      return Reflect.apply(database.pool.query, database.pool, given)
    },
  })
  return notified
}

describe('a wake signal', () => {
  test.each<[state: ExecutionState, signalled: boolean, queued: boolean]>([
    ['pending', true, false],
    ['running', true, false],
    ['waiting', true, true],
    ['suspended', true, false],
    ['completed', false, false],
    ['faulted', false, false],
    ['cancelled', false, false],
  ])('for an execution that is %s is set: %s, and sends a job: %s', async (state, signalled, queued) => {
    const head = await execution(state)
    expect(await signal({ wake: [head] })).toEqual(queued ? [jobFor(head)] : [])
    expect(await flagsOf(head)).toEqual({ signalled, cancelled: false })
  })

  test('reaches all named executions and no other', async () => {
    const [first, second, unnamed] = [await execution('waiting'), await execution('waiting'), await execution('waiting')]
    const jobs = await signal({ wake: [first, second] })
    expect(new Set(jobs.map(({ executionId }) => executionId))).toEqual(new Set([first.id, second.id]))
    expect(await flagsOf(unnamed)).toEqual({ signalled: false, cancelled: false })
  })

  test('for an execution that is named twice sends one job', async () => {
    const head = await execution('waiting')
    expect(await signal({ wake: [head, head], cancel: [head] })).toEqual([jobFor(head)])
  })

  test('for an unknown execution has no effect', async () => {
    expect(await signal({ wake: [headOf({ id: newUuid() })] })).toEqual([])
  })
})

describe('a cancel signal', () => {
  test.each<[state: ExecutionState, requested: boolean, queued: boolean]>([
    ['pending', true, false],
    ['running', true, false],
    ['waiting', true, true],
    // A claim is needed so that its process can cancel its children.
    ['suspended', true, true],
    ['completed', false, false],
  ])('for an execution that is %s is set: %s, and sends a job: %s', async (state, requested, queued) => {
    const head = await execution(state)
    expect(await signal({ cancel: [head] })).toEqual(queued ? [jobFor(head)] : [])
    expect(await flagsOf(head)).toEqual({ signalled: requested, cancelled: requested })
  })

  test('keeps the time of the first request', async () => {
    const head = await execution('running')
    await signal({ cancel: [head] })
    const first = (await executionIn(database, head.id))?.['cancel_requested_at']
    await signal({ cancel: [head] })
    await signal({ wake: [head] })
    expect((await executionIn(database, head.id))?.['cancel_requested_at']).toEqual(first)
  })
})

describe('the notification of a signal', () => {
  test('names the executions that other processes run', async () => {
    const [own, foreign, parked] = [await execution('running', here), await execution('running', elsewhere), await execution('waiting')]
    expect(await notifiedOf((client) => signal({ wake: [own, foreign, parked] }, client))).toEqual([foreign.id])
  })

  test('is not sent for executions of the signalling process', async () => {
    const own = await execution('running', here)
    expect(await notifiedOf((client) => signal({ wake: [own] }, client))).toEqual([])
    expect(await notifiedOf((client) => signal({}, client))).toEqual([])
  })
})

test('a signal of a transaction that is rolled back is not set', async () => {
  const head = await execution('waiting')
  const client = await database.pool.connect()
  await client.query('begin')
  await signal({ cancel: [head] }, client)
  await client.query('rollback')
  client.release()
  expect(await flagsOf(head)).toEqual({ signalled: false, cancelled: false })
})

test('concurrent signals for the same executions cause no deadlock', async () => {
  const heads = await Promise.all(Array.from({ length: 12 }, () => execution('waiting')))
  const orders = Array.from({ length: 12 }, (_, turn) => [...heads.slice(turn), ...heads.slice(0, turn)])
  const jobsOfAll = await Promise.all(
    orders.map((order, turn) => signal(turn % 2 === 0 ? { wake: order } : { cancel: order.toReversed() })),
  )
  expect(jobsOfAll.every((jobs) => jobs.length === heads.length)).toBe(true)
})
