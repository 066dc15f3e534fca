/** Roles of a user in an account, weakest first. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const

export type Role = (typeof roles)[number]

/** True where `held` is at least `wanted`. */
export function hasRole(held: Role, wanted: Role): boolean {
  return roles.indexOf(held) >= roles.indexOf(wanted)
}
