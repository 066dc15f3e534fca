import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { useSession } from '#src/session/session.ts'

/** Names of the people of the account by actor, such as `user:usr_…`; undefined for other actors, and for people who left. */
export function useAuthors(): (actor: string) => string | undefined {
  const mayRead = useSession(({ me }) => me?.scopes.includes('account:read') === true)
  const people = useQuery({
    queryKey: ['users', 'names'],
    enabled: mayRead,
    staleTime: 60_000,
    queryFn: () => api.accountUsers.list({ query: { limit: 100 } }),
  })
  const names = new Map((people.data?.data ?? []).map(({ id, name, email }) => [`user:${id}`, name ?? email]))
  return (actor) => names.get(actor)
}
