import { expect, test } from 'vitest'
import { unencodedParts, withEncodedParts } from './unencoded-parts.ts'

test.each([
  ['"https://a.b/orders/\\(.order)"', '"https://a.b/orders/\\(.order | @uri)"'],
  ['"https://a.b/orders?q=\\(.order)&n=1"', '"https://a.b/orders?q=\\(.order | @uri)&n=1"'],
  ['"https://a.b/\\(.a)/\\(.b.c)"', '"https://a.b/\\(.a | @uri)/\\(.b.c | @uri)"'],
  ['"https://a.b/" + .order', '"https://a.b/" + (.order | @uri)'],
  ['"https://a.b/" + (.order // "none")', undefined],
  ['"\\(.base)/orders/\\(.order)"', '"\\(.base)/orders/\\(.order | @uri)"'],
  ['"https://\\(.host)/orders/\\($item.id)"', '"https://\\(.host)/orders/\\($item.id | @uri)"'],
  ['"https://a.b/\\($workflow.input.order)"', '"https://a.b/\\($workflow.input.order | @uri)"'],
  ['"https://a.b/\\($steps.lookup.id | tostring)"', '"https://a.b/\\($steps.lookup.id | tostring | @uri)"'],
  ['"https://a.b/\\(.a // .b)"', '"https://a.b/\\(.a // .b | @uri)"'],
  ['"https://a.b/\\(.a | if . == null then "" else . end)"', '"https://a.b/\\(.a | if . == null then "" else . end | @uri)"'],
  ['try "https://a.b/\\(try .a.b catch null)" catch null', 'try "https://a.b/\\(try .a.b catch null | @uri)" catch null'],
  ['. as $all | "https://a.b/\\($all.id)"', '. as $all | "https://a.b/\\($all.id | @uri)"'],
  ['if .x then "https://a.b/\\(.x)" else "https://a.b" end', 'if .x then "https://a.b/\\(.x | @uri)" else "https://a.b" end'],
])('data in the path or query of %s is encoded', (source, encoded) => {
  const after = withEncodedParts(source, 'address')
  if (encoded !== undefined) expect(after).toBe(encoded)
  expect(after).not.toBe(source)
  expect(unencodedParts(after, 'address')).toEqual([])
})

test.each([
  '.url',
  '"\\(.base)"',
  '"\\(.base)/orders"',
  '"https://\\(.host)"',
  '"https://\\(.host):\\(.port)/orders"',
  '"https://a.b/\\(.order | @uri)"',
  '@uri "https://a.b/\\(.order)"',
  '"https://a.b/\\($variables.path)"',
  '"https://a.b/\\($secrets.key)"',
  '"https://a.b/\\($workflow.id)"',
  '"https://a.b/\\(.items | length)"',
  '"https://a.b/\\(.n | tonumber)"',
  '"https://a.b/\\(.n + 1)"',
  '"https://a.b/\\(now)"',
  '"https://a.b/\\($index)"',
  '"https://a.b/" + ',
])('nothing is reported of %s as an address', (source) => {
  expect(unencodedParts(source, 'address')).toEqual([])
})

test.each([
  ['"/orders/\\(.order)"', 1],
  ['"/\\(.order)?x=\\(.x)"', 2],
  ['"orders/\\(.order)"', 1],
  ['.path', 0],
  ['"\\(.path)"', 0],
  ['"/orders/\\(.order | @uri)"', 0],
])('of the path %s the values after the first are parts', (source, count) => {
  expect(unencodedParts(source, 'path')).toHaveLength(count)
})
