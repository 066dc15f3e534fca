import { expect, test } from 'vitest'
import { isJsonArray, isJsonObject } from './json.ts'

test.each([[{}], [{ length: 1 }], [{ a: null }]])('%j is an object and no array', (value) => {
  expect(isJsonObject(value)).toBe(true)
  expect(isJsonArray(value)).toBe(false)
})

test.each([[[]], [[1]], [[{}]]])('%j is an array and no object', (value) => {
  expect(isJsonArray(value)).toBe(true)
  expect(isJsonObject(value)).toBe(false)
})

test.each([[null], [undefined], ['{}'], [0], [true]])('%j is neither', (value) => {
  expect(isJsonObject(value)).toBe(false)
  expect(isJsonArray(value)).toBe(false)
})
