import { isDeciding, type Role } from '@millrace/contract/roles'

interface Person {
  readonly id: string
  readonly email: string
  readonly role: Role
}

interface Asked {
  readonly answers: readonly { readonly user?: string | undefined }[]
}

/**
 * The people who can be asked in place of an approver: no auditor, none who has decided already, and not the person who asks, who would decide what others are to decide.
 * @param from the approver; empty for all who cannot decide any more, whose place everyone may take.
 */
export function candidates<P extends Person>(people: readonly P[], { answers }: Asked, from: string, me: string | undefined): readonly P[] {
  const decided = new Set(answers.map(({ user }) => user))
  return people.filter(
    ({ id, email, role }) => isDeciding(role) && !decided.has(id) && (from === '' || ![me, from].includes(id)) && email !== from,
  )
}

/**
 * The approver in whose place another person decides unless something else is chosen; empty for all who cannot decide any more.
 * @param approvers users by id or mail address, and roles
 */
export function firstReplaced(people: readonly Pick<Person, 'id'>[], approvers: readonly string[]): string {
  const isRemoved = (approver: string) => approver.startsWith('usr_') && people.every(({ id }) => id !== approver)
  return approvers.some(isRemoved) ? '' : (approvers[0] ?? '')
}
