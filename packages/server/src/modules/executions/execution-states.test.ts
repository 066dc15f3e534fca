import { executionStates as declared } from '@millrace/contract'
import { executionStates, isTerminal } from '@millrace/engine'
import { expect, test } from 'vitest'

test('the contract declares the execution states of the engine, terminal ones last', () => {
  expect(declared).toEqual(executionStates)
  expect(declared.slice(-3).every(isTerminal)).toBe(true)
})
