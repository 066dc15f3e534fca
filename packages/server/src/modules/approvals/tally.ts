import { hasRole, roles } from '@millrace/contract'
import type { Answer, Decision, Person } from './model.ts'
import { mailKeyOf, type Plan, type Step } from './plan.ts'

/** Keys by which somebody is asked: by name first, then by roles, the strongest first. */
export function keysOf({ userId, email, role }: Person): readonly string[] {
  const held = role === undefined ? [] : roles.filter((weaker) => hasRole(role, weaker)).toReversed()
  return [...namesOf({ userId, email }), ...held.map((one) => `role:${one}`)]
}

function namesOf({ userId, email }: Pick<Person, 'userId' | 'email'>): readonly string[] {
  return [...(userId === undefined ? [] : [`user:${userId}`]), `mail:${mailKeyOf(email)}`]
}

/**
 * The entry as which somebody answers; `undefined` when they are not asked. One that names them comes before a role, and of roles one for
 * which nobody has approved, so that with `required: all` each person counts for one entry.
 */
export function askedAs(person: Person, { asked }: Pick<Step, 'asked'>, answers: readonly Answer[]): string | undefined {
  const fitting = keysOf(person).filter((key) => asked.some((entry) => entry.key === key))
  const named = fitting.find((key) => !key.startsWith('role:'))
  return named ?? fitting.find((key) => !isApproved(key, answers)) ?? fitting[0]
}

/** What the answers come to: `undefined` while it is open. */
export function outcomeOf(
  { required, vetoAfter }: Pick<Plan, 'required' | 'vetoAfter'>,
  { asked }: Pick<Step, 'asked'>,
  answers: readonly Answer[],
): Decision | undefined {
  const of = (decision: Decision) => answers.filter((answer) => answer.decision === decision).length
  if (vetoAfter !== undefined && of('reject') >= vetoAfter) return 'reject'
  const approved = required === 'all' ? asked.every(({ key }) => isApproved(key, answers)) : of('approve') >= required
  return approved ? 'approve' : undefined
}

/** Whether it can come to an approval by the answers of those who may still give one. */
export function isWithinReach(
  { required }: Pick<Plan, 'required'>,
  { asked }: Pick<Step, 'asked'>,
  answers: readonly Answer[],
  left: readonly Person[],
): boolean {
  if (required !== 'all') return answers.filter(({ decision }) => decision === 'approve').length + left.length >= required
  const keys = new Set(left.flatMap(keysOf))
  return asked.every(({ key }) => isApproved(key, answers) || keys.has(key))
}

/** Whether somebody has approved for an entry. One who is named in several ways has for all of them. */
function isApproved(key: string, answers: readonly Answer[]): boolean {
  return answers.some(({ decision, askedAs: as, person }) => decision === 'approve' && (as === key || namesOf(person).includes(key)))
}
