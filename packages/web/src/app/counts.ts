import { useQuery } from '@tanstack/react-query'
import { usePolling } from '#src/app/live-changes.ts'
import { api } from '#src/api/client.ts'

const refreshMs = 30_000

/** How many approvals wait for this person, 100 at most. */
export function useApprovalCount(): number {
  const { data } = useQuery({
    queryKey: ['approvals', 'count'],
    refetchInterval: usePolling(refreshMs),
    queryFn: () => api.approvals.list({ query: { limit: 100 } }),
  })
  return data?.data.length ?? 0
}

/** How many notifications this person has not read. */
export function useUnreadCount(): number {
  const { data } = useQuery({
    queryKey: ['notifications', 'count'],
    refetchInterval: usePolling(refreshMs),
    queryFn: () => api.notifications.list({ query: { limit: 1 } }),
  })
  return data?.unreadCount ?? 0
}
