import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '#src/api/client.ts'
import type { Approval } from '#src/approvals/approval-card.tsx'

/** The approvals of a run, newest first, and those among them whose deadline passed without a decision, by the position of their task. */
export interface RunApprovals {
  readonly all: readonly Approval[]
  readonly lapsed: ReadonlyMap<string, Approval>
}

const none: readonly Approval[] = []

/** @param asks whether it may have some. */
export function useRunApprovals(run: string, asks: boolean): RunApprovals {
  const { data: { data: all } = { data: none } } = useQuery({
    queryKey: ['run.approvals', run],
    queryFn: () => api.approvals.ofExecution({ params: { executionId: run }, query: { limit: 100 } }),
    enabled: asks,
  })
  return useMemo(
    () => ({ all, lapsed: new Map(all.filter(({ state }) => state === 'expired').map((approval) => [approval.position, approval])) }),
    [all],
  )
}
