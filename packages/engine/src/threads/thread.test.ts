import { getPriority } from 'node:os'
import { afterEach, describe, expect, test } from 'vitest'
import type { OddJob } from '#testing/threads/odd-jobs.ts'
import { startThread, type Thread } from './thread.ts'

const oddJobs = new URL('../../test/testing/threads/odd-jobs.ts', import.meta.url)
const started: Thread<OddJob, unknown>[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((thread) => thread.stop()))
})

async function start(): Promise<Thread<OddJob, unknown>> {
  const thread = await startThread<OddJob, unknown>(oddJobs, undefined, { maxOldGenerationSizeMb: 24, maxYoungGenerationSizeMb: 4 })
  started.push(thread)
  return thread
}

test('a thread performs one job after the other', async () => {
  const thread = await start()
  expect(await thread.run({ say: 'one' })).toBe('one')
  expect(await thread.run({ say: 'two' })).toBe('two')
})

test('a job that throws fails alone', async () => {
  const thread = await start()
  await expect(thread.run('throw')).rejects.toMatchObject({ failure: { kind: 'crashed', reason: 'Error: a job that throws' } })
  expect(await thread.run({ say: 'two' })).toBe('two')
})

test.runIf(process.platform === 'linux')('a thread lowers its own priority, and not that of the process', async () => {
  const before = getPriority(0)
  const thread = await start()
  expect(await thread.run('priority')).toBe(Math.max(10, before))
  expect(getPriority(0)).toBe(before)
})

describe('a thread that ends before its job', () => {
  test('a full memory fails the job with that reason, and the process survives', async () => {
    const thread = await start()
    await expect(thread.run('fill memory')).rejects.toMatchObject({ failure: { kind: 'memory' } })
    expect(await thread.ended).toBeUndefined()
  })

  test('by itself fails the job', async () => {
    const thread = await start()
    await expect(thread.run('exit')).rejects.toMatchObject({ failure: { kind: 'crashed' } })
    expect(await thread.ended).toBeUndefined()
  })

  test('because it is stopped fails the job', async () => {
    const thread = await start()
    const running = thread.run('loop').catch((error: unknown) => error)
    await thread.stop()
    expect(await running).toMatchObject({ failure: { kind: 'crashed' } })
    expect(await thread.ended).toBeUndefined()
  })
})

test('an outcome that cannot be sent fails the job', async () => {
  const thread = await start()
  await expect(thread.run('function')).rejects.toMatchObject({ failure: { kind: 'crashed' } })
})

test('a thread that has ended fails every further job', async () => {
  const thread = await start()
  await thread.stop()
  await expect(thread.run({ say: 'one' })).rejects.toMatchObject({ failure: { kind: 'crashed', reason: 'the thread has ended' } })
})

test('a thread that does not start says why', async () => {
  await expect(startThread(new URL('./no-such-file.ts', import.meta.url), undefined, {})).rejects.toThrow('a thread did not start')
})

test('a thread that is aborted while it starts ends', async () => {
  const abort = new AbortController()
  const starting = startThread(oddJobs, undefined, {}, abort.signal)
  abort.abort()
  await expect(starting).rejects.toThrow('a thread did not start')
  await expect(startThread(oddJobs, undefined, {}, abort.signal)).rejects.toBe(abort.signal.reason)
})
