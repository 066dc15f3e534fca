import { describeConformance } from '@millrace/jq/testing/conformance.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDefinition } from '#src/parse/parse-definition.ts'
import { definitions } from '#src/testing/arbitrary-definition.ts'
import { data } from '#src/testing/arbitrary-data.ts'
import type { Json } from '#src/json.ts'
import { canonicalJson, canonicalYaml } from './canonical.ts'

const scrambled = `
do:
  - check:
      then: end
      metadata: { z: 1, a: 2 }
      set: { z: "1", a: "two\\nlines\\n", b: "\${ .x }" }
      output: { as: .a }
      if: .ready
      export: { as: ., schema: { document: { type: object, properties: {} }, format: json } }
  - get:
      with: { endpoint: { authentication: { use: login }, uri: "https://example.com/{id}" }, method: get }
      call: http
timeout: { after: { minutes: 1, hours: 2 } }
document: { version: 1.0.0, name: x, namespace: y, dsl: 1.0.3 }
`

const ordered = `document:
  dsl: 1.0.3
  namespace: y
  name: x
  version: 1.0.0
do:
  - check:
      if: .ready
      set:
        z: '1'
        a: |
          two
          lines
        b: \${ .x }
      output:
        as: .a
      export:
        schema:
          format: json
          document:
            type: object
            properties: {}
        as: .
      then: end
      metadata:
        z: 1
        a: 2
  - get:
      call: http
      with:
        method: get
        endpoint:
          uri: https://example.com/{id}
          authentication:
            use: login
timeout:
  after:
    hours: 2
    minutes: 1
`

function read(text: string): Json {
  const { document, diagnostics } = parseDefinition(text)
  expect(diagnostics).toEqual([])
  return document ?? null
}

test('properties of the DSL come in the order of the specification, the keys of the author as they were', () => {
  expect(canonicalYaml(read(scrambled))).toBe(ordered)
})

test('the JSON form has the same order', () => {
  expect(canonicalJson(read(scrambled))).toBe(`${JSON.stringify(read(ordered), null, 2)}\n`)
})

describe('the canonical forms', () => {
  const forms = { yaml: canonicalYaml, json: canonicalJson } as const

  test.each(['yaml', 'json'] as const)('%s says the same as the definition, and is its own canonical form', (format) => {
    fc.assert(
      fc.property(definitions, (definition) => {
        const text = forms[format](definition)
        const again = read(text)
        expect(again).toEqual(definition)
        expect(forms[format](again)).toBe(text)
      }),
      { numRuns: 25, endOnFailure: true },
    )
  })

  test.each(['yaml', 'json'] as const)('%s of data that is no definition loses nothing either', (format) => {
    fc.assert(
      fc.property(data, (value) => {
        expect(read(forms[format](value))).toEqual(value)
      }),
      { numRuns: 500 },
    )
  })

  test('one follows from the other', () => {
    fc.assert(
      fc.property(definitions, (definition) => {
        expect(canonicalYaml(read(canonicalJson(definition)))).toBe(canonicalYaml(definition))
      }),
      { numRuns: 25, endOnFailure: true },
    )
  })

  describeConformance('of an official example', (conformance) => {
    test.each(conformance.list('ows/examples', '.yaml'))('%s keeps its meaning', (name) => {
      const document = read(conformance.read(`ows/examples/${name}`))
      expect(read(canonicalYaml(document))).toEqual(document)
      expect(read(canonicalJson(document))).toEqual(document)
    })
  })
})

describe('text', () => {
  test.each([
    'true',
    'null',
    '~',
    '1',
    '1.0',
    '0x1F',
    'yes',
    'no',
    '',
    ' ',
    '- a',
    '? b',
    ': c',
    '# d',
    '&e',
    '*f',
    '!g',
    '|',
    '>',
    '%',
    '@',
    '`',
    '{',
    '[',
    '"',
    "'",
    '\\',
    'a: b',
    'a #b',
    'a\nb',
    'a\nb\n',
    '\na',
    'a\n\n\nb\n\n',
    '  indented\nless',
    'trailing \nblank',
    'tab\there',
    'é',
    '😀',
    '\u0001',
    '\u0085',
    '\u2028',
    '\uFEFF',
    '\r\n',
    'a\rb',
    '---',
    '...',
    '<<',
    '=',
    '2026-01-01',
    '12:30',
    'x'.repeat(300),
  ])('%j survives', (text) => {
    const document = { document: { summary: text, [text === '' ? 'empty' : text]: 1 }, list: [text, [text]] }
    expect(read(canonicalYaml(document))).toEqual(document)
    expect(read(canonicalJson(document))).toEqual(document)
  })

  test('long text is not folded', () => {
    const text = 'word '.repeat(100).trim()
    expect(canonicalYaml({ a: text })).toBe(`a: ${text}\n`)
  })

  test('text with line breaks is a literal block', () => {
    expect(canonicalYaml({ a: 'one\ntwo\n' })).toBe('a: |\n  one\n  two\n')
  })
})

describe('values', () => {
  test('what occurs twice is written twice, without anchors', () => {
    const shared = { a: [1] }
    expect(canonicalYaml({ x: shared, y: shared })).toBe('x:\n  a:\n    - 1\ny:\n  a:\n    - 1\n')
  })

  test('minus zero is zero', () => {
    expect(canonicalYaml({ a: -0 })).toBe('a: 0\n')
    expect(canonicalJson({ a: -0 })).toBe('{\n  "a": 0\n}\n')
  })

  test.each([1e21, 1.5e-7, Number.MAX_SAFE_INTEGER, Number.MIN_VALUE, 0.1, -3])('the number %d survives', (value) => {
    expect(read(canonicalYaml({ a: value }))).toEqual({ a: value })
    expect(read(canonicalJson({ a: value }))).toEqual({ a: value })
  })

  test('properties that are undefined are left out', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{\n  "b": 1\n}\n')
  })

  test('a value that is not JSON is refused', () => {
    expect(() => canonicalJson({ a: Number.NaN })).toThrow(TypeError)
    expect(() => canonicalJson({ a: () => 1 })).toThrow('A definition cannot contain a function.')
  })

  test('the definition itself is not changed', () => {
    const definition = Object.freeze({ do: Object.freeze([]), document: Object.freeze({ name: 'x', dsl: '1.0.3' }) })
    expect(canonicalJson(definition)).toContain('"dsl": "1.0.3",\n    "name": "x"')
    expect(Object.keys(definition)).toEqual(['do', 'document'])
  })
})
