import { grantableScopes, roles, scopes } from '@millrace/contract'
import { expect, test } from 'vitest'
import { scopesOfRole } from './role-scopes.ts'

test('a stronger role has all scopes of a weaker one', () => {
  const grows = roles.slice(1).map((role, index) => scopesOfRole(role).isSupersetOf(scopesOfRole(roles[index] ?? role)))
  expect(grows).toEqual([true, true, true])
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
