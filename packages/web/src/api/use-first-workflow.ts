import { useQuery, useQueryClient } from '@tanstack/react-query'
import { workflowsFound } from '#src/api/workflow-names.ts'

/** The workflow that a form begins with: null for an account without workflows, undefined while it loads. */
export function useFirstWorkflow(): string | null | undefined {
  const { data } = useQuery(workflowsFound(useQueryClient(), ''))
  return data && (data[0]?.id ?? null)
}
