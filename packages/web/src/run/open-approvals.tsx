import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { onDemand } from '#src/ui/on-demand.tsx'

const ApprovalCard = onDemand(() => import('#src/approvals/approval-card.tsx').then((module) => module.ApprovalCard))

/** The approvals that a run waits for. */
export function OpenApprovals({ run, waiting }: { readonly run: string; readonly waiting: boolean }) {
  const approvals = useQuery({
    queryKey: ['run.approvals', run],
    queryFn: () => api.approvals.ofExecution({ params: { executionId: run }, query: { state: 'open' } }),
    enabled: waiting,
  })
  if (!waiting) return null
  return approvals.data?.data.map((approval) => <ApprovalCard key={approval.id} approval={approval} />)
}
