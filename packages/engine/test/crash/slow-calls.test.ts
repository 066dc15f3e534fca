import { expect, test } from 'vitest'
import { createEngineDatabase } from '#testing/database.ts'
import { runSlowCalls } from './slow-calls.ts'

// The short form of `npm run ledger:slow`, five times as fast.
test('executions in slow calls complete although their processes are killed, and one that exits its process becomes a dead letter', async () => {
  await using database = await createEngineDatabase()
  const messages: string[] = []
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
    say: (what) => messages.push(what),
  })
  expect(Object.fromEntries(ends), messages.join('\n')).toEqual({ completed: 8 })
  // Each call has one key, however often it was requested.
  expect(effects).toBe(16)
  expect(requests).toBeGreaterThan(effects)
  expect(deathsMost).toBeLessThan(12)
  expect(killer.end).toBe('faulted Dead letter')
  expect(killer.exits).toBeGreaterThanOrEqual(5)
  expect(killer.exits).toBeLessThanOrEqual(12)
})
