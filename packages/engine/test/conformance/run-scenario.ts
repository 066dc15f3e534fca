import { vi } from 'vitest'
import type { EffectFunction } from '#durable/ports/effects.ts'
import type { Scenario } from './gherkin.ts'
import { givenSentences } from './given-sentences.ts'
import { beginInMemory } from './memory-run.ts'
import type { Begin } from './running.ts'
import type { Sentence } from './sentence.ts'
import type { Stage } from './stage.ts'
import { thenSentences } from './then-sentences.ts'
import { validitySentences } from './validity-sentences.ts'
import { whenSentences } from './when-sentences.ts'
import { createWorld, fromYaml, type World } from './world.ts'

const sentences: readonly Sentence[] = [...givenSentences, ...whenSentences, ...thenSentences, ...validitySentences]

export interface ScenarioOptions {
  readonly stage: Stage
  readonly begin?: Begin
  readonly functions?: Readonly<Record<string, EffectFunction>>
}

/** Runs a scenario. @throws Error if a check fails or a sentence is unknown */
export async function runScenario(scenario: Scenario, { stage, begin = beginInMemory, functions }: ScenarioOptions): Promise<void> {
  const world = await createWorld({ stage, begin, functions })
  try {
    for (const step of scenario.steps) await act(world, step)
  } finally {
    if (begin === beginInMemory) vi.useRealTimers()
    await world.close()
  }
}

async function act(world: World, { text, block, table }: Scenario['steps'][number]): Promise<void> {
  const known = sentences.filter(([sentence]) => sentence.test(text))
  const [first, second] = known
  if (first === undefined) throw new Error(`no such sentence: ${text}`)
  if (second !== undefined) throw new Error(`two sentences for one step: ${text}`)
  const [sentence, perform] = first
  if (table !== undefined && text !== 'the events come:') throw new Error(`no table is read below: ${text}`)
  const words = (sentence.exec(text) ?? []).slice(1)
  const value = text.endsWith('the text:') || text.endsWith('definition:') || text.endsWith('may run:') ? null : fromYaml(block)
  await perform(world, { words, text: block ?? '', value, table: table ?? [] })
}
