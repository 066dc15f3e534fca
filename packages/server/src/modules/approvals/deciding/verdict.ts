import { decidingRoles, hasRole, isDeciding } from '@millrace/contract'
import { mailKeyOf, type Plan, type Stage } from '#modules/approvals/approval-plan.ts'
import type { Choice, Decision, Person } from '#modules/approvals/model.ts'

/** The approver keys that a person matches: by address and id first, then by roles, the strongest first. None of an auditor, who decides nothing. */
export function approverKeysOf({ userId, email, role }: Person): readonly string[] {
  if (role !== undefined && !isDeciding(role)) return []
  const rolesOfPerson = role === undefined ? [] : decidingRoles.filter((weaker) => hasRole(role, weaker)).toReversed()
  return [...nameKeysOf({ userId, email }), ...rolesOfPerson.map((name) => `role:${name}`)]
}

/** The keys of the approvers that a person matches, and those under which the person may have decided. */
export function keysOf(person: Person): { readonly keys: readonly string[]; readonly nameKeys: readonly string[] } {
  return { keys: approverKeysOf(person), nameKeys: nameKeysOf(person) }
}

/** By the id of a user, and by address. */
function nameKeysOf({ userId, email }: Pick<Person, 'userId' | 'email'>): readonly string[] {
  return [...(userId === undefined ? [] : [`user:${userId}`]), `mail:${mailKeyOf(email)}`]
}

/**
 * Whether two are one person. Who decides from outside and then joins the account, or leaves it, has another key and the same address. Two users are
 * two persons, also if an address has passed from one to the other.
 */
export function isSamePerson(one: Person, other: Person): boolean {
  if (one.userId !== undefined && other.userId !== undefined) return one.userId === other.userId
  return mailKeyOf(one.email) === mailKeyOf(other.email)
}

/**
 * The key of the approver as which a person decides; `undefined` for a person who is no approver. A key that names the person comes before a role, and a role that has no
 * approval before one that has, so that with `required: all` each person counts for one approver.
 */
export function approverKeyFor(
  person: Person,
  { approvers }: Pick<Stage, 'approvers'>,
  decisions: readonly Decision[],
): string | undefined {
  const matching = approverKeysOf(person).filter((key) => approvers.some((approver) => approver.key === key))
  const byName = matching.find((key) => !key.startsWith('role:'))
  return byName ?? matching.find((key) => !isApprovedBy(key, decisions)) ?? matching[0]
}

/** The verdict of the decisions; `undefined` while more decisions are needed. */
export function verdictOf(
  { required, vetoAfter }: Pick<Plan, 'required' | 'vetoAfter'>,
  { approvers }: Pick<Stage, 'approvers'>,
  decisions: readonly Decision[],
): Choice | undefined {
  const count = (choice: Choice) => decisions.filter((decision) => decision.choice === choice).length
  if (vetoAfter !== undefined && count('reject') >= vetoAfter) return 'reject'
  const isApproved = required === 'all' ? approvers.every(({ key }) => isApprovedBy(key, decisions)) : count('approve') >= required
  return isApproved ? 'approve' : undefined
}

/** Whether enough approvals are possible if all remaining people approve. */
export function canStillBeApproved(
  { required }: Pick<Plan, 'required'>,
  { approvers }: Pick<Stage, 'approvers'>,
  decisions: readonly Decision[],
  remaining: readonly Person[],
): boolean {
  if (required !== 'all') return decisions.filter(({ choice }) => choice === 'approve').length + remaining.length >= required
  const keys = new Set(remaining.flatMap(approverKeysOf))
  return approvers.every(({ key }) => isApprovedBy(key, decisions) || keys.has(key))
}

/** Whether an approver has approved. An approval of a person who is named in several ways counts for all of them. */
function isApprovedBy(key: string, decisions: readonly Decision[]): boolean {
  return decisions.some(
    ({ choice, approverKey, person }) => choice === 'approve' && (approverKey === key || nameKeysOf(person).includes(key)),
  )
}
