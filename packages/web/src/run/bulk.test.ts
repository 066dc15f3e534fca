import { ClientError } from '@millrace/client'
import { expect, test } from 'vitest'
import { actOnEach, type BulkProgress } from './bulk.ts'

function ports(signal = new AbortController().signal) {
  const progress: BulkProgress[] = []
  const slept: number[] = []
  return {
    progress,
    slept,
    ports: {
      signal,
      onProgress: (now: BulkProgress) => void progress.push(now),
      reasonOf: (error: unknown) => (error instanceof Error ? error.message : 'unknown'),
      sleep: (ms: number) => Promise.resolve(slept.push(ms)),
    },
  }
}

const limited = () =>
  new ClientError('executions.retry', { type: 'about:blank', title: 'Too many', status: 429, code: 'rate_limited', detail: 'wait' }, 7)

test('each thing is acted on once, and waits as long as the server asks', async () => {
  const given = ports()
  const acted: number[] = []
  let refusals = 1
  await actOnEach(
    [1, 2, 3, 4, 5, 6],
    async (item) => {
      await Promise.resolve()
      if (item === 2 && refusals-- > 0) throw limited()
      acted.push(item)
    },
    given.ports,
  )
  expect([acted.toSorted((a, b) => a - b), given.slept, given.progress.at(-1)?.done]).toEqual([[1, 2, 3, 4, 5, 6], [7000], 6])
})

test('refusals are counted by their reason, and do not end the others', async () => {
  const given = ports()
  await actOnEach([1, 2, 3], (item) => (item < 3 ? Promise.reject(new Error('retried already')) : Promise.resolve()), given.ports)
  expect(given.progress.at(-1)).toEqual({ done: 3, refused: new Map([['retried already', 2]]) })
})

test('after the stop only the calls that are under way end', async () => {
  const stop = new AbortController()
  const given = ports(stop.signal)
  const acted: number[] = []
  await actOnEach(
    Array.from({ length: 100 }, (_, index) => index),
    (item) => {
      acted.push(item)
      stop.abort()
      return Promise.resolve()
    },
    given.ports,
  )
  expect(acted).toEqual([0, 1, 2, 3])
})
