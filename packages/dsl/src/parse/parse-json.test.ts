import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultParseLimits } from './limits.ts'
import { parseJson } from './parse-json.ts'

function read(text: string) {
  return parseJson(text, defaultParseLimits)
}

function problemOf(text: string) {
  const { problems } = read(text)
  expect(problems).toHaveLength(1)
  return problems[0]
}

test('what JSON.stringify writes is read as it was', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      const result = read(text)
      if (text.includes('"__proto__"')) return
      expect(result.problems).toEqual([])
      expect(result.value).toEqual(JSON.parse(text))
    }),
  )
})

test('a text is accepted exactly when JSON.parse accepts it', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"b\\n"',
    '"\\x"',
    '1',
    '-0',
    '01',
    '1e5',
    '.5',
    'true',
    'nul',
    'null',
    ' ',
    '\n',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
      const text = parts.join('')
      const accepted = read(text).problems.every((problem) => problem.code === 'duplicate_key')
      expect({ text, accepted }).toEqual({ text, accepted: isJson(text) })
    }),
    { numRuns: 3000 },
  )
})

function isJson(text: string): boolean {
  try {
    // A number beyond the range becomes Infinity there, and is refused here.
    return !JSON.stringify(JSON.parse(text, (_, value: unknown) => (value === Number.POSITIVE_INFINITY ? 'infinite' : value))).includes(
      'infinite',
    )
  } catch {
    return false
  }
}

test('minus zero is zero', () => {
  expect(read('[-0, -0.0]').value).toEqual([0, 0])
})

describe('positions', () => {
  test('every key and value is where it is written', () => {
    const text = '{ "do": [ { "a": "x" } ],\n  "n": 12 }'
    const { root } = read(text)
    const list = root.children?.get('do')
    expect(text.slice(list?.keyStart, list?.keyEnd)).toBe('"do"')
    expect(text.slice(list?.start, list?.end)).toBe('[ { "a": "x" } ]')
    const leaf = list?.children?.get('0')?.children?.get('a')
    expect(text.slice(leaf?.start, leaf?.end)).toBe('"x"')
    const number = root.children?.get('n')
    expect(text.slice(number?.start, number?.end)).toBe('12')
    expect([root.start, root.end]).toEqual([0, text.length])
  })
})

describe('what is refused', () => {
  test.each([
    ['', 'A value is expected here, not the end.', 0],
    ['{"a":1,}', 'A key in double quotes is expected here.', 7],
    ["{'a':1}", 'A key in double quotes is expected here.', 1],
    ['{"a" 1}', 'A colon is expected after the key "a".', 5],
    ['[1 2]', 'A comma or "]" is expected here, not "2".', 3],
    ['[1', 'A comma or "]" is expected here, not the end of the text.', 2],
    ['{"a":tru}', 'A value is expected here, not "tru}".', 5],
    ['"abc', 'The string is not closed.', 0],
    ['"a\nb"', 'A string may not contain a line break or another control character.', 2],
    ['"\\q"', 'The string has an escape that JSON does not know.', 0],
    ['1 2', 'Nothing may follow the document.', 2],
    ['1e999', 'The number 1e999 is too large.', 0],
    ['// no', 'A value is expected here, not "//".', 0],
  ])('%j: %s', (text, message, offset) => {
    expect(problemOf(text)).toMatchObject({ code: 'syntax_error', message, start: offset })
  })

  test('a key that comes twice is named with the line of the first one', () => {
    expect(problemOf('{\n"a": 1,\n"a": 2}')).toMatchObject({
      code: 'duplicate_key',
      pointer: '/a',
      message: 'The key "a" is already there, in line 2.',
      start: 10,
      end: 13,
    })
  })

  test('all duplicate keys of a document are reported at once', () => {
    expect(read('{"a":{"x":1,"x":2},"a":3,"a":4}').problems.map((problem) => problem.pointer)).toEqual(['/a/x', '/a', '/a'])
  })

  test('__proto__ is refused and does not change the prototype', () => {
    const result = read('{"__proto__": {"polluted": true}}')
    expect(result.problems[0]).toMatchObject({ code: 'forbidden_key', pointer: '/__proto__' })
    expect(Object.getPrototypeOf(result.value)).toBe(Object.prototype)
  })

  test('nesting beyond the limit is refused, however deep, without exhausting the stack', () => {
    for (const depth of [201, 1_000_000]) {
      expect(problemOf('['.repeat(depth))).toMatchObject({ code: 'document_too_deep', start: 200 })
    }
    expect(read(`${'['.repeat(200)}${']'.repeat(200)}`).problems).toEqual([])
  })

  test('more values than the limit are refused', () => {
    const limits = { ...defaultParseLimits, valuesMax: 10 }
    expect(parseJson(`[${'1,'.repeat(8)}1]`, limits).problems).toEqual([])
    expect(parseJson(`[${'1,'.repeat(9)}1]`, limits).problems[0]).toMatchObject({ code: 'document_too_large' })
  })
})
