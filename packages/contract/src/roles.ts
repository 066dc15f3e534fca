/** Roles of a user in an account, weakest first. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const

export type Role = (typeof roles)[number]

/** True if a role includes another one: it is that one or a stronger one. */
export function hasRole(role: Role, required: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(required)
}
