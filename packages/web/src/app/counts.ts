import { useQuery } from '@tanstack/react-query'
import { usePolling } from '#src/app/live-changes.ts'
import { api } from '#src/api/client.ts'

const refreshMs = 30_000

/** What waits for this person, by the page that shows it. */
export function useCounts(): Readonly<Record<string, number>> {
  const refetchInterval = usePolling(refreshMs)
  const approvals = useQuery({
    queryKey: ['approvals', 'count'],
    refetchInterval,
    queryFn: () => api.approvals.list({ query: { limit: 100 } }),
  })
  const notifications = useQuery({
    queryKey: ['notifications', 'count'],
    refetchInterval,
    queryFn: () => api.notifications.list({ query: { limit: 1 } }),
  })
  return { '/approvals': approvals.data?.data.length ?? 0, '/notifications': notifications.data?.unreadCount ?? 0 }
}
