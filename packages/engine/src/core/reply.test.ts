import { expect, test } from 'vitest'
import { branchResults } from './fork.ts'
import { valueOf } from './simple-tasks.ts'

test('a fork rejects a reply that has no branches', () => {
  expect(() => branchResults(undefined)).toThrow('has no branches')
})

test('a request rejects a reply that is not an outcome', () => {
  expect(() => valueOf(undefined)).toThrow('is not an outcome')
})
