import { expect, test } from 'vitest'
import { EXECUTION_STEPS_MAX, StepBudgetExceeded, Work } from './work.ts'

test('an execution may spend exactly its step budget, and the next step exceeds it', () => {
  const work = new Work()
  work.spend(EXECUTION_STEPS_MAX)
  let thrown: unknown
  try {
    work.spend(1)
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(StepBudgetExceeded)
})
