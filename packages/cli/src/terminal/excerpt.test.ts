import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { excerpt } from './excerpt.ts'
import { createPaint } from './paint.ts'

const plain = createPaint(new PassThrough())

test('an excerpt shows the previous line, the line, and carets under exactly the piece', () => {
  const source = 'do:\n  - ask:\n      call: htp\n'
  expect(excerpt(source, { line: 3, column: 13, endLine: 3, endColumn: 16 }, plain)).toEqual([
    '2 |   - ask:',
    '3 |       call: htp',
    '  |             ^^^',
  ])
})

test('the first line has no line before it, and a blank line before is left out', () => {
  expect(excerpt('abc', { line: 1, column: 2, endColumn: 3 }, plain)).toEqual(['1 | abc', '  |  ^'])
  expect(excerpt('a\n\nabc', { line: 3, column: 1, endColumn: 2 }, plain)).toEqual(['3 | abc', '  | ^'])
})

test('a piece without an end, and an empty one, get one caret', () => {
  expect(excerpt('abc', { line: 1, column: 3 }, plain).at(-1)).toBe('  |   ^')
  expect(excerpt('abc', { line: 1, column: 3, endLine: 1, endColumn: 3 }, plain).at(-1)).toBe('  |   ^')
})

test('a piece over several lines is marked to the end of its first line', () => {
  expect(excerpt('a: {\n  b }', { line: 1, column: 4, endLine: 2, endColumn: 6 }, plain)).toEqual(['1 | a: {', '  |    ^'])
  expect(excerpt('abc: def\n  g', { line: 1, column: 6, endLine: 2, endColumn: 3 }, plain).at(-1)).toBe('  |      ^^^')
})

test('line numbers are aligned', () => {
  const source = `${'\n'.repeat(8)}nine\nten`
  expect(excerpt(source, { line: 10, column: 1, endColumn: 4 }, plain)).toEqual([' 9 | nine', '10 | ten', '   | ^^^'])
})

test('a tab before the piece does not move the caret away from it', () => {
  const [row = '', caret = ''] = excerpt('\tab', { line: 1, column: 2, endColumn: 3 }, plain)
  expect(caret.indexOf('^')).toBe(row.indexOf('a'))
})

test('a very long line is cut to the part around the piece', () => {
  const source = `${'x'.repeat(5000)}HERE${'y'.repeat(5000)}`
  const [row = '', caret = ''] = excerpt(source, { line: 1, column: 5001, endColumn: 5005 }, plain)
  expect(row.length).toBeLessThan(120)
  expect(row.slice(caret.indexOf('^'), caret.lastIndexOf('^') + 1)).toBe('HERE')
})

test('a line that does not exist shows nothing', () => {
  expect(excerpt('abc', { line: 7, column: 1 }, plain)).toEqual([])
})

test('control characters in the source do not reach the terminal and do not move the caret', () => {
  const [row = '', caret = ''] = excerpt('\u001b[31mab', { line: 1, column: 6, endColumn: 7 }, plain)
  expect(row).not.toContain('\u001b')
  expect(row.slice(caret.indexOf('^'), caret.indexOf('^') + 1)).toBe('a')
})
