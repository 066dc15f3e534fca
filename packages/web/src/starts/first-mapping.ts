import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import type { StartFormProps } from '#src/starts/save-start.ts'

/**
 * The mapping that a form of starts shows first. A new start gives the part of what arrives that most workflows read, unless the workflow reads the whole.
 * Undefined until that is known.
 */
export function useFirstMapping({ workflow, trigger }: Omit<StartFormProps, 'done'>, part: string, whole: RegExp): string | undefined {
  const { data, isLoading } = useQuery({
    queryKey: ['workflow', workflow],
    enabled: trigger === undefined,
    refetchOnWindowFocus: false,
    queryFn: () => api.workflows.get({ params: { id: workflow } }),
    select: ({ source }) => source,
  })
  if (trigger !== undefined) return trigger.mapping ?? ''
  if (isLoading) return undefined
  return data === undefined || whole.test(data) ? '' : part
}
