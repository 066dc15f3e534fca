import { describe, expect, test } from 'vitest'
import { parseDefinition } from './parse-definition.ts'

const yaml = `document:
  name: x
do:
  - first:
      if: .a == 1
      set:
        "quoted": "say \\"hi\\" now"
        single: 'it''s here'
        folded: >-
          one two
          three four
        literal: |
          alpha
            beta

          gamma
        plain: over two
          lines of text
        unicode: "\\u00e9\\U0001F600 \\x41b"
`

const parsed = parseDefinition(yaml)

function written(span: { start: { offset: number }; end: { offset: number } } | undefined): string | undefined {
  return span && yaml.slice(span.start.offset, span.end.offset)
}

test('a value is found by its pointer', () => {
  expect(written(parsed.positions.value('/do/0/first/if'))).toBe('.a == 1')
  expect(parsed.positions.value('/do/0/first/if')?.start).toEqual({ line: 5, column: 11, offset: yaml.indexOf('.a == 1') })
})

test('a key is found by the pointer of its value', () => {
  expect(written(parsed.positions.key('/do/0/first'))).toBe('first')
  expect(written(parsed.positions.key('/do/0/first/set/quoted'))).toBe('"quoted"')
})

test('the root and the entries of lists have no key', () => {
  expect(parsed.positions.key('')).toBeUndefined()
  expect(parsed.positions.key('/do/0')).toBeUndefined()
})

test('what is not there has no position, but its nearest ancestor has', () => {
  expect(parsed.positions.value('/do/0/first/then')).toBeUndefined()
  expect(parsed.positions.key('/do/7')).toBeUndefined()
  expect(written(parsed.positions.nearest('/do/0/first/then'))).toBe('first')
  expect(written(parsed.positions.nearest('/nothing/at/all'))).toBe(yaml)
})

/** Looks a word up inside of a value, and gives back what the file has at the place that is found. */
function piece(property: string, value: string, word: string): string | undefined {
  const start = value.indexOf(word)
  expect(start).toBeGreaterThanOrEqual(0)
  return written(parsed.positions.within(`/do/0/first/set/${property}`, value, start, start + word.length))
}

describe('a piece of a string', () => {
  test.each([
    ['quoted', 'say "hi" now', 'say', 'say'],
    ['quoted', 'say "hi" now', '"hi"', '\\"hi\\"'],
    ['quoted', 'say "hi" now', 'now', 'now'],
    ['single', "it's here", "it's", "it''s"],
    ['single', "it's here", 'here', 'here'],
    ['folded', 'one two three four', 'one', 'one'],
    ['folded', 'one two three four', 'two', 'two'],
    ['folded', 'one two three four', 'three', 'three'],
    ['folded', 'one two three four', 'four', 'four'],
    ['literal', 'alpha\n  beta\n\ngamma\n', 'alpha', 'alpha'],
    ['literal', 'alpha\n  beta\n\ngamma\n', 'beta', 'beta'],
    ['literal', 'alpha\n  beta\n\ngamma\n', 'gamma', 'gamma'],
    ['plain', 'over two lines of text', 'two', 'two'],
    ['plain', 'over two lines of text', 'lines', 'lines'],
    ['unicode', 'é😀 Ab', 'é', '\\u00e9'],
    ['unicode', 'é😀 Ab', '😀', '\\U0001F600'],
    ['unicode', 'é😀 Ab', 'Ab', '\\x41b'],
  ])('%s: %j has %j at %j', (property, value, word, expected) => {
    expect(piece(property, value, word)).toBe(expected)
  })

  test('a piece of a value that is not a string is the whole value', () => {
    expect(written(parsed.positions.within('/do', '', 0, 1))?.startsWith('- first')).toBe(true)
  })

  test('a piece of a value that does not exist is at the nearest ancestor', () => {
    expect(written(parsed.positions.within('/do/0/first/x', 'abc', 0, 1))).toBe('first')
  })
})

test('a piece of a JSON string is found through its escapes', () => {
  const text = '{ "a": "x\\t\\"y\\" \\u0041 end" }'
  const { positions } = parseDefinition(text)
  const value = 'x\t"y" A end'
  const span = positions.within('/a', value, value.indexOf('A'), value.indexOf('A') + 1)
  expect(text.slice(span.start.offset, span.end.offset)).toBe('\\u0041')
  const last = positions.within('/a', value, value.indexOf('end'), value.length)
  expect(text.slice(last.start.offset, last.end.offset)).toBe('end')
})

test('windows line ends do not move columns', () => {
  const text = 'a: 1\r\nb:\r\n  c: .x == yy\r\n'
  const { positions } = parseDefinition(text)
  expect(positions.value('/b/c')?.start).toMatchObject({ line: 3, column: 6 })
})
