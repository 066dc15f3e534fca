import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { claimed, createFakeEngine, snapshot } from '#testing/fake-engine.ts'
import { settled } from '#testing/manual-journal.ts'
import { call, set, workflowOf } from '#testing/nodes.ts'
import { createEngine, IdempotencyConflict } from './engine.ts'

const request = {
  accountId: 'account',
  workflowId: 'wf',
  versionId: 'wfv',
  trigger: 'manual',
  actor: 'user:test',
  input: { x: 1 },
} as const
const keyed = { ...request, idempotency: { key: 'k', digest: 'd' } }

function setUp(liveMax = 10, workflow = workflowOf(set({ x: 1 }))) {
  const fake = createFakeEngine(workflow, { a: () => new Promise(() => undefined) })
  return { ...fake, engine: createEngine(fake.deps, { liveMax }) }
}

describe('start', () => {
  test('start returns the head and the result of an execution without effects', async () => {
    const { engine, journal } = setUp()
    const started = engine.start(request)
    await settled()
    expect(journal.pending).toMatchObject([
      { executionId: 'id-1', accept: { head: { input: { x: 1 }, trigger: 'manual', depth: 0 } }, progress: { state: 'completed' } },
    ])
    await journal.commit()
    const [write] = journal.submitted
    await expect(started).resolves.toEqual({
      id: 'id-1',
      replayed: false,
      head: write?.accept?.head,
      snapshot: snapshot('id-1', 'completed', {
        output: { x: 1 },
        startedAtMs: write?.accept?.startedAtMs,
        endedAtMs: expect.any(Number),
      }),
    })
  })

  test('start returns as soon as an execution with effects is accepted', async () => {
    const { engine, journal } = setUp(10, workflowOf(call('a')))
    const started = engine.start(request)
    await settled()
    await journal.commit()
    await expect(started).resolves.toMatchObject({ replayed: false, snapshot: { state: 'running', startedAtMs: expect.any(Number) } })
    expect(engine.live()).toBe(1)
  })

  test('without room, start only accepts the execution for another process', async () => {
    const { engine, journal } = setUp(0)
    const started = engine.start(request)
    await settled()
    expect(await journal.commit()).toMatchObject({ accept: { startedAtMs: undefined }, entries: [], progress: undefined })
    await expect(started).resolves.toMatchObject({ id: 'id-1', replayed: false, snapshot: snapshot('id-1', 'pending') })
  })

  test.each([0, 10])('start with a used idempotency key returns the first execution (room for %i)', async (liveMax) => {
    const { engine, journal, answers } = setUp(liveMax)
    answers.byKey = { id: 'earlier', digest: 'd' }
    const started = engine.start(keyed)
    await settled()
    await journal.refuse()
    await expect(started).resolves.toEqual({ id: 'earlier', replayed: true })
  })

  test('start rejects an idempotency key that was used with another request', async () => {
    const { engine, journal, answers } = setUp()
    answers.byKey = { id: 'earlier', digest: 'other' }
    const started = engine.start(keyed)
    started.catch(() => undefined)
    await journal.refuse()
    await expect(started).rejects.toBeInstanceOf(IdempotencyConflict)
  })

  test('start rejects if the commit of the acceptance is uncertain', async () => {
    const { engine, journal } = setUp()
    const started = engine.start(request)
    started.catch(() => undefined)
    await journal.fail()
    await expect(started).rejects.toThrow('the connection was lost')
  })
})

describe('outcome', () => {
  test('the outcome of an execution in this process needs no query', async () => {
    const { engine, journal, storeCalls } = setUp()
    const started = engine.start(request)
    await settled()
    const outcome = engine.outcome('account', 'id-1', 5_000)
    await journal.commit()
    await started
    await expect(outcome).resolves.toMatchObject({ state: 'completed' })
    expect(storeCalls).toEqual([])
  })

  test('the outcome of an execution in another process is read from the database', async () => {
    const { engine, answers } = setUp()
    answers.found = snapshot('e', 'faulted', { error: { type: 't', status: 500, title: 'x' } })
    await expect(engine.outcome('account', 'e', 5_000)).resolves.toEqual(answers.found)
  })

  test('the outcome of an execution that is still open after the timeout is its state', async () => {
    const { engine, answers, storeCalls } = setUp()
    answers.found = snapshot('e', 'waiting')
    await expect(engine.outcome('account', 'e', 30)).resolves.toMatchObject({ state: 'waiting' })
    expect(storeCalls.length).toBeGreaterThan(1)
  })

  test.each(['live', 'elsewhere'])('polling for an outcome stops when the caller aborts (%s)', async (where) => {
    const { engine, answers, storeCalls } = setUp(10, workflowOf(call('a')))
    answers.found = snapshot('id-1', 'running')
    if (where === 'live') void engine.start(request)
    await settled()
    const aborter = new AbortController()
    const outcome = engine.outcome('account', 'id-1', 60_000, aborter.signal)
    await settled()
    aborter.abort()
    await expect(outcome).resolves.toMatchObject({ state: 'running' })
    const queries = storeCalls.length
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(storeCalls).toHaveLength(queries)
  })

  test('the outcome of an unknown execution is undefined', async () => {
    await expect(setUp().engine.outcome('account', 'e', 5_000)).resolves.toBeUndefined()
  })
})

