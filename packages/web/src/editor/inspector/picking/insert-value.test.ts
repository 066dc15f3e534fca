import { unwrapExpression } from '@millrace/dsl'
import { compile } from '@millrace/jq'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { addressUse } from '#src/editor/inspector/picking/address-use.ts'
import { insertIntoYaml } from '#src/editor/inspector/picking/insert-into-yaml.ts'
import { insertValue } from '#src/editor/inspector/picking/insert-value.ts'
import { pathOf } from '#src/editor/inspector/picking/jq-path.ts'
import type { TextUse } from '#src/editor/inspector/picking/typed.ts'

/** A text with its caret as `^`, or its selection between two. */
function typed(marked: string) {
  const [head = '', middle, tail] = marked.split('^')
  if (tail === undefined) return { text: `${head}${middle ?? ''}`, from: head.length, to: head.length }
  return { text: `${head}${middle ?? ''}${tail}`, from: head.length, to: head.length + (middle?.length ?? 0) }
}

const inserted = (marked: string, use: TextUse) => {
  const { text, caret } = insertValue(typed(marked), '.to', use)
  return `${text.slice(0, caret)}^${text.slice(caret)}`
}

const cases: readonly (readonly [TextUse, string, string])[] = [
  ['text', '^', '${ .to }^'],
  ['text', '^old^', '${ .to }^'],
  ['text', 'Dear ^, "hi"', '${ "Dear \\(.to)^, \\"hi\\"" }'],
  ['text', 'Dear ^all^,\nhi', '${ "Dear \\(.to)^,\nhi" }'],
  ['text', 'Dear ${ .from }, ^', '${ "Dear \\(.from), \\(.to)^" }'],
  ['text', 'Dear ${ .from ^}, hi', '${ "Dear \\("\\(.from) \\(.to)")^, hi" }'],
  ['text', '${ .a } and ^${ .b }', '${ "\\(.a) and \\(.to)^\\(.b)" }'],
  ['text', '${ .from }^', '${ "\\(.from) \\(.to)"^ }'],
  ['text', '^${ .from }', '${ "\\(.to) \\(.from)"^ }'],
  ['text', '${ .fr^om }', '${ "\\(.from) \\(.to)"^ }'],
  ['text', '${ "\\(.from)" }^', '${ "\\(.from) \\(.to)^" }'],
  ['text', '${ "" }^', '${ "\\(.to)^" }'],
  ['text', '${ "Dear ^all" }', '${ "Dear \\(.to)^all" }'],
  ['text', '${ "Dear ^all^" }', '${ "Dear \\(.to)^" }'],
  ['text', '${ @uri "a" }^', '${ "\\(@uri "a") \\(.to)"^ }'],
  ['text', '${ ^.old^ + 1 }', '${ .to^ + 1 }'],
  ['text', '${ .items^ | length }', '${ .items + .to^ | length }'],
  ['text', '${ .a[^0].b | length }', '${ .a[.to +^ 0].b | length }'],
  ['text', '${ .a^[0].b | length }', '${ .a[0].b + .to^ | length }'],
  ['text', '${^  + 1 }', '${ .to^  + 1 }'],
  ['text', '${ . | }^', '${ . | .to^ }'],
  ['text', '${ .from + ^', '${ .from + .to^ }'],
  ['text', '${ .from # note }^', '${ "\\(.from # note\n) \\(.to)"^ }'],
  ['number', '5^', '${ .to }^'],
  ['number', '${ .from }^', '${ .from + .to^ }'],
  ['expression', '1 + ^', '1 + .to^'],
  ['expression', '.items^', '.items + .to^'],
  ['expression', '${ .items }^', '${ .items + .to^ }'],
  ['condition', '^', '${ .to }^'],
  ['condition', '.from^', '.from == .to^'],
  ['condition', '.total > ^', '.total > .to^'],
  ['condition', '.total > 1000^', '.total > 1000 and .to^'],
  ['address', '^', '${ .to }^'],
  ['address', 'https://^.example.com/x', '${ "https://\\(.to)^.example.com/x" }'],
  ['address', 'https://example.com/orders/^', '${ "https://example.com/orders/\\(.to | @uri)^" }'],
  ['address', 'https://example.com/orders/^7^?x=1', '${ "https://example.com/orders/\\(.to | @uri)^?x=1" }'],
  ['address', 'https://example.com?q=^', '${ "https://example.com?q=\\(.to | @uri)^" }'],
  ['address', '${ "https://example.com/\\(.from | @uri)/^" }', '${ "https://example.com/\\(.from | @uri)/\\(.to | @uri)^" }'],
  ['address', '${ "\\(.base)/orders/^" }', '${ "\\(.base)/orders/\\(.to | @uri)^" }'],
  ['address', '${ .base + "/orders/"^ }', '${ .base + "/orders/" + (.to | @uri)^ }'],
  ['path', '^', '${ "/\\(.to | @uri)^" }'],
  ['path', '/orders/^', '${ "/orders/\\(.to | @uri)^" }'],
  ['path', '/orders/^/lines?x=1', '${ "/orders/\\(.to | @uri)^/lines?x=1" }'],
  ['path', '${ "/orders/^" }', '${ "/orders/\\(.to | @uri)^" }'],
]

