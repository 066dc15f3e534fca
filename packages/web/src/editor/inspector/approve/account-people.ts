import { useAccountUsers } from '#src/patterns/use-people.ts'

export interface AccountPerson {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: string
}

/** The people of the account that approvers are chosen from; undefined until they are read. */
export function useAccountPeople(): readonly AccountPerson[] | undefined {
  return useAccountUsers()?.map(({ id, email, name, role }) => ({ id, email, name: name ?? email, role }))
}

/** The address in `Ada <ada@example.com>` or `ada@example.com`; undefined for any other text. */
export function addressIn(text: string): string | undefined {
  const found = /^(?:[^<>@,;"]*<(?<inner>[^<>@,;"\s]+@[^<>@,;"\s]+)>|(?<plain>[^<>@,;"\s]+@[^<>@,;"\s]+))$/.exec(text.trim())?.groups
  return found?.['inner'] ?? found?.['plain']
}

/** The person of the account that an approver means. */
export function personOf(approver: string, people: readonly AccountPerson[]): AccountPerson | undefined {
  const address = addressIn(approver)?.toLowerCase()
  return people.find(({ id, email }) => id === approver || email.toLowerCase() === address)
}
