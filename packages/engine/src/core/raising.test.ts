import { expect, test } from 'vitest'
import { standardError } from './error.ts'
import { raisedBy, raising } from './raising.ts'

test('an error goes through a message and comes out as it was', () => {
  const { data } = standardError('timeout', 'too late', '/do/0/ask')
  expect(raisedBy(raising(data))).toEqual(data)
  expect(raisedBy(JSON.parse(JSON.stringify(raising(data))))).toEqual(data)
})

test.each([null, 1, 'raise', [], {}, { error: { type: 'x' } }])('%j is an output', (message) => {
  expect(raisedBy(message)).toBeUndefined()
})
