import { expect, test } from 'vitest'
import { criticalPath } from './critical-path.ts'

const spell = (key: string, from: number, to: number) => ({ key, from, to })

test('of branches at the same time, the one that ended last is on the path', () => {
  const path = criticalPath([spell('begin', 0, 10), spell('short', 10, 20), spell('long', 10, 90), spell('end', 90, 95)])
  expect([...path].toReversed()).toEqual(['begin', 'long', 'end'])
})

test('the tasks of the longest branch are on the path, and those of the others are not', () => {
  const path = criticalPath([spell('a1', 0, 30), spell('b1', 0, 10), spell('b2', 10, 60), spell('a2', 30, 50), spell('end', 60, 61)])
  expect([...path].toReversed()).toEqual(['b1', 'b2', 'end'])
})

test('tasks without a duration that follow one another are all on the path', () => {
  expect(criticalPath([spell('a', 5, 5), spell('b', 5, 5), spell('c', 5, 5)]).size).toBe(3)
})

test('a path without tasks is empty', () => {
  expect(criticalPath([]).size).toBe(0)
})
