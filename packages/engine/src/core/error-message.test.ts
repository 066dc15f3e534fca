import { expect, test } from 'vitest'
import { standardError } from './error.ts'
import { errorFromMessage, errorMessage } from './error-message.ts'

test('an error goes through a message and comes out as it was', () => {
  const { data } = standardError('timeout', 'too late', '/do/0/ask')
  expect(errorFromMessage(errorMessage(data))).toEqual(data)
  expect(errorFromMessage(JSON.parse(JSON.stringify(errorMessage(data))))).toEqual(data)
})

test.each([null, 1, 'raise', [], {}, { error: { type: 'x' } }])('%j is an output', (message) => {
  expect(errorFromMessage(message)).toBeUndefined()
})
