import { expect, test } from 'vitest'
import { isTransportFailure } from './port.ts'

test('a failure of the transport is known by its shape, so that a port need not import this package', () => {
  class Foreign extends Error {
    readonly reason = 'dns'
  }
  expect(isTransportFailure(new Foreign('x'))).toBe(true)
  expect(isTransportFailure(Object.assign(new Error('x'), { reason: 'timeout' }))).toBe(true)
})

test.each([
  [undefined],
  [null],
  ['dns'],
  [{ reason: 'dns' }],
  [new Error('dns')],
  [Object.assign(new Error('x'), { reason: 'toString' })],
  [Object.assign(new Error('x'), { reason: 7 })],
])('%s is not a transport failure', (thrown) => {
  expect(isTransportFailure(thrown)).toBe(false)
})
