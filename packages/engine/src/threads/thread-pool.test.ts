import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createThreadPool, type ThreadPoolOptions } from './thread-pool.ts'
import { type Thread, ThreadFailedError } from './thread.ts'

/** A job that says how it ends, when the test lets it. */
interface Job {
  readonly name: string
  readonly done: PromiseWithResolvers<string>
}

function jobOf(name: string): Job {
  return { name, done: Promise.withResolvers() }
}

/** Threads of which the tests see which job each has. They speak the protocol of `Thread`, without a thread. */
function createStage(options: Partial<ThreadPoolOptions<Job, string>> = {}, processorMs = () => performance.now()) {
  const running: Job[] = []
  let started = 0
  const stopped = new Set<unknown>()
  const start = async (_signal: AbortSignal): Promise<Thread<Job, string>> => {
    started += 1
    const ended = Promise.withResolvers<void>()
    const stopping = Promise.withResolvers<string>()
    stopping.promise.catch(() => undefined)
    return {
      ended: ended.promise,
      processorMs: async () => processorMs(),
      async run(job) {
        running.push(job)
        try {
          return await Promise.race([job.done.promise, stopping.promise])
        } finally {
          running.splice(running.indexOf(job), 1)
        }
      },
      async stop() {
        stopped.add(ended)
        stopping.reject(new ThreadFailedError({ kind: 'crashed', reason: 'stopped' }))
        ended.resolve()
      },
    }
  }
  const pool = createThreadPool<Job, string>({
    start,
    threadsMax: 2,
    threadsMaxContended: 4,
    idleMs: 60_000,
    queuedMax: 100,
    processorMsMax: 60_000,
    late: () => 'late',
    crashed: ({ kind, reason }) => `${kind}: ${reason}`,
    isSpent: (outcome) => outcome === 'spent',
    ...options,
  })
  return { pool, start, started: () => started, stopped: () => stopped.size, names: () => running.map(({ name }) => name) }
}

type Stage = ReturnType<typeof createStage>

/** Runs all of these jobs of an account, ignoring those that the pool refuses at the end of a test. */
function runAll({ pool }: Stage, accountId: string, jobs: readonly Job[]): void {
  for (const job of jobs) pool.run(job, { accountId }).catch(() => undefined)
}

const many = (name: string, count: number) => Array.from({ length: count }, (_, index) => jobOf(`${name}${index}`))

describe('an account that has all threads', () => {
  test('uses no more than the usual ones', async () => {
    const stage = createStage()
    runAll(stage, 'a', many('a', 10))
    await vi.waitFor(() => expect(stage.names()).toEqual(['a0', 'a1']))
    expect(stage.pool.size()).toBe(2)
  })

  test('does not delay another: its job gets a further thread', async () => {
    const stage = createStage()
    runAll(stage, 'a', many('a', 60))
    await vi.waitFor(() => expect(stage.names()).toEqual(['a0', 'a1']))
    runAll(stage, 'b', many('b', 3))
    await vi.waitFor(() => expect(stage.names()).toEqual(['a0', 'a1', 'b0']))
    expect(stage.pool.size()).toBe(3)
  })

  test('does not get the further thread when that is free', async () => {
    const stage = createStage()
    runAll(stage, 'a', many('a', 60))
    const b = jobOf('b')
    runAll(stage, 'b', [b])
    await vi.waitFor(() => expect(stage.names()).toEqual(['a0', 'a1', 'b']))
    b.done.resolve('done')
    await vi.waitFor(() => expect(stage.names()).toEqual(['a0', 'a1']))
    const c = jobOf('c')
    runAll(stage, 'c', [c])
    await vi.waitFor(() => expect(stage.names()).toEqual(['a0', 'a1', 'c']))
    expect(stage.started()).toBe(3)
  })

  test('leaves its threads to others as its jobs end, all but one', async () => {
    const stage = createStage({ threadsMaxContended: 2 })
    const first = many('a', 60)
    runAll(stage, 'a', first)
    await vi.waitFor(() => expect(stage.names()).toEqual(['a0', 'a1']))
    const second = many('b', 2)
    runAll(stage, 'b', second)
    first[0]?.done.resolve('done')
    await vi.waitFor(() => expect(stage.names()).toEqual(['a1', 'b0']))
    second[0]?.done.resolve('done')
    await vi.waitFor(() => expect(stage.names()).toEqual(['a1', 'b1']))
  })
})

test('there are never more threads than allowed under contention', async () => {
  const stage = createStage()
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) runAll(stage, name, many(name, 2))
  await vi.waitFor(() => expect(stage.names()).toEqual(['a0', 'a1', 'b0', 'c0']))
  expect(stage.pool.size()).toBe(4)
})

test('an outcome that spends its thread has it replaced', async () => {
  const stage = createStage({ threadsMax: 1, threadsMaxContended: 1 })
  const jobs = many('a', 2)
  runAll(stage, 'a', jobs)
  jobs[0]?.done.resolve('spent')
  await vi.waitFor(() => expect(stage.names()).toEqual(['a1']))
  expect([stage.started(), stage.pool.size()]).toEqual([2, 1])
})

