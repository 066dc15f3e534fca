import { expect, test } from 'vitest'
import { NetError, netError } from './net-error.ts'

test.each([
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['ETIMEDOUT', 'timeout'],
  ['ENOTFOUND', 'dns'],
  ['EAI_AGAIN', 'dns'],
  ['ECONNREFUSED', 'connect'],
  ['EHOSTUNREACH', 'connect'],
  ['ENETUNREACH', 'connect'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
  ['CERT_HAS_EXPIRED', 'tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
  ['EPROTO', 'tls'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'protocol'],
  ['UND_ERR_HEADERS_OVERFLOW', 'too-large'],
  ['ECONNRESET', 'reset'],
  ['EPIPE', 'reset'],
  ['UND_ERR_SOCKET', 'reset'],
])('%s is %s, and is named to the reader', (code, reason) => {
  const cause = Object.assign(new Error('raw words with 10.0.0.1'), { code })
  const wrapped = netError(cause)
  expect(wrapped).toMatchObject({ reason, cause })
  expect(wrapped.message).toContain(code)
  expect(wrapped.message).not.toContain('10.0.0.1')
})

test('an error without a code is a broken connection', () => {
  expect(netError(new Error('x'))).toMatchObject({ reason: 'reset', message: 'the connection ended before the reply was complete' })
})

test('an error of our own is not wrapped again', () => {
  const error = new NetError('denied', 'no')
  expect(netError(error)).toBe(error)
})
