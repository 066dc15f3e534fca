import { hasRole, type Role, roles, type Scope, scopes } from '@millrace/contract'

/** The weakest role that has each scope. An operation may require a stronger role by its `role`. */
const weakestRole: Readonly<Record<Scope, Role>> = {
  'account:read': 'viewer',
  'account:security': 'viewer',
  'api-keys:manage': 'viewer',
  'workflows:read': 'viewer',
  'workflows:write': 'member',
  'executions:read': 'viewer',
  'executions:run': 'member',
  'executions:control': 'member',
  'approvals:read': 'viewer',
  'approvals:decide': 'viewer', // The approval itself checks that the user is an approver.
  'events:read': 'viewer',
  'events:write': 'member',
  'events:subscribe': 'member',
  'queue:read': 'viewer',
  'queue:write': 'member',
  'health:read': 'viewer',
  'system:read': 'viewer', // The operation requires an operator, whatever the role in the account.
}

const byRole = new Map(roles.map((role) => [role, new Set(scopes.filter((scope) => hasRole(role, weakestRole[scope])))]))

/** All scopes of a role, for sessions and API keys. */
export function scopesOfRole(role: Role): ReadonlySet<Scope> {
  const ofRole = byRole.get(role)
  if (ofRole === undefined) throw new Error(`the role ${role} has no scopes`)
  return ofRole
}