test.each(cases)('a value that is picked into %s %j makes %j', (use, before, after) => {
  expect(inserted(before, use)).toBe(after)
})

const sources = [
  '.a.b[0]["c d"]?.e // "none" | ascii_downcase',
  'if .a > 1 and (.b | not) then "x\\(.c + "\\n")" elif .d then .e else empty end',
  'reduce .items[] as {a: $x, $y} (0; . + $x - $y) | tostring',
  'def f($n): . + $n; [.items[]? | f(1)] | {a: length, "b\\(.c)": @base64 "\\(.d)", $__loc__} # the end',
  'try error("x") catch . , (.a |= 1) , .[1:2] , .. , -1 , ."x y" , label $out | break $out',
]
const uses: readonly TextUse[] = ['text', 'condition']

test.each(sources)('a value that is picked at any place of %s leaves a valid expression that reads it', (source) => {
  for (const use of uses) {
    for (let at = 0; at <= source.length + 5; at++) {
      const { text } = insertValue({ text: `\${ ${source} }`, from: at, to: at }, '.picked', use)
      expect(() => compile(unwrapExpression(text)), `${at}: ${text}`).not.toThrow()
      expect(text.replaceAll(/#.*/g, ''), String(at)).toContain('.picked')
    }
  }
})

test.each([
  [{ call: 'http', with: { endpoint: 'x' } }, 'endpoint', 'address'],
  [{ call: 'http', with: { endpoint: { uri: 'x' } } }, 'endpoint/uri', 'address'],
  [{ call: 'rss.read', with: { url: 'x' } }, 'url', 'address'],
  [{ call: 'http.request', with: { path: 'x' } }, 'path', 'path'],
  [{ call: 'dropbox.download', with: { path: 'x' } }, 'path', undefined],
  [{ call: 'http', with: { query: { path: 'x' } } }, 'query/path', undefined],
])('in %j, %s is used as %s', (task, place, use) => {
  expect(addressUse({ do: [{ one: task }] }, `/do/0/one/with/${place}`)).toBe(use)
})

test.each([
  ['to: ^', { to: '${ .to }' }],
  ['to:^', { to: '${ .to }' }],
  ['to: Dear ^', { to: '${ "Dear \\(.to)" }' }],
  ["to: '${ .from }^'", { to: '${ "\\(.from) \\(.to)" }' }],
  ['- to: "it\'s "^\n- b', [{ to: '${ "it\'s \\(.to)" }' }, 'b']],
  ['- ^', ['${ .to }']],
  ['to: [a, ^]', { to: ['a', '${ .to }'] }],
])('a value that is picked into the YAML %j makes %j', (before, value) => {
  expect(parse(insertIntoYaml(typed(before), '.to').text)).toEqual(value)
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
