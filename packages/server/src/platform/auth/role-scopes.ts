import { hasRole, type Role, roles, type Scope, scopes } from '@millrace/contract'

/** The weakest role that holds each scope. Operations that only some of them may do narrow it further by their `role`. */
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
  'approvals:decide': 'viewer', // Being among those who are asked is what allows it.
  'events:read': 'viewer',
  'events:write': 'member',
  'events:subscribe': 'member',
  'queue:read': 'viewer',
  'queue:write': 'member',
  'health:read': 'viewer',
  'system:read': 'viewer', // The operation asks for an operator, whatever the role in the account.
}

const byRole = new Map(roles.map((role) => [role, new Set(scopes.filter((scope) => hasRole(role, weakestRole[scope])))]))

/** What a user of this role may do at most, signed in or through a key. */
export function scopesOfRole(role: Role): ReadonlySet<Scope> {
  const held = byRole.get(role)
  if (held === undefined) throw new Error(`The role ${role} holds no scopes.`)
  return held
}
