import { expect, test } from 'vitest'
import { inspectJson } from './inspect-json.ts'

test('very many short texts are not examined as a whole, and leave turns to other work', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const { isTruncated } = await inspectJson(Array(100_000).fill('ab'), {})
  clearInterval(timer)
  expect(isTruncated).toBe(true)
  expect(turns).toBeGreaterThan(3)
})

test('what is found is replaced at its place, in lists and objects, and empty texts stay', async () => {
  const { redacted, pointers } = await inspectJson({ a: ['', 'ada@lovelace.io'], b: 4_111_111_111_111_111 }, {})
  expect(redacted).toEqual({ a: ['', '<EMAIL>'], b: '<CREDIT_CARD>' })
  expect(pointers).toEqual(['/a/1', '/b'])
})
