import { expect, test } from 'vitest'
import { mergePatch } from './merge-patch.ts'

test.each([
  ['nothing for equal values', { a: 1, b: [1] }, { b: [1], a: 1 }, undefined],
  ['only what changed, at any depth', { a: { b: 1, c: 2 }, d: 3 }, { a: { b: 1, c: 9 }, d: 3 }, { a: { c: 9 } }],
  ['null for what is gone', { a: 1, b: 2 }, { a: 1 }, { b: null }],
  ['what is new', {}, { a: { b: 1 } }, { a: { b: 1 } }],
  ['lists as a whole', { a: [1, 2] }, { a: [1] }, { a: [1] }],
  ['the value itself if one side is no object', { a: 1 }, 7, 7],
])('a merge patch has %s', (_what, from, to, patch) => {
  expect(mergePatch(from, to)).toEqual(patch)
})
