import { expect } from 'vitest'
import { eventOf } from './given-sentences.ts'
import { msIn, type Sentence, valueIn } from './sentence.ts'

/** Steps that act on a workflow. */
export const whenSentences: readonly Sentence[] = [
  [/^the workflow is executed$/, (world) => world.execute()],
  [/^the event comes:$/, (world, { value }) => world.running().publish(eventOf(value))],
  [
    /^the events come:$/,
    async (world, { table: [names = [], ...rows] }) => {
      for (const cells of rows) {
        // An empty cell is an attribute that the event does not have.
        const attributes = names.flatMap((name, index) => (cells[index] === '' ? [] : [[name, valueIn(cells[index])] as const]))
        await world.running().publish(eventOf(Object.fromEntries(attributes)))
      }
    },
  ],
  [/^(\S+) passes$/, (world, { words: [time] }) => world.running().pass(msIn(time))],
  [
    /^the (\S+) that it waits for is answered with (.+)$/,
    async (world, { words: [topic = '', value] }) => {
      await expect(world.running().answer(topic, valueIn(value))).resolves.toBe(true)
    },
  ],
  [/^the workflow is cancelled$/, (world) => world.running().cancel()],
]
