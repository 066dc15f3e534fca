import { describe, expect, test } from 'vitest'
import { validateDefinition } from '#src/validate/validate-definition.ts'
import { parseDefinition } from './parse-definition.ts'

describe('text that a database cannot keep is refused with its place', () => {
  test.each([
    ['half a pair by an escape of YAML', 'a: 1\nb: "\\ud800"\n', '/b', 2, 4],
    ['the other half', 'a: "x\\udc00x"\n', '/a', 1, 4],
    ['two halves in the wrong order', 'a: "\\udc00\\ud800"\n', '/a', 1, 4],
    ['half a pair by a long escape', 'a: "\\U0000d800"\n', '/a', 1, 4],
    ['NUL by its short escape', 'a: "\\0"\n', '/a', 1, 4],
    ['NUL by a hexadecimal escape', 'a: "\\x00"\n', '/a', 1, 4],
    ['half a pair in a key', 'a:\n  "b\\ud800": 1\n', '/a/b\ud800', 2, 3],
    ['NUL in a key', '"\\0": 1\n', '/\0', 1, 1],
    ['NUL in an entry of a list', '- 1\n- ["\\0"]\n', '/1/0', 2, 4],
    ['half a pair by an escape of JSON', '{ "a": 1,\n "b": "\\ud800" }', '/b', 2, 7],
    ['NUL by an escape of JSON', '["\\u0000"]', '/0', 1, 2],
    ['half a pair in a key of JSON', '{ "a": {\n "\\udfff": 1 } }', '/a/\udfff', 2, 2],
    ['NUL as it is', 'a: 1\nb: x\0y\n', '', 2, 5],
    ['NUL in a comment, which is kept as well', 'a: 1 # \0\n', '', 1, 8],
    ['half a pair as it is', 'a: 1\nb: 😀x\ud83d\n', '', 2, 7],
  ])('%s', (_, text, pointer, line, column) => {
    const { document, diagnostics } = parseDefinition(text)
    expect(document).toBeUndefined()
    expect(diagnostics).toMatchObject([{ code: 'invalid_text', pointer, line, column, hint: expect.any(String) }])
  })

  test('such text is refused anywhere in a definition', () => {
    const text = `document: { dsl: 1.0.3, namespace: x, name: x, version: 1.0.0, summary: "\\ud800" }
do:
  - "a\\0": { set: { x: 1 } }
`
    expect(validateDefinition(text).diagnostics).toMatchObject([
      { code: 'invalid_text', pointer: '/document/summary', line: 1 },
      { code: 'invalid_text', line: 3 },
    ])
  })
})

test.each(['"\\ud83d\\ude00"', '"\\U0001f600"', '"😀"', '"\\u0001"', '"\\ufffe"'])('%s can be kept', (written) => {
  expect(parseDefinition(`a: ${written}\n`).diagnostics).toEqual([])
})
