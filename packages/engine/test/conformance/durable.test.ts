import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEngineDatabase, type EngineDatabase } from '#testing/database.ts'
import { type DurableStage, openDurableStage } from './durable-run.ts'
import { isTimeless, labelOf, ownScenarios } from './features.ts'
import type { Scenario } from './gherkin.ts'
import { runScenario } from './run-scenario.ts'
import { createStage } from './stage.ts'

// The scenarios on the engine of production. Those with waits start in one process and end in another one.
// All run concurrently, because they mostly wait.

const waiting = ownScenarios.filter(({ tags }) => tags.includes('durable'))
const timeless = ownScenarios.filter((scenario) => !waiting.includes(scenario) && isTimeless(scenario))
/** Time for an execution to be accepted and to reach its wait. */
const UNDER_WAY_MS = 300
/** Number of concurrent scenarios without waits. */
const TOGETHER = 300

const stage = createStage()
const played = new Map<string, PromiseSettledResult<void>>()
let database: EngineDatabase
let durable: DurableStage
let interrupted = 0

beforeAll(async () => {
  database = await createEngineDatabase()
  durable = await openDurableStage(database)
  const playingWaiting = playAll(waiting)
  await playingWaiting.begun
  interrupted = new Set(await durable.reopen()).size
  await playingWaiting.over
  for (let first = 0; first < timeless.length; first += TOGETHER) await playAll(timeless.slice(first, first + TOGETHER)).over
})

afterAll(async () => {
  await durable.close()
  await database[Symbol.asyncDispose]()
  await stage.close()
})

function playAll(scenarios: readonly Scenario[]): { readonly begun: Promise<void>; readonly over: Promise<void> } {
  const begun = Promise.withResolvers<void>()
  let left = scenarios.length
  const oneBegun = () => {
    left -= 1
    if (left === 0) begun.resolve()
  }
  const playing = scenarios.map(async (scenario) => {
    const isToWait = scenario.steps.some(({ text }) => text === 'the workflow should be waiting')
    const playedOnce = runScenario(scenario, {
      stage,
      begin(setup, outside) {
        setTimeout(oneBegun, UNDER_WAY_MS)
        return durable.begin(setup, outside, isToWait ? 10_000 : 200_000)
      },
    })
    const [result] = await Promise.allSettled([playedOnce])
    played.set(labelOf(scenario), result)
  })
  return { begun: begun.promise, over: Promise.all(playing).then(() => undefined) }
}

function expectPassed(label: string): void {
  const result = played.get(label)
  if (result?.status === 'rejected') throw result.reason
  expect(result?.status).toBe('fulfilled')
}

test('scenarios with a wait were running when their process ended', () => {
  expect(waiting.length).toBeGreaterThanOrEqual(25)
  // Where all begin slowly, the first have ended before the last begin.
  expect(interrupted).toBeGreaterThan(waiting.length / 2)
})

test('more than 200 scenarios without waits run on PostgreSQL', () => {
  expect(timeless.length).toBeGreaterThan(200)
})

describe('a scenario has the same result in another process', () => {
  test.each(waiting.map(labelOf))('%s', expectPassed)
})

describe('a scenario has the same result on PostgreSQL', () => {
  test.each(timeless.map(labelOf))('%s', expectPassed)
})
