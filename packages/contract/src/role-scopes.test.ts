import { describe, expect, test } from 'vitest'
import { groups } from './groups/index.ts'
import type { AnyOperation } from './operation.ts'
import { isOpenToAuditors, permitsRole, scopesOfRole } from './role-scopes.ts'
import { hasRole, type Role, roles } from './roles.ts'
import { grantableScopes, scopes } from './scopes.ts'

test('a stronger role has all scopes of a weaker one, but that an auditor decides nothing', () => {
  const lost = roles.flatMap((role) =>
    roles.filter((weaker) => hasRole(role, weaker)).flatMap((weaker) => [...scopesOfRole(weaker).difference(scopesOfRole(role))]),
  )
  expect(lost).toEqual(['approvals:decide', 'assistant:confirm'])
})

describe('an auditor', () => {
  const operations: readonly AnyOperation[] = Object.values(groups).flatMap((group) => Object.values(group))
  const may = (op: AnyOperation, role: Role) => op.auth !== 'public' && scopesOfRole(role).has(op.auth.scope) && permitsRole(op, role)
  const idsOf = (choose: (op: AnyOperation) => boolean) => operations.filter(choose).map(({ id }) => id)

  test('reads everything that a viewer reads', () => {
    expect(idsOf((op) => op.method === 'GET' && may(op, 'viewer') && !may(op, 'auditor'))).toEqual([])
  })

  test('may call exactly these operations that a viewer may not', () => {
    expect(idsOf((op) => may(op, 'auditor') && !may(op, 'viewer')).toSorted()).toEqual([
      'archivist.analytics',
      'archivist.pack',
      'archivist.packSelection',
      'archivist.packs',
      'archivist.piiSummary',
      'audit.export',
      'audit.exportEvents',
      'audit.query',
      'audit.verify',
      'audit.verifyDay',
      'privacy.compliance',
      'privacy.logs',
      'privacy.policies',
      'privacy.stats',
    ])
  })

  test('writes nothing but the own sign-in, API keys and notifications, and links to files', () => {
    const writes = operations.filter((op) => op.method !== 'GET' && op.role !== 'operator' && may(op, 'auditor'))
    expect(writes.flatMap(({ id }) => (/^(auth|notifications)\./.test(id) ? [] : id))).toEqual([
      'apiKeys.create',
      'apiKeys.revoke',
      'apiKeys.rotate',
      'oauth.decide',
      'triggers.previewSchedule',
      'files.link',
    ])
    expect(writes.every((op) => may(op, 'viewer'))).toBe(true)
  })

  test('may not call an operation that is added later, unless it is a read of viewers or says so', () => {
    const read: AnyOperation = { ...groups.workflows.list, id: 'test.later' }
    const write: AnyOperation = { ...read, method: 'POST' }
    expect(isOpenToAuditors(read)).toBe(true)
    expect(isOpenToAuditors(write)).toBe(false)
    expect(isOpenToAuditors({ ...write, auditors: true })).toBe(true)
    expect(isOpenToAuditors({ ...read, auth: { scope: 'audit:read' } })).toBe(false)
    expect(isOpenToAuditors({ ...read, auth: { scope: 'audit:read' }, role: 'auditor' })).toBe(true)
  })
})

test('an owner has every scope', () => {
  expect(scopesOfRole('owner')).toEqual(new Set(scopes))
})

test('a viewer reads, talks to the assistant, and changes nothing but the own sign-in', () => {
  const ofViewer = [...scopesOfRole('viewer')]
  // Proposals of the assistant do nothing until someone with the rights confirms them.
  expect(ofViewer.filter((scope) => grantableScopes.includes(scope) && !scope.endsWith(':read'))).toEqual(['assistant:use'])
  expect(ofViewer).toContain('account:security')
})
