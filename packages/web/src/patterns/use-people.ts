import type { groups, Reply } from '@millrace/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { allPages } from '#src/patterns/all-pages.ts'
import { useMay } from '#src/session/use-may.ts'

type Page = Reply<(typeof groups)['accountUsers']['list']>

async function readUsers() {
  let former: Page['former']
  const users = await allPages(async (cursor) => {
    const page = await api.accountUsers.list({ query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) } })
    former ??= page.former
    return page
  })
  return { users, former }
}

const useUsers = () => useQuery({ queryKey: ['users'], enabled: useMay('account:read'), staleTime: 60_000, queryFn: readUsers }).data

/** All people of the account, the newest first; undefined until they are read. */
export const useAccountUsers = (): readonly Page['data'][number][] | undefined => useUsers()?.users

/** The people of the account, and those who were removed: their names by actor, such as `user:usr_…`. */
export function usePeople(): ReadonlyMap<string, string> {
  const { users = [], former = [] } = useUsers() ?? {}
  return new Map([
    ...users.map(({ id, name, email }) => [`user:${id}`, name ?? email] as const),
    ...former.map(({ id, name }) => [`user:${id}`, m.common.former(name)] as const),
  ])
}
