import { expect, test } from 'vitest'
import { costOfResult } from '#src/models/cost-of-result.ts'

test('the cost of a result of a model and of an agent is an amount, and other values have none', () => {
  expect(costOfResult({ text: 'Hi', usage: { inputTokens: 1, outputTokens: 2, costMicros: 600_000 } })).toBe(0.6)
  expect(costOfResult({ answer: 'Hi', inputTokens: 1, outputTokens: 2, cost: 0.25 })).toBe(0.25)
  for (const value of [null, 'text', [1], { usage: 'high' }, { cost: 3 }, { usage: { inputTokens: 3 } }])
    expect(costOfResult(value)).toBeUndefined()
})
