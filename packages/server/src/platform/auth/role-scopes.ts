import { hasRole, type Role, roles, type Scope, scopes } from '@millrace/contract'

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
  'privacy:read': 'admin',
  'privacy:write': 'admin',
  'account:write': 'admin',
  'marketplace:write': 'member',
  'connectors:read': 'viewer',
  'connectors:write': 'member',
  'connections:read': 'viewer',
  'connections:write': 'member',
  'models:read': 'viewer',
  'models:write': 'admin',
  'audit:read': 'admin',
  'billing:read': 'viewer',
  'billing:manage': 'admin',
  'assistant:use': 'viewer',
  'assistant:confirm': 'viewer', // The action itself needs the scope of its operation.
  'capture:read': 'viewer',
  'capture:write': 'member',
  'health:read': 'viewer',
  'system:write': 'viewer',
  'system:read': 'viewer', // The operations require an operator, whatever the role in the account.
}

const byRole = new Map(roles.map((role) => [role, new Set(scopes.filter((scope) => hasRole(role, weakestRole[scope])))]))

/** All scopes of a role, for sessions and API keys. */
export function scopesOfRole(role: Role): ReadonlySet<Scope> {
  const ofRole = byRole.get(role)
  if (ofRole === undefined) throw new Error(`the role ${role} has no scopes`)
  return ofRole
}
