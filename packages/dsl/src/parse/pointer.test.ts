import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Path, childPointer, pointerKeys, pointerOf } from './pointer.ts'

test('the pointer of the root is empty', () => {
  expect(pointerOf(undefined)).toBe('')
  expect(pointerKeys('')).toEqual([])
})

test('keys are escaped as RFC 6901 says', () => {
  expect(childPointer('/do/0', 'a/b~c')).toBe('/do/0/a~1b~0c')
  expect(pointerKeys('/do/0/a~1b~0c/~01')).toEqual(['do', '0', 'a/b~c', '~1'])
})

test('a path gives the pointer from the root down', () => {
  const path: Path = { parent: { parent: { parent: undefined, key: 'do' }, key: 0 }, key: 'x' }
  expect(pointerOf(path)).toBe('/do/0/x')
})

test('every key comes back out of a pointer', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (keys) => {
      expect(pointerKeys(keys.reduce(childPointer, ''))).toEqual(keys)
    }),
  )
})
