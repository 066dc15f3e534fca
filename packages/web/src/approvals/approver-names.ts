import { m } from '#src/messages/messages.ts'
import { usePeople } from '#src/patterns/use-people.ts'

/** Names approvers as people know them: users by name, roles in words, others by their mail address. */
export function useApproverNames(): (approvers: readonly string[]) => readonly string[] {
  const people = usePeople()
  return (approvers) => approvers.map((one) => roleOf(one) ?? people.get(`user:${one}`) ?? one)
}

/** Those of a role, written as `role:admin`. */
function roleOf(approver: string): string | undefined {
  const roles: Readonly<Record<string, string>> = m.approvalStep.roles
  return approver.startsWith('role:') ? roles[approver.slice('role:'.length)] : undefined
}
