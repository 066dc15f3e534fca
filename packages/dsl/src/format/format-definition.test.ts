import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { definitions } from '#src/testing/arbitrary-definition.ts'
import { formatDefinition } from './format-definition.ts'

function formatted(text: string): string {
  const result = formatDefinition(text)
  if (!result.ok) throw new Error(result.detail)
  return result.text
}

test('indentation becomes two spaces; comments, empty lines, quotes and order stay', () => {
  const text = `# top\ndocument:\n      name: 'a'   # the name\n      dsl: "1.0.3"\n\ndo:\n- one:\n        set: {a: 1,b: [1,2]}\n`
  expect(formatted(text)).toBe(
    `# top\ndocument:\n  name: 'a' # the name\n  dsl: "1.0.3"\n\ndo:\n  - one:\n      set: { a: 1, b: [ 1, 2 ] }\n`,
  )
})

test('JSON stays JSON, and a long line is not broken', () => {
  expect(formatted('{"a":[1,{"b":"c"}]}')).toBe('{\n  "a": [\n    1,\n    {\n      "b": "c"\n    }\n  ]\n}\n')
  const long = `a: ${'word '.repeat(60)}end\n`
  expect(formatted(long)).toBe(long)
})

test('a formatted definition says the same, and formatting it again changes nothing', () => {
  fc.assert(
    fc.property(definitions, fc.integer({ min: 1, max: 8 }), (definition, indent) => {
      const text = stringify(definition, { indent: indent + 1, lineWidth: 40 })
      const once = formatted(text)
      expect(parse(once)).toEqual(parse(text))
      expect(formatted(once)).toBe(once)
    }),
    { numRuns: 12 },
  )
})

test('a text that cannot be read is reported with its line', () => {
  expect(formatDefinition('a: 1\nb: [1\nc: 2')).toMatchObject({ ok: false, line: expect.any(Number) })
})
