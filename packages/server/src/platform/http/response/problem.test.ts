import { Fault } from '@millrace/contract'
import { expect, test } from 'vitest'
import { ConnectionClosed } from '#platform/http/request/connection-closed.ts'
import { faultOf, problemHeaders, problemOf } from './problem.ts'

test('a problem says what, where and for which request, and carries the further members of its fault', () => {
  const fault = new Fault('workflow_invalid', { detail: 'Two errors.', extensions: { diagnostics: [{ code: 'x' }], status: 200 } })
  expect(problemOf(fault, 'r1', '/api/v1/workflows')).toEqual({
    type: '/docs#error-workflow_invalid',
    title: 'Workflow does not validate',
    status: 422,
    detail: 'Two errors.',
    instance: '/api/v1/workflows',
    code: 'workflow_invalid',
    requestId: 'r1',
    diagnostics: [{ code: 'x' }],
  })
})

test('a 401 has WWW-Authenticate, with an error when a credential was presented', () => {
  expect(problemHeaders(new Fault('unauthenticated'), false)).toEqual({ 'www-authenticate': 'Bearer realm="millrace"' })
  expect(problemHeaders(new Fault('token_expired'), true)['www-authenticate']).toContain('invalid_token')
  const stepUp = new Fault('insufficient_authentication', { extensions: { maxAgeSeconds: 600 } })
  expect(problemHeaders(stepUp, true)['www-authenticate']).toMatch(/error="insufficient_user_authentication".*max_age=600$/)
  expect(problemHeaders(new Fault('rate_limited', { retryAfterSeconds: 7 }), true)).toEqual({ 'retry-after': '7' })
})

test.each([
  [{ code: 'FST_ERR_CTP_BODY_TOO_LARGE' }, 'payload_too_large'],
  [{ code: 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' }, 'malformed_request'],
  [{ code: '22P05' }, 'request_invalid'],
  [{ code: '23503', constraint: 'event_subscriptions_account_id_fkey' }, 'unauthenticated'],
  [{ code: '23503', constraint: 'api_keys_account_id_user_id_fkey' }, 'unauthenticated'],
  [{ code: '23503', constraint: 'workflow_versions_workflow_id_fkey' }, 'internal'],
  [{ code: '57P03' }, 'database_unavailable'],
  [Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' }), 'database_unavailable'],
  [Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' }), 'database_unavailable'],
  [Object.assign(new Error('connect ENOENT /tmp/.s.PGSQL.5432'), { code: 'ENOENT', syscall: 'connect' }), 'database_unavailable'],
  [Object.assign(new Error('getaddrinfo EAI_AGAIN db'), { code: 'EAI_AGAIN', syscall: 'getaddrinfo' }), 'database_unavailable'],
  [Object.assign(new Error("open '/etc/x'"), { code: 'ENOENT', syscall: 'open' }), 'internal'],
  [new Error('Connection terminated unexpectedly'), 'database_unavailable'],
  [new Error('Client has encountered a connection error and is not queryable'), 'database_unavailable'],
  [new Error('the database has not answered for 45 s'), 'database_unavailable'],
  [{ code: '25P03' }, 'database_unavailable'],
  [{ code: 'PROCESS_FENCED' }, 'database_unavailable'],
  [Object.assign(new Error('aborted'), { code: 'ECONNRESET' }), 'malformed_request'],
  [new ConnectionClosed(new DOMException('select', 'AbortError')), 'malformed_request'],
  [Object.assign(new Error('select'), { code: 'THREADS_FULL' }), 'overloaded'],
  [{ code: '42601', message: 'syntax error at or near "select"' }, 'internal'],
  [new TypeError('x is not a function'), 'internal'],
  ['thrown text', 'internal'],
  [null, 'internal'],
])('foreign error %# is answered as %s', (error, code) => {
  const fault = faultOf(error)
  expect(fault.code).toBe(code)
  expect(JSON.stringify(problemOf(fault, 'r', '/'))).not.toMatch(/syntax|select|not a function|thrown/)
})
