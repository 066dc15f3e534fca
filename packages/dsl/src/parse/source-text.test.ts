import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSourceText } from './source-text.ts'

test('the first character is line 1, column 1', () => {
  expect(createSourceText('abc').at(0)).toEqual({ line: 1, column: 1, offset: 0 })
})

test('an offset behind a line break is in the next line', () => {
  const source = createSourceText('ab\ncd\r\n\nef')
  expect(source.at(2)).toEqual({ line: 1, column: 3, offset: 2 })
  expect(source.at(3)).toEqual({ line: 2, column: 1, offset: 3 })
  expect(source.at(7)).toEqual({ line: 3, column: 1, offset: 7 })
  expect(source.at(8)).toEqual({ line: 4, column: 1, offset: 8 })
})

test('offsets outside of the text are brought inside', () => {
  const source = createSourceText('ab\nc')
  expect(source.at(-5)).toEqual({ line: 1, column: 1, offset: 0 })
  expect(source.at(99)).toEqual({ line: 2, column: 2, offset: 4 })
})

test('line and column lead back to the offset', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', '\n', 'é', '𝄞'), { maxLength: 60 }), fc.nat({ max: 60 }), (units, at) => {
      const text = units.join('')
      const { line, column, offset } = createSourceText(text).at(at)
      const before = text.split('\n').slice(0, line - 1)
      expect(before.join('\n').length + (line > 1 ? 1 : 0) + column - 1).toBe(offset)
    }),
  )
})
