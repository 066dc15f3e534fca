import type { AnyOperation } from './operation.ts'
import { hasRole, type Role, roles } from './roles.ts'
import { type Scope, scopes } from './scopes.ts'

/** The weakest role that has each scope. An operation may require a stronger role by its `role`. */
const weakestRole: Readonly<Record<Scope, Role>> = {
  'account:read': 'viewer',
  'account:security': 'viewer',
  'sign-in:finish': 'viewer', // For the challenges of sign-ins; a session has nothing to finish.
  'api-keys:manage': 'viewer',
  'workflows:read': 'viewer',
  'workflows:write': 'member',
  'executions:read': 'viewer',
  'executions:run': 'member',
  'executions:control': 'member',
  'triggers:read': 'viewer',
  'triggers:write': 'member',
  'agents:read': 'viewer',
  'agents:run': 'member',
  'approvals:read': 'viewer',
  'approvals:decide': 'viewer', // The approval itself checks that the user is an approver.
  'events:read': 'viewer',
  'events:write': 'member',
  'events:subscribe': 'member',
  'queue:read': 'viewer',
  'queue:write': 'member',
  'notifications:read': 'viewer',
  'notifications:write': 'viewer',
  'files:read': 'viewer',
  'files:write': 'member',
  'tables:read': 'viewer',
  'tables:write': 'member',
  'variables:read': 'viewer',
  'variables:write': 'member',
  'variables:reveal': 'admin',
  'readiness:read': 'viewer',
  'einvoice:write': 'member',
  'leads:read': 'viewer', // The operations require an operator, whatever the role in the account.
  'privacy:use': 'member',
  'privacy:read': 'auditor',
  'privacy:write': 'admin',
  'account:write': 'admin',
  'marketplace:write': 'member',
  'connectors:read': 'viewer',
  'connectors:write': 'member',
  'connections:read': 'viewer',
  'connections:write': 'member',
  'models:read': 'viewer',
  'models:write': 'admin',
  'audit:read': 'auditor',
  'billing:read': 'viewer',
  'billing:manage': 'admin',
  'assistant:use': 'viewer',
  'assistant:confirm': 'viewer', // The action itself needs the scope of its operation.
  'capture:read': 'viewer',
  'capture:write': 'member',
  'health:read': 'viewer',
  'system:write': 'viewer', // The operations require an operator, whatever the role in the account.
  'system:read': 'viewer', // As system:write.
}

/** What auditors do not have, although viewers do: they decide nothing. */
const notOfAuditors: ReadonlySet<Scope> = new Set(['approvals:decide', 'assistant:confirm'])

const byRole = new Map(roles.map((role) => [role, new Set(scopes.filter((scope) => has(role, scope)))]))

function has(role: Role, scope: Scope): boolean {
  return hasRole(role, weakestRole[scope]) && !(role === 'auditor' && notOfAuditors.has(scope))
}

/** All scopes of a role, for sessions and API keys. */
export function scopesOfRole(role: Role): ReadonlySet<Scope> {
  const ofRole = byRole.get(role)
  if (ofRole === undefined) throw new Error(`the role ${role} has no scopes`)
  return ofRole
}

/** Whether users with a role may call an operation, as far as their credential and its scopes permit. What only operators may is checked by itself. */
export function permitsRole(op: AnyOperation, role: Role): boolean {
  if (op.role !== undefined && op.role !== 'operator' && !hasRole(role, op.role)) return false
  return role !== 'auditor' || isOpenToAuditors(op)
}

/** Auditors read what viewers read. They may call another operation only if it says so, as by its role. */
export function isOpenToAuditors(op: AnyOperation): boolean {
  if (op.auth === 'public' || op.auditors === true || op.role === 'auditor') return true
  const isOfViewers = op.role === undefined || op.role === 'viewer' || op.role === 'operator'
  return op.method === 'GET' && isOfViewers && scopesOfRole('viewer').has(op.auth.scope)
}
