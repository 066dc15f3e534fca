import { describe, expect, test } from 'vitest'
import { compile, JqError, JqLimitError, JqSyntaxError, type SyntaxCode } from './index.ts'

function refused(source: string): JqSyntaxError {
  try {
    compile(source)
  } catch (error) {
    if (error instanceof JqSyntaxError) return error
    throw error
  }
  throw new Error(`${source} compiles`)
}

describe('the place of an error', () => {
  test.each<[string, string, SyntaxCode, number, number]>([
    ['.a | foo | .b', 'foo', 'undefined-function', 1, 6],
    ['.a |\n  foo', 'foo', 'undefined-function', 2, 3],
    ['.a |\r\n\tfoo', 'foo', 'undefined-function', 2, 2],
    ['# comment\n\n$nothing', '$nothing', 'undefined-variable', 3, 1],
    ['"é😀" | $x', '$x', 'undefined-variable', 1, 9],
    ['"\\(foo)"', 'foo', 'undefined-function', 1, 4],
    ['[1, 2', '2', 'unexpected-token', 1, 5],
    ['{a: 1', '1', 'unexpected-token', 1, 5],
    ['1 )', ')', 'unexpected-token', 1, 3],
    ['1 + ', '+', 'unexpected-token', 1, 3],
    ['1 == 2 == 3', '==', 'unexpected-token', 1, 8],
    ['. as 1 | 2', '1', 'unexpected-token', 1, 6],
    ['if . then 1', '1', 'unexpected-token', 1, 11],
    ['def f: 1 f', 'f', 'unexpected-token', 1, 10],
    ['reduce . as $x (0)', ')', 'unexpected-token', 1, 18],
    ['.[1:2:3]', ':', 'unexpected-token', 1, 6],
    ['label x | 1', 'x', 'unexpected-token', 1, 7],
  ])('%j: the span is %j', (source, text, code, line, column) => {
    const error = refused(source)
    expect({ code: error.code, line: error.line, column: error.column }).toEqual({ code, line, column })
    expect(source.slice(error.span.start, error.span.end)).toBe(text)
  })

  test('the column counts from the last newline before the span', () => {
    for (const lines of [0, 1, 5]) {
      const error = refused(`${'1 |\n'.repeat(lines)}   foo`)
      expect([error.line, error.column, error.span.start]).toEqual([lines + 1, 4, lines * 4 + 3])
    }
  })
})

describe('what was expected', () => {
  test.each([
    ['[1', "']'"],
    ['(1', "')'"],
    ['if .a else 1 end', 'then'],
    ['if . then 1', 'end'],
    ['def f 1; f', "':'"],
    ['def f: 1', "';'"],
    ['def 1: 2; 3', 'IDENT'],
    ['. as 1 | 2', 'BINDING'],
    ['label x | 1', 'BINDING'],
    ['reduce .a (0; 1)', 'as'],
    ['reduce . as $x 0', "'('"],
    ['reduce . as $x (0)', "';'"],
    ['foreach . as $x (0)', "';'"],
  ])('after %s the parser expects %s', (source, expected) => {
    expect(refused(source).expected).toContain(expected)
  })

  test('is not said of what is no matter of grammar', () => {
    for (const source of ['foo', '$x', 'break $x', '"\\q"', 'input', '']) expect(refused(source).expected).toBeUndefined()
  })
})

describe('the three kinds', () => {
  test('each class is an Error with its own name', () => {
    const thrown = ['foo', 'error("x")', '[range(99)]'].map((source) => {
      try {
        compile(source, { limits: { steps: 20 } }).run(null)
        return undefined
      } catch (error) {
        return error
      }
    })
    expect(thrown.map((error) => (error instanceof Error ? error.name : ''))).toEqual(['JqSyntaxError', 'JqError', 'JqLimitError'])
    expect(thrown[0]).toBeInstanceOf(JqSyntaxError)
    expect(thrown[1]).toBeInstanceOf(JqError)
    expect(thrown[2]).toBeInstanceOf(JqLimitError)
  })

  test.each([
    ['error', null, null, 'null (not a string)'],
    ['error("text")', null, 'text', 'text'],
    ['error({code: 7})', null, { code: 7 }, '{"code":7} (not a string)'],
    ['.a.b', { a: [1] }, 'Cannot index array with string ("b")', 'Cannot index array with string ("b")'],
    ['.[] + 1', ['x'], 'string ("x") and number (1) cannot be added', 'string ("x") and number (1) cannot be added'],
    ['{} - 1', null, 'object ({}) and number (1) cannot be subtracted', 'object ({}) and number (1) cannot be subtracted'],
  ])('%s carries what catch would have seen', (source, input, value, message) => {
    expect(() => compile(source).run(input)).toThrow(expect.objectContaining({ value, message }))
    expect(compile(`try (${source}) catch .`).first(input)).toEqual(value)
  })
})
