import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { useMay } from '#src/session/use-may.ts'

/** The people of the account: their names by actor, such as `user:usr_…`. */
export function usePeople(): ReadonlyMap<string, string> {
  const mayRead = useMay('account:read')
  const people = useQuery({
    queryKey: ['users', 'names'],
    enabled: mayRead,
    staleTime: 60_000,
    queryFn: () => api.accountUsers.list({ query: { limit: 100 } }),
  })
  return new Map((people.data?.data ?? []).map(({ id, name, email }) => [`user:${id}`, name ?? email]))
}
