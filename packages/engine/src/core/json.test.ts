import { expect, test } from 'vitest'
import { isArray, isObject, itemsOf, type Json, membersOf, parseObject, textOf, textsIn } from './json.ts'

const values: readonly (Json | undefined)[] = [undefined, null, true, 1, 'text', ['item'], { member: 1 }]

test('what is an object, a list or text is read as that, and anything else as nothing', () => {
  expect(values.map(membersOf)).toEqual([{}, {}, {}, {}, {}, {}, { member: 1 }])
  expect(values.map(itemsOf)).toEqual([[], [], [], [], [], ['item'], []])
  expect(values.map(textOf)).toEqual([undefined, undefined, undefined, undefined, 'text', undefined, undefined])
})

test.each([[{}], [{ length: 1 }], [{ a: null }]])('%j is an object and no array', (value) => {
  expect(isObject(value)).toBe(true)
  expect(isArray(value)).toBe(false)
})

test.each([[[]], [[1]], [[{}]]])('%j is an array and no object', (value) => {
  expect(isArray(value)).toBe(true)
  expect(isObject(value)).toBe(false)
})

test.each([[null], [undefined], ['{}'], [0], [true]])('%j is neither', (value) => {
  expect(isObject(value)).toBe(false)
  expect(isArray(value)).toBe(false)
})

test('the text of an object is read, and any other text as nothing', () => {
  expect(parseObject('{"a":[1]}')).toEqual({ a: [1] })
  expect(['[1]', '"{}"', 'null', '', '{', '{}{}'].map(parseObject)).toEqual(Array(6).fill(undefined))
})

test.each<[Json, readonly string[]]>([
  ['one', ['one']],
  [{ a: 'one', b: [{ c: 'two' }, 3, null, 'three'] }, ['one', 'two', 'three']],
  [null, []],
  [[], []],
])('texts in %j', (value, texts) => {
  expect(textsIn(value)).toEqual(texts)
})
