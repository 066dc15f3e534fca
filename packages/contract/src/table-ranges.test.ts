import { expect, test } from 'vitest'
import { rangeIn } from './table-ranges.ts'

test.each([
  ['total:100..500', { column: 'total', from: 100, to: 500 }],
  ['total:-1.5e3..', { column: 'total', from: -1500, to: undefined }],
  ['due:..2026-12-31', { column: 'due', from: undefined, to: '2026-12-31' }],
  ['zip:"10115".."20000"', { column: 'zip', from: '10115', to: '20000' }],
  ['at:09:00..17:30', { column: 'at', from: '09:00', to: '17:30' }],
  ['code:007..', { column: 'code', from: '007', to: undefined }],
])('%s is a range', (text, range) => expect(rangeIn(text)).toEqual(range))

test.each(['total', 'total:', 'total:..', 'total:100', ':1..2', 'total:1..much', 'status:open'])('%s is no range', (text) => {
  expect(rangeIn(text)).toBeUndefined()
})

test('a long text is read in time linear to its length', () => {
  expect(rangeIn(`a:${'.'.repeat(100_000)}`)).toBeDefined()
})
