/** The members of a trigger of which each kind has its own. */
export interface KindMembers {
  readonly schedule?: unknown
  readonly webhook?: unknown
  readonly event?: unknown
  readonly watch?: unknown
}

interface MemberFault {
  readonly pointer: string
  readonly detail: string
}

const kinds = ['schedule', 'webhook', 'event', 'watch'] as const

/** Members that do not belong to the kind of a trigger. */
export function foreignMembers(kind: string, members: KindMembers): readonly MemberFault[] {
  return kinds
    .filter((name) => name !== kind && members[name] !== undefined)
    .map((name) => ({ pointer: `/${name}`, detail: `Does not belong to the kind ${kind}.` }))
}

/** What is wrong with the members of a new trigger, which has that of its kind and no other. */
export function wrongMembers(kind: string, members: KindMembers): readonly MemberFault[] {
  const missing = kinds
    .filter((name) => name === kind && members[name] === undefined)
    .map((name) => ({ pointer: `/${name}`, detail: `Is required by the kind ${kind}.` }))
  return [...missing, ...foreignMembers(kind, members)]
}
