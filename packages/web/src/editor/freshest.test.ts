import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { freshest } from './freshest.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const queryKey = ['workflow', 'wf']

/** A page that read a text some time ago, and a server that has another one since. */
function page(agoMs: number, queryFn: () => Promise<string>) {
  const queries = new QueryClient()
  queries.setQueryData(queryKey, 'of the visit before', { updatedAt: Date.now() - agoMs })
  return freshest(queries, { queryKey, queryFn, known: 'of the visit before' })
}

test.each([
  ['long ago is read again', 60_000, async () => 'of the server', 'of the server'],
  ['a moment ago is not read again', 100, () => expect.unreachable(), 'of the visit before'],
  ['before the server went away stays', 60_000, () => Promise.reject(new TypeError('away')), 'of the visit before'],
])('what was read %s', async (_name, agoMs, queryFn, text) => {
  expect(await page(agoMs, queryFn)).toBe(text)
})

test('a server that does not answer does not keep the page from what it knows', async () => {
  const found = page(60_000, () => new Promise(() => undefined))
  await vi.advanceTimersByTimeAsync(3000)
  expect(await found).toBe('of the visit before')
})
