import { expect, test } from 'vitest'
import { collectRows } from './collect-rows.ts'

const limits = { rowsMax: 3, bytesMax: 1_000 }

test('rows become JSON', () => {
  const { rows, add } = collectRows(limits)
  add({ id: 1n, bytes: Buffer.from('ab'), at: new Date(0), nothing: null, list: [1, { a: Buffer.from('c') }] })
  expect(rows).toEqual([
    {
      id: '1',
      bytes: 'YWI=',
      at: '1970-01-01T00:00:00.000Z',
      nothing: null,
      list: [1, { a: 'Yw==' }],
    },
  ])
})

test('more rows than are wanted are an error', () => {
  const { add } = collectRows(limits)
  for (let index = 0; index < 3; index++) add({ index })
  expect(() => add({ index: 3 })).toThrow(/more than 3 rows/)
})

test('more bytes than are allowed are an error', () => {
  const { add } = collectRows(limits)
  add({ text: 'x'.repeat(600) })
  expect(() => add({ text: 'x'.repeat(600) })).toThrow(/more than 1000 bytes/)
})
