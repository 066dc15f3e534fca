import { expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { ownProperty, ownList, ownObject, ownTexts } from './own-property.ts'

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('an object without %s has none', (name) => {
  expect(ownProperty({}, name)).toBeUndefined()
  expect(ownObject({}, name)).toEqual({})
  expect(ownList({}, name)).toEqual([])
})

test('an object that JSON gave a __proto__ has it, and no other has', () => {
  const parsed: Json = JSON.parse('{ "__proto__": { "a": 1 } }')
  expect(ownProperty(parsed, '__proto__')).toEqual({ a: 1 })
  expect(ownProperty(parsed, 'a')).toBeUndefined()
})

test.each<[Json | undefined]>([[undefined], [null], ['text'], [1], [[1, 2]]])('%j has nothing', (value) => {
  expect(ownProperty(value, 'length')).toBeUndefined()
})

test('what is of another kind counts as empty', () => {
  expect(ownObject({ a: [] }, 'a')).toEqual({})
  expect(ownList({ a: {} }, 'a')).toEqual([])
  expect(ownTexts({ a: ['x', 1, null, 'y'] }, 'a')).toEqual(['x', 'y'])
})
