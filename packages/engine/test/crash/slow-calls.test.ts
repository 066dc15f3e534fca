import { expect, test } from 'vitest'
import { createEngineDatabase } from '#testing/database.ts'
import { runSlowCalls } from './slow-calls.ts'

// The short form of what `npm run ledger` does with calls of 2 to 8 s and a kill every 5 s: everything five times as fast.
test('what is killed from outside in a slow call ends, and what kills its process is given up', { timeout: 180_000 }, async () => {
  await using database = await createEngineDatabase()
  const said: string[] = []
  const { ends, effects, requests, deathsMost, killer } = await runSlowCalls({
    url: database.url,
    executions: 8,
    callsMs: [400, 800, 1_200, 1_600],
    processes: 3,
    kills: 11,
    killEveryMs: 1_000,
    freezeMs: 12_000,
    trialMs: 1_500,
    seed: 1,
    settleMsMax: 40_000,
    say: (what) => said.push(what),
  })
  expect(Object.fromEntries(ends), said.join('\n')).toEqual({ completed: 8 })
  // Each call under one key, however often it was asked for.
  expect(effects).toBe(16)
  expect(requests).toBeGreaterThan(effects)
  expect(deathsMost).toBeLessThan(12)
  expect(killer.end).toBe('faulted Given up')
  expect(killer.exits).toBeGreaterThanOrEqual(5)
  expect(killer.exits).toBeLessThanOrEqual(12)
})
