import { compile } from '@millrace/jq'
import { expect, test } from 'vitest'
import { insertPath, pathOf } from '#src/editor/inspector/insert-path.ts'

const at = (text: string, from = text.length, to = from) => ({ text, from, to })

test.each([
  ['an empty field', at(''), false, '${ .total }'],
  ['the caret in an expression', at('${  + 1 }', 3), false, '${ .total + 1 }'],
  ['the end of an expression, before its brace', at('${ . | }'), false, '${ . | .total}'],
  ['a selection in an expression', at('${ .old }', 3, 7), false, '${ .total }'],
  ['an expression without braces', at('1 + '), true, '1 + .total'],
  ['a text, as an interpolation', at('Dear , "hi"', 5), false, '${ "Dear \\(.total), \\"hi\\"" }'],
])('a path goes into %s', (_name, typed, bare, text) => {
  expect(insertPath(typed, '.total', bare).text).toBe(text)
})

test.each([
  ['.', [], '.'],
  ['.', ['order', 'id'], '.order.id'],
  ['.', ['two words', 0], '.["two words"][0]'],
  ['$steps.fetch', ['items', 2, 'a-b'], '$steps.fetch.items[2]["a-b"]'],
])('a path below %s through %j is %s, which jq reads', (root, keys, path) => {
  expect(pathOf(root, keys)).toBe(path)
  expect(() => compile(path, { variables: ['steps'] })).not.toThrow()
})
