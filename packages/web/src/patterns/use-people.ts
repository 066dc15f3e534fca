import type { groups, Reply } from '@millrace/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { allPages } from '#src/patterns/all-pages.ts'
import { useMay } from '#src/session/use-may.ts'

type AccountUser = Reply<(typeof groups)['accountUsers']['list']>['data'][number]

const readPage = (cursor: string | undefined) =>
  api.accountUsers.list({ query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) } })

/** All people of the account, the newest first; undefined until they are read. */
export function useAccountUsers(): readonly AccountUser[] | undefined {
  return useQuery({ queryKey: ['users'], enabled: useMay('account:read'), staleTime: 60_000, queryFn: () => allPages(readPage) }).data
}

/** The people of the account: their names by actor, such as `user:usr_…`. */
export function usePeople(): ReadonlyMap<string, string> {
  return new Map((useAccountUsers() ?? []).map(({ id, name, email }) => [`user:${id}`, name ?? email]))
}
