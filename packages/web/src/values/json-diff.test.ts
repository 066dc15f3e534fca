import { expect, test } from 'vitest'
import { jsonDifferences } from '#src/values/json-diff.ts'

test('differences are named by paths of jq', () => {
  expect(jsonDifferences({ a: 1, b: [1, { c: 2 }], 'x y': null }, { a: 1, b: [1, { c: 3 }, 4], d: true })).toEqual([
    { path: '.b[1].c', left: 2, right: 3 },
    { path: '.b[2]', left: undefined, right: 4 },
    { path: '.["x y"]', left: null, right: undefined },
    { path: '.d', left: undefined, right: true },
  ])
})

test('equal values have no difference, and values of other kinds differ as a whole', () => {
  expect(jsonDifferences({ a: [1, 2] }, { a: [1, 2] })).toEqual([])
  expect(jsonDifferences([1], { 0: 1 })).toEqual([{ path: '.', left: [1], right: { 0: 1 } }])
  expect(jsonDifferences([1, 2], [1, 3])).toEqual([{ path: '.[1]', left: 2, right: 3 }])
})

test('of very different values, the first differences are listed', () => {
  const many = Array.from({ length: 1000 }, (_, index) => index)
  expect(
    jsonDifferences(
      many,
      many.map((value) => value + 1),
    ),
  ).toHaveLength(50)
})
