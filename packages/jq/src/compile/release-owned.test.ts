import { describe, expect, test } from 'vitest'
import type { Value } from '#src/values/value.ts'
import { releaseOwned } from './release-owned.ts'

const part: Value = [1]
const whole: Value = { part }

function left(value: Value): number {
  const owned = new Set<Value>([whole, part])
  releaseOwned(owned, value)
  return owned.size
}

describe('a value that another part refers to ends ownership', () => {
  test.each<[string, Value]>([
    ['the whole', whole],
    ['a part', part],
    ['a part in an array', [[part]]],
    ['a part in an object', { a: { b: part } }],
    ['a part after others', [1, 'a', null, { a: [2] }, part]],
    ['a value too large to be searched', Array.from({ length: 100 }, () => 0)],
    ['a value too deep to be searched', Array.from({ length: 70 }).reduce<Value>((inner) => [inner], 1)],
  ])('%s', (_name, value) => {
    expect(left(value)).toBe(0)
  })
})

describe('a value without any part of it leaves ownership as it is', () => {
  test.each<[string, Value]>([
    ['null', null],
    ['a boolean', true],
    ['a number', 1.5],
    ['a kept integer', 10n ** 30n],
    ['a long text', 'a'.repeat(10_000)],
    ['an array that looks the same', [1]],
    ['an object that looks the same', { part: [1] }],
    ['a small value', { a: [1, { b: [2, 3] }], c: null }],
  ])('%s', (_name, value) => {
    expect(left(value)).toBe(2)
  })

  test('a large value is not even searched when nothing is owned', () => {
    const owned = new Set<Value>()
    const huge = new Proxy<Value[]>([], {
      get: () => {
        throw new Error('searched')
      },
    })
    expect(() => releaseOwned(owned, huge)).not.toThrow()
  })
})
