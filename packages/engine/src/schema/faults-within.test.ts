import { expect, test } from 'vitest'
import { faultsWithin } from './faults-within.ts'

const schema = {
  type: 'object',
  required: ['kind'],
  properties: { kind: { enum: ['a', 'b'] }, lines: { type: 'array', items: { type: 'number' } } },
}

test('what does not match is named, as without a limit', () => {
  expect(faultsWithin(1_000, schema, { kind: 'a', lines: [1, 2] })).toEqual([])
  expect(faultsWithin(1_000, schema, { kind: 'c', lines: [1, '2'] }).map(({ pointer }) => pointer)).toEqual(['/kind', '/lines/1'])
})

test('a validation that takes more steps is a fault of the whole value', () => {
  const lines = Array.from({ length: 10_000 }, (_, n) => n)
  expect(faultsWithin(1_000, schema, { kind: 'a', lines })).toEqual([
    { pointer: '', detail: 'cannot be validated: it takes more than 1000 steps' },
  ])
  expect(faultsWithin(1_000_000, schema, { kind: 'a', lines })).toEqual([])
})

test('a schema that cannot be applied is a fault', () => {
  expect(faultsWithin(1_000, { $ref: 'https://elsewhere.example/schema' }, 1)).toEqual([
    { pointer: '', detail: expect.stringContaining('the schema cannot be applied') },
  ])
})
