import { expect, test } from 'vitest'
import { pause } from './pause.ts'

const never = new AbortController().signal

test('a pause lasts as long as it was told', async () => {
  const startedAt = performance.now()
  await pause(30, never)
  // A timer may be a little early.
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(28)
})

test('a signal ends it at once, and one that was aborted before lets none begin', async () => {
  const aborter = new AbortController()
  const paused = pause(60_000, aborter.signal)
  aborter.abort()
  await expect(paused).resolves.toBeUndefined()
  await expect(pause(60_000, aborter.signal)).resolves.toBeUndefined()
})
