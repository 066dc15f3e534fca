import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ParseLimits, defaultParseLimits } from './limits.ts'
import { parseDefinition } from './parse-definition.ts'

type Passed = readonly [limit: keyof ParseLimits, max: number, text: string, code: string, line: number, column: number]

const yaml: readonly Passed[] = [
  ['depthMax', 2, 'a:\n  b:\n    - - 1\n', 'document_too_deep', 3, 9],
  ['valuesMax', 3, '- 1\n- 2\n- 3\n', 'document_too_large', 3, 3],
  ['membersMax', 2, 'a:\n- 1\n- 2\n- 3\n', 'document_too_large', 2, 1],
  ['stringLengthMax', 3, 'a: b\nc: four\n', 'text_too_long', 2, 4],
  ['keyLengthMax', 3, 'a: b\nfour: c\n', 'text_too_long', 2, 1],
  ['pointerLengthMax', 3, 'a:\n  b:\n', 'text_too_long', 2, 3],
  ['tokensMax', 6, 'a: b\nc: d\n', 'document_too_large', 2, 2],
  ['tagsMax', 1, 'a: !!str b\nc: !!str d\n', 'document_too_large', 2, 4],
  ['anchorsMax', 1, 'a: &a b\nc: &c d\n', 'alias_limit', 2, 4],
  ['aliasesMax', 1, 'a: &a b\nc: [*a, *a]\n', 'alias_limit', 2, 9],
  ['lengthMax', 40, `a: &a ${'x'.repeat(15)}\nb: [*a, *a, *a]`, 'alias_limit', 2, 13],
]

const json: readonly Passed[] = [
  ['depthMax', 2, '{ "a": {\n "b": [] } }', 'document_too_deep', 2, 7],
  ['valuesMax', 3, '[1,\n2, 3]', 'document_too_large', 2, 4],
  ['membersMax', 2, '[1,\n2, 3]', 'document_too_large', 2, 4],
  ['membersMax', 1, '{ "a": 1,\n"b": 2 }', 'document_too_large', 2, 1],
  ['stringLengthMax', 3, '["b",\n"four"]', 'text_too_long', 2, 1],
  ['keyLengthMax', 3, '{ "a": 1,\n"four": 2 }', 'text_too_long', 2, 1],
  ['pointerLengthMax', 3, '{ "a":\n{ "b": 1 } }', 'text_too_long', 2, 3],
]

describe.each([
  ['yaml', yaml],
  ['json', json],
] as const)('each limit of %s is a diagnostic with the limit and the place where it is passed', (format, cases) => {
  test.each(cases)('%s', (limit, max, text, code, line, column) => {
    const { document, diagnostics } = parseDefinition(text, { format, limits: { [limit]: max } })
    expect(document).toBeUndefined()
    expect(diagnostics).toMatchObject([{ code, severity: 'error', line, column, message: expect.stringContaining(String(max)) }])
    expect(parseDefinition(text, { format }).diagnostics).toEqual([])
  })
})

test('one level more than the limit is reported in block and in flow style', () => {
  const blocks = (levels: number) => `${'- '.repeat(levels)}x`
  const flows = (levels: number) => `x: ${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}`
  for (const nested of [blocks, flows]) {
    expect(parseDefinition(nested(defaultParseLimits.depthMax)).diagnostics).toEqual([])
    for (const more of [2, 3, 4, 5, 50]) {
      expect(parseDefinition(nested(defaultParseLimits.depthMax + more)).diagnostics).toMatchObject([
        { code: 'document_too_deep', line: 1 },
      ])
    }
  }
})

test('no limits and no text make the reader throw, and every diagnostic has a place within the text', () => {
  const small = fc.integer({ min: 0, max: 6 })
  const limits = fc.record({
    depthMax: small,
    valuesMax: small,
    membersMax: small,
    stringLengthMax: small,
    keyLengthMax: small,
    pointerLengthMax: small,
    tokensMax: fc.integer({ min: 0, max: 60 }),
    tagsMax: small,
    anchorsMax: small,
    aliasesMax: small,
  })
  const pieces = fc.constantFrom(
    'a: ',
    'bb',
    '- ',
    '\n',
    '\n  ',
    '[',
    ']',
    '{ "k": ',
    '}',
    ', ',
    '"x"',
    '&a ',
    '*a',
    '!!str ',
    '# c\n',
    '? ',
    '|\n',
  )
  fc.assert(
    fc.property(limits, fc.array(pieces, { maxLength: 20 }), (given, parts) => {
      const text = parts.join('')
      const lines = text.split('\n')
      for (const { line, column } of parseDefinition(text, { limits: given }).diagnostics) {
        expect(column).toBeLessThanOrEqual((lines[line - 1] ?? '').length + 1)
      }
    }),
    { numRuns: 2000 },
  )
})
