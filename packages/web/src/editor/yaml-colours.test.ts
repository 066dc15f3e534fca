import { EditorState, Text } from '@codemirror/state'
import { describe, expect, test } from 'vitest'
import { colouredPieces, isInBlockText, yamlIndent } from '#src/editor/yaml-colours.ts'

const shown = (line: string) => colouredPieces(line).map(({ from, to, look }) => `${look} ${line.slice(from, to)}`)

describe('the colours of a line of YAML', () => {
  test.each([
    ['- fetch:', ['mark -', 'key fetch', 'mark :']],
    [
      '  set: { a: 1, "b c": \'x\' } # why',
      ['key set', 'mark :', 'mark {', 'key a', 'mark :', 'value 1', 'mark ,', 'key "b c"', 'mark :', "text 'x'", 'mark }', 'comment # why'],
    ],
    ['endpoint: https://shop.example/a#b', ['key endpoint', 'mark :']],
    ['when: true', ['key when', 'mark :', 'value true']],
    ['version: 1.0.0 beta', ['key version', 'mark :']],
    ['text: "an \\" open one', ['key text', 'mark :', 'text "an \\" open one']],
  ])('%s', (line, expected) => {
    expect(shown(line)).toEqual(expected)
  })

  test('a line inside a block of text is no YAML, the line after it is', () => {
    const doc = Text.of(['a:', '  code: |', '    const x = { y: 1 }', '', '    return x', '  then: end'])
    expect([1, 2, 3, 5, 6].map((number) => isInBlockText(doc, number))).toEqual([false, false, true, true, false])
  })
})

test.each([
  ['do:', 2],
  ['  - fetch:', 6],
  ['    call: http', 4],
  ['    code: |', 6],
])('the line after "%s" is indented by %d', (line, indent) => {
  const state = EditorState.create({ doc: line })
  expect(yamlIndent(state, line.length)).toBe(indent)
})
