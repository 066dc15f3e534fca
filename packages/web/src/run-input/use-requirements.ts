import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'

/** What the executions of a workflow need, of its published version or else of its draft, or what a test of the draft needs: read anew whenever a form of its input opens. */
export function useRequirements(workflow: string, version?: 'draft') {
  const needs = useQuery({
    queryKey: ['requirements', workflow, version],
    // The schema may have changed with the definition: what was read before is not shown.
    staleTime: 0,
    queryFn: () => api.workflows.executionRequirements({ params: { id: workflow }, query: version === undefined ? {} : { version } }),
  })
  return {
    needs: needs.data,
    /** JSON Schema of the input; undefined without one, and where it could not be read. */
    schema: needs.data?.inputSchema ?? undefined,
    /** What it reads of an input without a schema. */
    reads: needs.data?.reads ?? [],
    isPending: needs.isPending || !needs.isFetchedAfterMount,
  }
}
