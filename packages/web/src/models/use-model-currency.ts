import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'

/** The currency of the prices of models; undefined if the account does not say. */
export function useModelCurrency(): string | undefined {
  const settings = useQuery({ queryKey: ['models', 'settings'], staleTime: 60_000, queryFn: () => api.models.settings() })
  return settings.data?.currency ?? undefined
}
