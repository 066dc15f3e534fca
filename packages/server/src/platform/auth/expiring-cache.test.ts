import { expect, test } from 'vitest'
import { createExpiringCache } from './expiring-cache.ts'

test('a value is there until its time, and not at it', () => {
  const cache = createExpiringCache<string>(10)
  cache.set('a', 'one', 1000)
  expect(cache.get('a', 999)).toBe('one')
  expect(cache.get('a', 1000)).toBeUndefined()
  expect(cache.get('a', 0)).toBeUndefined()
})

test('a full cache gives up what came first', () => {
  const cache = createExpiringCache<number>(3)
  for (const [index, key] of ['a', 'b', 'c'].entries()) cache.set(key, index, 1000)
  cache.set('a', 9, 1000)
  cache.set('d', 3, 1000)
  expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key, 0))).toEqual([9, undefined, 2, 3])
})
