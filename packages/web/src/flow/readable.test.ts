import { expect, test } from 'vitest'
import { readable } from './readable.ts'

test.each([
  ['${ .order.total }', 'order.total'],
  ['.total > 10 and .paid', 'total > 10 and paid'],
  ['${ $steps.fetch.body.items }', 'fetch.body.items'],
  ['${ $workflow.input.name }', 'input.name'],
  ['$item.price', 'item.price'],
  ['${ "Pay \\(.amount) to \\($steps.read.name)" }', 'Pay {amount} to {read.name}'],
  ['${ .items | map(.price) | add }', 'items | map(price) | add'],
  ['${\n  .items\n  | length\n}', 'items …'],
  ['${ 0.5 * .a[0].b }', '0.5 * a[0].b'],
  ['${ . }', '.'],
  ['a plain text. And more', 'a plain text. And more'],
])('a card shows %j as %j', (text, shown) => {
  expect(readable(text)).toBe(shown)
})
