/** Roles of a user in an account, each behind those that it includes. */
export const roles = ['viewer', 'member', 'auditor', 'admin', 'owner'] as const

export type Role = (typeof roles)[number]

/** The roles that each role includes. Members and auditors include none of each other. */
const included: Readonly<Record<Role, readonly Role[]>> = {
  viewer: [],
  member: ['viewer'],
  auditor: ['viewer'],
  admin: ['member', 'auditor'],
  owner: ['admin'],
}

/** True if a role includes another one: it is that one or a stronger one. */
export function hasRole(role: Role, required: Role): boolean {
  return role === required || included[role].some((weaker) => hasRole(weaker, required))
}

/** The strongest of several roles; of a member and an auditor the auditor, who changes nothing. */
export function strongestRole<R extends Role>(given: readonly R[]): R | undefined {
  return roles.findLast((role): role is R => given.some((each) => each === role))
}

/** Roles that invitations, sign-in providers and directories give. */
export const givenRoles = ['viewer', 'auditor', 'member', 'admin'] as const satisfies readonly Role[]

/** Roles whose users decide approvals, and that definitions name as approvers. */
export const decidingRoles = ['viewer', 'member', 'admin', 'owner'] as const satisfies readonly Role[]

/** True if users with a role decide approvals. Auditors do not, also where they are named. */
export function isDeciding(role: Role): boolean {
  return decidingRoles.some((deciding) => deciding === role)
}
