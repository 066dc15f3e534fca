import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { useMay } from '#src/session/use-may.ts'

export interface AccountPerson {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: string
}

/** The people of the account that approvers are chosen from; more than a hundred are found by their address. */
export function useAccountPeople(): readonly AccountPerson[] {
  const people = useQuery({
    queryKey: ['users', 'names'],
    enabled: useMay('account:read'),
    staleTime: 60_000,
    queryFn: () => api.accountUsers.list({ query: { limit: 100 } }),
  })
  return (people.data?.data ?? []).map(({ id, email, name, role }) => ({ id, email, name: name ?? email, role }))
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
