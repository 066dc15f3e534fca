import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'

/** The workflows of the account by id, for lists that know the id alone, and for fields that choose one; undefined while they load. */
export function useWorkflowNames(): ReadonlyMap<string, string> | undefined {
  const workflows = useQuery({
    queryKey: ['workflows', 'names'],
    staleTime: 30_000,
    queryFn: () => api.workflows.list({ query: { limit: 100, sort: 'name' } }),
  })
  return workflows.data && new Map(workflows.data.data.map(({ id, name }) => [id, name]))
}
