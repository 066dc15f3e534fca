import { expect, test } from 'vitest'
import * as z from 'zod'
import { errorsOf, opensTransaction, pathParameters } from './derived.ts'
import { Fault } from './fault.ts'
import { alias, isAlias, operation } from './operation.ts'
import { hasRole, roles, strongestRole } from './roles.ts'

const bare = operation({
  id: 'test.bare',
  method: 'GET',
  path: '/test/{one}/and/{two}',
  summary: 'x',
  stability: 'stable',
  auth: 'public',
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  reply: z.object({}),
  errors: ['conflict'],
})

test('the errors of an operation follow from its declaration', () => {
  const fromHttp = ['request_timeout', 'expectation_failed', 'headers_too_large']
  const always = ['conflict', 'request_invalid', 'malformed_request', 'rate_limited', 'internal', ...fromHttp]
  const withoutDatabase = { ...bare, transaction: 'none' } as const
  expect(errorsOf(withoutDatabase)).toEqual(always)
  const added = (more: object) => errorsOf({ ...withoutDatabase, ...more }).filter((code) => !always.includes(code))
  expect(added({ transaction: 'own' })).toEqual(['database_unavailable'])
  for (const transaction of ['own', 'request', 'none'])
    expect(added({ auth: { scope: 'account:read' }, transaction })).toEqual([
      'database_unavailable',
      'unauthenticated',
      'token_expired',
      'insufficient_scope',
      'key_restricted',
    ])
  expect(added({ role: 'admin' })).toEqual(['insufficient_role'])
  expect(added({ flag: 'isFancyEnabled' })).toEqual(['route_not_found'])
  expect(added({ params: z.object({}) })).toEqual(['not_found'])
  expect(added({ body: z.object({}) })).toEqual([])
  expect(added({ method: 'POST' })).toEqual(['malformed_json', 'payload_too_large', 'unsupported_media_type', 'loop_detected'])
  expect(added({ idempotency: 'keyed' })).toEqual(['idempotency_key_reused', 'idempotency_in_progress'])
  expect(added({ requestHeaders: ['If-Match'] })).toEqual(['revision_mismatch'])
})

test('an operation with a scope has one transaction unless it says otherwise; a public one never has', () => {
  expect(opensTransaction(bare)).toBe(false)
  expect(opensTransaction({ ...bare, transaction: 'request' })).toBe(false)
  expect(opensTransaction({ ...bare, auth: { scope: 'account:read' } })).toBe(true)
  expect(opensTransaction({ ...bare, auth: { scope: 'account:read' }, transaction: 'own' })).toBe(false)
})

test('path parameters are named in order', () => {
  expect(pathParameters(bare)).toEqual(['one', 'two'])
})

test('an alias equals its target but for id and path', () => {
  const other = alias(bare, { id: 'test.other', path: '/other' })
  expect(other).toEqual({ ...bare, id: 'test.other', path: '/other', aliasOf: 'test.bare' })
  expect([isAlias(other), isAlias(bare)]).toEqual([true, false])
})

test('a role includes every weaker role', () => {
  expect(hasRole('owner', 'admin') && hasRole('admin', 'admin')).toBe(true)
  expect(hasRole('viewer', 'member')).toBe(false)
})

test('an auditor has the role of a viewer and an admin that of an auditor, while members and auditors have none of each other', () => {
  expect(roles.filter((role) => hasRole('auditor', role))).toEqual(['viewer', 'auditor'])
  expect(roles.filter((role) => hasRole(role, 'auditor'))).toEqual(['auditor', 'admin', 'owner'])
  expect(strongestRole(['auditor', 'member', 'viewer'])).toBe('auditor')
  expect(strongestRole(['auditor', 'admin'])).toBe('admin')
})

test('a fault has its own detail or that of the catalogue, and keeps its cause for the log', () => {
  expect(new Fault('not_found').message).toBe('There is no such resource.')
  const cause = new Error('inside')
  const fault = new Fault('conflict', { detail: 'Already ended.', cause })
  expect([fault.message, fault.cause, fault.code]).toEqual(['Already ended.', cause, 'conflict'])
})
