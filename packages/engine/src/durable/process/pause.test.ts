import { expect, test } from 'vitest'
import { pause } from './pause.ts'

const never = new AbortController().signal

test('a pause lasts for the given time', async () => {
  const startedAt = performance.now()
  await pause(30, never)
  // A timer may fire slightly early.
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(28)
})

test('an aborted signal ends a pause at once, also if it was aborted before', async () => {
  const aborter = new AbortController()
  const paused = pause(60_000, aborter.signal)
  aborter.abort()
  await expect(paused).resolves.toBeUndefined()
  await expect(pause(60_000, aborter.signal)).resolves.toBeUndefined()
})