test('a job that takes too much processor time ends with its thread, and the next one is performed', async () => {
  const stage = createStage({ threadsMax: 1, threadsMaxContended: 1, processorMsMax: 20 })
  const [endless, next] = [jobOf('endless'), jobOf('next')]
  next.done.resolve('done')
  const outcomes = [endless, next].map((job) => stage.pool.run(job, { accountId: 'a' }))
  expect(await Promise.all(outcomes)).toEqual(['late', 'done'])
})

describe('a job that was kept from the processor', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('is not stopped', async () => {
    const stage = createStage({ processorMsMax: 1_000 }, () => 0)
    const job = jobOf('starved')
    const outcome = stage.pool.run(job, { accountId: 'a' })
    await vi.advanceTimersByTimeAsync(5_000)
    job.done.resolve('done')
    expect(await outcome).toBe('done')
  })

  test('ends after six times its processor time', async () => {
    const stage = createStage({ processorMsMax: 1_000 }, () => 0)
    const outcome = stage.pool.run(jobOf('idle'), { accountId: 'a' })
    await vi.advanceTimersByTimeAsync(8_000)
    expect(await outcome).toBe('late')
  })
})

test('a thread that fails is an outcome of its job', async () => {
  const stage = createStage()
  const job = jobOf('a')
  const outcome = stage.pool.run(job, { accountId: 'a' })
  job.done.reject(new ThreadFailedError({ kind: 'memory', reason: 'the heap is full' }))
  expect(await outcome).toBe('memory: the heap is full')
  await vi.waitFor(() => expect(stage.pool.size()).toBe(0))
})

test('a job whose threads cannot be started is refused as unavailable', async () => {
  const stage = createStage({ startRetryMs: 1, start: () => Promise.reject(new Error('no threads today')) })
  await expect(stage.pool.run(jobOf('a'), { accountId: 'a' })).rejects.toMatchObject({
    kind: 'unavailable',
    message: 'no thread could be started: Error: no threads today',
  })
  expect(stage.pool.size()).toBe(0)
})

test('a start that fails once is tried again', async () => {
  let starts = 0
  const stage = createStage()
  const flaky = createStage({
    startRetryMs: 1,
    start: (signal) => (++starts === 1 ? Promise.reject(new Error('no memory')) : stage.start(signal)),
  })
  const job = jobOf('a')
  job.done.resolve('done')
  expect(await flaky.pool.run(job, { accountId: 'a' })).toBe('done')
  expect(starts).toBe(2)
})

test('closing waits for threads that are starting, and stops them', async () => {
  const late = Promise.withResolvers<void>()
  const stage = createStage()
  const slow = createStage({ start: (signal) => late.promise.then(() => stage.start(signal)) })
  const refused = slow.pool.run(jobOf('a'), { accountId: 'a' }).catch((error: unknown) => error)
  let isClosed = false
  const closing = slow.pool.close().then(() => (isClosed = true))
  await new Promise(setImmediate)
  expect(isClosed).toBe(false)
  late.resolve()
  await closing
  expect(await refused).toMatchObject({ kind: 'closed' })
  expect([stage.started(), stage.stopped()]).toEqual([1, 1])
  await vi.waitFor(() => expect(slow.pool.size()).toBe(0))
})

test('an idle thread ends', async () => {
  const stage = createStage({ idleMs: 10 })
  const job = jobOf('a')
  job.done.resolve('done')
  expect(await stage.pool.run(job, { accountId: 'a' })).toBe('done')
  await vi.waitFor(() => expect(stage.pool.size()).toBe(0))
})

test('an aborted job that waits is not performed, and one that runs is stopped', async () => {
  const stage = createStage({ threadsMax: 1, threadsMaxContended: 1 })
  const controllers = [new AbortController(), new AbortController()]
  const runs = ['a', 'b'].map((name, index) =>
    stage.pool.run(jobOf(name), { accountId: 'a', signal: controllers[index]?.signal ?? AbortSignal.abort() }).catch(String),
  )
  await vi.waitFor(() => expect(stage.names()).toEqual(['a']))
  for (const controller of controllers.toReversed()) controller.abort(new Error('not wanted'))
  expect(await Promise.all(runs)).toEqual(['Error: not wanted', 'Error: not wanted'])
  await vi.waitFor(() => expect([stage.names(), stage.pool.size()]).toEqual([[], 0]))
})

test('closing refuses what runs, what waits and what comes', async () => {
  const stage = createStage({ threadsMax: 1, threadsMaxContended: 1 })
  const runs = many('a', 2).map((job) => stage.pool.run(job, { accountId: 'a' }).catch((error: unknown) => error))
  await vi.waitFor(() => expect(stage.names()).toEqual(['a0']))
  await stage.pool.close()
  expect(await Promise.all(runs)).toMatchObject([{ kind: 'closed' }, { kind: 'closed' }])
  await expect(stage.pool.run(jobOf('b'), { accountId: 'b' })).rejects.toMatchObject({ kind: 'closed' })
  await vi.waitFor(() => expect(stage.pool.size()).toBe(0))
})

test('more jobs of one account than may wait are refused, and those of others are not', async () => {
  const stage = createStage({ queuedMax: 1, threadsMax: 1, threadsMaxContended: 1 })
  runAll(stage, 'a', many('a', 2))
  await expect(stage.pool.run(jobOf('a2'), { accountId: 'a' })).rejects.toMatchObject({ kind: 'full', code: 'THREADS_FULL' })
  runAll(stage, 'b', many('b', 1))
})
