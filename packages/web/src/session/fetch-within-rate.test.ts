import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fetchWithinRate, useRateWait } from './fetch-within-rate.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** A server that gives these responses one after another, then success. */
function serverOf(...responses: readonly Response[]) {
  const left = [...responses]
  const sent: string[] = []
  vi.stubGlobal('fetch', (url: string) => {
    sent.push(url)
    return Promise.resolve(left.shift() ?? new Response('done'))
  })
  return sent
}

const refused = (code: string, seconds: number) =>
  new Response(JSON.stringify({ code }), { status: 429, headers: { 'retry-after': String(seconds) } })

test('a request beyond a rate limit is sent again after the time that the server names, and the page knows how long', async () => {
  const sent = serverOf(refused('rate_limited', 7))
  const response = fetchWithinRate('/a', {})
  await vi.advanceTimersByTimeAsync(6_900)
  expect(sent).toHaveLength(1)
  expect(useRateWait.getState()).toEqual({ waiting: 1, untilMs: Date.now() + 100 })
  await vi.advanceTimersByTimeAsync(100)
  expect(await (await response).text()).toBe('done')
  expect(useRateWait.getState()).toEqual({ waiting: 0, untilMs: 0 })
})

test.each([
  ['a quota', [refused('quota_exceeded', 5)], 1],
  ['a limit with a long window', [refused('rate_limited', 3600)], 1],
  ['a limit that refuses again and again', Array.from({ length: 9 }, () => refused('rate_limited', 1)), 3],
])('%s is a refusal at last', async (_name, responses, attempts) => {
  const sent = serverOf(...responses)
  const response = fetchWithinRate('/a', {})
  await vi.advanceTimersByTimeAsync(10_000)
  expect((await response).status).toBe(429)
  expect(sent).toHaveLength(attempts)
})

test('who leaves the page does not wait', async () => {
  const sent = serverOf(refused('rate_limited', 7))
  const leaving = new AbortController()
  const response = fetchWithinRate('/a', { signal: leaving.signal }).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(1_000)
  leaving.abort()
  expect(await response).toMatchObject({ name: 'AbortError' })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(sent).toHaveLength(1)
  expect(useRateWait.getState().waiting).toBe(0)
})
