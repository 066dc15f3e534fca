import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'

/** The JSON Schema of the input that the published version of a workflow takes, or else its draft; undefined without one, or if it cannot be read. */
export function useInputSchema(workflow: string): { readonly schema: unknown; readonly isPending: boolean } {
  const needs = useQuery({
    queryKey: ['requirements', workflow],
    // The schema may have changed with the definition: what was read before is not shown.
    staleTime: 0,
    queryFn: () => api.workflows.executionRequirements({ params: { id: workflow } }),
  })
  return { schema: needs.data?.inputSchema ?? undefined, isPending: needs.isPending || (!needs.isFetchedAfterMount && !needs.isError) }
}
