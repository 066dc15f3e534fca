import { compile } from '@millrace/jq'
import { describe, expect, test } from 'vitest'
import { clause, constantText, ofItem, term, withReads } from './jq-text.ts'

test.each([
  ['.a.b', '.a.b'],
  ['"text"', '"text"'],
  ['"a\\(.b)c"', '"a\\(.b)c"'],
  ['{a: 1}', '{a: 1}'],
  ['5', '5'],
  ['-5', '(-5)'],
  ['.a | .b', '(.a | .b)'],
  ['.a + .b', '(.a + .b)'],
  ['(.a)', '.a'],
  ['(.a) + (.b)', '((.a) + (.b))'],
  ['(try .a.b catch null)', '(try .a.b catch null)'],
  ['try .a.b catch null', '(try .a.b catch null)'],
  ['.a |', '(.a |)'],
])('%s is the operand %s', (jq, operand) => {
  expect(term(jq)).toBe(operand)
})

test.each([
  ['.a > 1', '.a > 1'],
  ['.a > 1 and .b', '(.a > 1 and .b)'],
  ['.a // false', '(.a // false)'],
  ['(.a | not)', '(.a | not)'],
])('%s is the clause %s', (jq, written) => {
  expect(clause(jq)).toBe(written)
})

describe('jq over an item', () => {
  const item = { a: { b: 1 }, list: [1, 2], key: 'a', text: 'x' }

  test.each([
    ['$item', '.'],
    ['$item.a.b', '.a.b'],
    ['$item["a"]', '.["a"]'],
    ['$item.list[0]', '.list[0]'],
    ['{x: $item.a, y: [$item.key]}', '{x: .a, y: [.key]}'],
    ['"\\($item.text) and \\($item.key)"', '"\\(.text) and \\(.key)"'],
    ['if $item.a == null then 1 else $item.a.b end', 'if .a == null then 1 else .a.b end'],
    ['$item.a // $item.key', '.a // .key'],
    ['($item.text | length) + $item.a.b', '(.text | length) + .a.b'],
    ['$item.list as $n | $n + [$item.key]', '.list as $n | $n + [.key]'],
    ['{} | setpath(["x"]; $item.key)', '. as $item | {} | setpath(["x"]; $item.key)'],
    ['$item.list | map(. + $item.a.b)', '. as $item | $item.list | map(. + $item.a.b)'],
    ['$item.text | contains($item.key)', '. as $item | $item.text | contains($item.key)'],
  ])('%s is written as %s, and gives the same', (jq, written) => {
    expect(ofItem(jq)).toBe(written)
    expect(compile(written).first(item)).toEqual(compile(`. as $item | ${jq}`).first(item))
  })

  test('without a read of the item it stays', () => {
    expect(ofItem('.a | length')).toBe('.a | length')
  })

  test('a text that names the item is no read of it', () => {
    expect(compile(ofItem('"$item costs " + $item.key')).first(item)).toBe('$item costs a')
  })
})

test.each([
  ['"a/b"', 'a/b'],
  ['"a\\"b"', 'a"b'],
  ['"a\\(1)"', undefined],
  ['5', undefined],
  ['.a', undefined],
])('the constant text of %s is %s', (jq, text) => {
  expect(constantText(jq)).toBe(text)
})

test('reads of variables are replaced by name and key, but not in texts and patterns', () => {
  const replaced = (jq: string) =>
    withReads(jq, ({ name, key }) => {
      if (name === 'index') return '0'
      return name === 'list' && key !== undefined ? `$steps.${key}` : undefined
    })
  expect(replaced('$list["a"][$index].b + "$index \\($index)"')).toBe('$steps.a[0].b + "$index \\(0)"')
  expect(replaced('1 as $index | $other[$index]')).toBe('1 as $index | $other[0]')
  expect(replaced('$list["a')).toBe('$list["a')
})
