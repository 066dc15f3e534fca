import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { useSession } from '#src/session/session.ts'

/** The people of the account: their names by actor, such as `user:usr_…`. */
export function usePeople(): ReadonlyMap<string, string> {
  const mayRead = useSession(({ me }) => me?.scopes.includes('account:read') === true)
  const people = useQuery({
    queryKey: ['users', 'names'],
    enabled: mayRead,
    staleTime: 60_000,
    queryFn: () => api.accountUsers.list({ query: { limit: 100 } }),
  })
  return new Map((people.data?.data ?? []).map(({ id, name, email }) => [`user:${id}`, name ?? email]))
}
