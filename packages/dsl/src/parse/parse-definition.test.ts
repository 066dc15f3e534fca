import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDefinition } from './parse-definition.ts'

describe('format', () => {
  test('text that begins with a brace is JSON', () => {
    expect(parseDefinition(' {"a": 1}')).toMatchObject({ format: 'json', document: { a: 1 } })
  })

  test('everything else is YAML', () => {
    expect(parseDefinition('a: 1')).toMatchObject({ format: 'yaml', document: { a: 1 } })
  })

  test('YAML in flow style is recognised although it looks like JSON', () => {
    expect(parseDefinition('{ a: 1, b: [x, y] }')).toMatchObject({ format: 'yaml', document: { a: 1, b: ['x', 'y'] } })
  })

  test('what is neither is explained as JSON', () => {
    const { format, diagnostics, document } = parseDefinition('{ "a": 1, "b": [1, 2 }')
    expect(format).toBe('json')
    expect(document).toBeUndefined()
    expect(diagnostics).toHaveLength(1)
    expect(diagnostics[0]).toMatchObject({ code: 'syntax_error', severity: 'error', line: 1, column: 22 })
  })

  test('a duplicate key of JSON is not hidden by trying YAML', () => {
    expect(parseDefinition('{"a": 1, "a": 2}').diagnostics[0]).toMatchObject({
      code: 'duplicate_key',
      pointer: '/a',
      line: 1,
      column: 10,
      endColumn: 13,
    })
  })

  test('a format that is asked for is not departed from', () => {
    expect(parseDefinition('a: 1', { format: 'json' }).diagnostics[0]?.code).toBe('syntax_error')
    expect(parseDefinition('{"a": 1}', { format: 'yaml' })).toMatchObject({ format: 'yaml', document: { a: 1 } })
  })

  test('JSON is read the same by both readers', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        const text = JSON.stringify({ value }, null, 2)
        if (text.includes('"__proto__"')) return
        expect(parseDefinition(text, { format: 'yaml' }).document).toEqual(parseDefinition(text, { format: 'json' }).document)
      }),
      { numRuns: 200 },
    )
  })
})

test('a byte order mark is not part of the document', () => {
  const parsed = parseDefinition('\uFEFFa: 1')
  expect(parsed.document).toEqual({ a: 1 })
  expect(parsed.positions.key('/a')?.start).toMatchObject({ line: 1, column: 1 })
})

test('a text beyond the limit is refused before it is read', () => {
  const { diagnostics, document } = parseDefinition('[[[[', { limits: { lengthMax: 3 } })
  expect(document).toBeUndefined()
  expect(diagnostics).toMatchObject([{ code: 'document_too_large', line: 1, column: 1 }])
})

test('an empty text is an empty document', () => {
  expect(parseDefinition('')).toMatchObject({ document: null, diagnostics: [] })
})

test('no text whatever makes the reader throw, and a refused one always has a position and a hint', () => {
  const pieces = fc.constantFrom(
    'a',
    ': ',
    '\n',
    '- ',
    '  ',
    '{',
    '}',
    '[',
    ']',
    ',',
    '"',
    "'",
    '|',
    '>',
    '&x',
    '*x',
    '!t',
    '#',
    '%',
    '@',
    '`',
    '---',
    '\t',
    '${ .a }',
    '?',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 25 }), (parts) => {
      const text = parts.join('')
      const { document, diagnostics } = parseDefinition(text)
      expect(document === undefined).toBe(diagnostics.length > 0)
      for (const diagnostic of diagnostics) {
        expect(diagnostic.line).toBeGreaterThan(0)
        expect(diagnostic.column).toBeGreaterThan(0)
        expect(diagnostic.hint).toBeTruthy()
      }
    }),
    { numRuns: 2000 },
  )
})
