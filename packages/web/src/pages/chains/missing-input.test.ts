import { expect, test } from 'vitest'
import { missingInput } from './missing-input.ts'

const schema = { type: 'object', required: ['id', 'total'], properties: { id: {}, total: {}, note: {} } }

test.each([
  ['', false, { kind: 'unmapped', names: ['id', 'total'] }],
  ['', true, undefined],
  ['{ id: .id }', false, { kind: 'lacking', names: ['total'] }],
  ['{ id: .id }', true, { kind: 'lacking', names: ['total'] }],
  ['{}', false, { kind: 'lacking', names: ['id', 'total'] }],
  ['{ id: { total: 1 }, note: "\\(.a), total: 1" }', false, { kind: 'lacking', names: ['total'] }],
  ['{ id, "total": (1, 2) }', false, undefined],
  ['{ $id, total: [.a, .b] }', false, undefined],
  ['. + { id: 1 }', false, undefined],
  ['{ id: 1 } + .', false, undefined],
  ['{ id: 1 } | . + { total: 1 }', false, undefined],
  ['{ id: 1, (.name): 2 }', false, undefined],
  ['{ id: 1, "a\\(.b)": 2 }', false, undefined],
  ['{ id: 1 } + { note: .n }', false, { kind: 'lacking', names: ['total'] }],
  ['{ order: { id: .id } } | .order', false, { kind: 'lacking', names: ['total'] }],
  ['if .new then { id: 1 } else { id: 2, note: 3 } end', false, { kind: 'lacking', names: ['total'] }],
  ['if .new then { id: 1 } else { total: 2 } end', false, undefined],
  ['{ id: $steps.first.id, total: $missing }', false, undefined],
  ['{ id: ', false, undefined],
  ['.order', false, undefined],
])('of the mapping %j only what is certainly missing is named (first: %j)', (mapping, isFirst, missing) => {
  expect(missingInput(schema, mapping, isFirst)).toEqual(missing)
})

test('without required members nothing is missing', () => {
  expect(missingInput(undefined, '', false)).toBeUndefined()
  expect(missingInput({ properties: { id: {} } }, '{}', false)).toBeUndefined()
})

test('a mapping that is too large to follow lacks nothing for certain', () => {
  const sum = (length: number) => Array.from({ length }, (_, at) => `{ note: ${String(at)} }`).join(' + ')
  expect(missingInput(schema, sum(1_000), false)).toEqual({ kind: 'lacking', names: ['id', 'total'] })
  expect(missingInput(schema, sum(20_000), false)).toBeUndefined()
})