describe('cancel', () => {
  test.each(['cancelled', 'ended', 'unknown'] as const)('cancel returns %s as the store does', async (answer) => {
    const { engine, answers } = setUp()
    answers.cancel = answer
    await expect(engine.cancel('account', 'e')).resolves.toBe(answer)
  })

  test('cancel reaches a run of this process without a signal', async () => {
    const { engine, journal } = setUp(10, workflowOf(call('a')))
    const started = engine.start(request)
    await settled()
    await journal.commit()
    await started
    await expect(engine.cancel('account', 'id-1')).resolves.toBe('requested')
    expect(await journal.commit()).toMatchObject({ progress: { state: 'cancelled' } })
  })
})

describe('an engine at work', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  async function working(
    prepare: (it: ReturnType<typeof setUp>) => void = () => undefined,
    liveMax = 10,
    workflow = workflowOf(set({ x: 1 })),
  ) {
    const it = setUp(liveMax, workflow)
    prepare(it)
    await it.engine.work()
    await settled()
    return it
  }

  test('an engine registers its process before the first claim and unregisters it last', async () => {
    const { engine, storeCalls } = await working()
    await engine.close(Date.now())
    expect(storeCalls[0]).toBe('register')
    expect(storeCalls.at(-1)).toBe('unregister')
    expect(storeCalls).toContain('claim 10')
  })

  test('an engine claims an execution, runs it and completes its job', async () => {
    const { engine, journal, done } = await working(({ answers }) =>
      answers.taken.push({ jobId: 'job', suspect: false, execution: claimed('e1') }),
    )
    expect(await journal.commit()).toMatchObject({ executionId: 'e1', accept: undefined, progress: { state: 'completed' } })
    await engine.close(Date.now())
    expect(done).toEqual(['job'])
  })

  test('an engine claims only as many executions as it has room for', async () => {
    const { engine, storeCalls, answers, journal } = await working(
      ({ answers: store }) =>
        store.taken.push(
          { jobId: '1', suspect: false, execution: claimed('e1') },
          { jobId: '2', suspect: false, execution: claimed('e2') },
        ),
      1,
      workflowOf(call('a')),
    )
    expect(engine.live()).toBe(1)
    expect(answers.taken).toHaveLength(1)
    expect(storeCalls.filter((name) => name.startsWith('claim'))).toEqual(['claim 1'])
    const closed = engine.close(Date.now())
    await settled()
    await journal.commit()
    await closed
  })

  test('an engine without room claims nothing', async () => {
    const { engine, storeCalls } = await working(() => undefined, 0)
    await engine.close(Date.now())
    expect(storeCalls.some((name) => name.startsWith('claim'))).toBe(false)
  })

  test('a worker abandons an execution that fails to start, and reports it', async () => {
    const { engine, warnings, done } = await working(({ answers }) => {
      const execution = claimed('e1')
      answers.taken.push({ jobId: 'job', suspect: false, execution: { ...execution, head: { ...execution.head, versionId: 'missing' } } })
    })
    await engine.close(Date.now())
    expect(warnings).toContain('claimed execution failed to start')
    expect(done).toEqual(['job'])
  })

  test('a worker claims no crash suspect while another one runs, for half a minute at most', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    const { engine, journal, answers, suspectsMaxes } = await working(
      ({ answers: store }) => store.taken.push({ jobId: 'job', suspect: true, execution: claimed('e1') }),
      10,
      workflowOf(call('a')),
    )
    const lastAllowed = () => suspectsMaxes.at(-1)
    await expect.poll(lastAllowed).toBe(0)
    vi.setSystemTime(Date.now() + 30_000)
    await expect.poll(lastAllowed).toBe(1)
    answers.taken.push({ jobId: 'next', suspect: true, execution: claimed('e2') })
    await expect.poll(lastAllowed).toBe(0)
    const closed = engine.close(Date.now())
    await settled()
    await journal.commit()
    await journal.commit()
    await closed
  })

  test('a worker renews the heartbeats of running jobs', async () => {
    const { engine, journal, storeCalls } = await working(
      ({ answers }) => answers.taken.push({ jobId: 'job', suspect: false, execution: claimed('e1') }),
      10,
      workflowOf(call('a')),
    )
    vi.advanceTimersByTime(10_000)
    expect(storeCalls).toContain('touch job')
    const closed = engine.close(Date.now())
    await settled()
    await journal.commit()
    await closed
  })

  test('a worker cancels the executions for which the database has a cancel signal', async () => {
    const { engine, journal } = await working(
      ({ answers }) => {
        answers.taken.push({ jobId: 'job', suspect: false, execution: claimed('e1') })
      },
      10,
      workflowOf(call('a')),
    )
    const it = engine.cancel('account', 'e1')
    await it
    expect(await journal.commit()).toMatchObject({ executionId: 'e1', progress: { state: 'cancelled' } })
    await engine.close(Date.now())
  })

  test('a fenced process registers again and drops its runs', async () => {
    const { engine, storeCalls, warnings } = await working(({ answers }) => {
      answers.alive = false
    })
    await engine.close(Date.now())
    expect(storeCalls.filter((name) => name === 'register')).toHaveLength(2)
    expect(warnings).toContain('process fenced; its executions were reassigned')
  })

  test('the recovery of executions of dead processes is logged', async () => {
    const { engine, warnings } = await working(({ answers }) => {
      answers.recovered = { requeued: 2, deadLettered: 1 }
    })
    await engine.close(Date.now())
    expect(warnings).toContain('executions of dead processes were recovered')
  })

  test.each([
    ['heartbeat', 'heartbeat failed'],
    ['recover', 'recovery failed'],
    ['claim', 'failed to claim jobs'],
  ])('an engine continues after %s fails, and logs it', async (failing, warning) => {
    const { engine, warnings } = await working(({ answers }) => {
      answers.failing = failing
    })
    await engine.close(Date.now())
    expect(warnings).toContain(warning)
  })
})
