import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEngineDatabase, type EngineDatabase } from '#testing/database.ts'
import { type DurableStage, openDurableStage } from './durable-run.ts'
import { labelOf, ownScenarios } from './features.ts'
import { runScenario } from './run-scenario.ts'
import { createStage } from './stage.ts'

// The same scenarios that run in memory, on the engine that runs in production: each is begun in one process and comes to its end in another. They are
// played all at once, since most of what they do is to wait.

const scenarios = ownScenarios.filter(({ tags }) => tags.includes('durable'))
const stage = createStage()
const played = new Map<string, PromiseSettledResult<void>>()
let database: EngineDatabase
let durable: DurableStage
let interrupted = 0

beforeAll(async () => {
  database = await createEngineDatabase()
  durable = await openDurableStage(database)
  let begun = 0
  const allBegun = Promise.withResolvers<void>()
  const oneMore = () => {
    begun += 1
    if (begun === scenarios.length) allBegun.resolve()
  }
  const playing = Promise.allSettled(
    scenarios.map((scenario) =>
      runScenario(scenario, {
        stage,
        begin(setup, outside) {
          const running = durable.begin(setup, outside)
          setTimeout(oneMore, 300)
          return running
        },
      }),
    ),
  )
  await allBegun.promise
  interrupted = new Set(await durable.reopen()).size
  for (const [index, result] of (await playing).entries())
    played.set(scenarios[index] === undefined ? '' : labelOf(scenarios[index]), result)
})

afterAll(async () => {
  await durable.close()
  await database[Symbol.asyncDispose]()
  await stage.close()
})

test('they are many, and every one was under way when its process ended', () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(25)
  expect(interrupted).toBe(scenarios.length)
})

describe('a scenario comes to the same end in another process', () => {
  test.each(scenarios.map(labelOf))('%s', (label) => {
    const result = played.get(label)
    if (result?.status === 'rejected') throw result.reason
    expect(result?.status).toBe('fulfilled')
  })
})
