import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '#src/api/client.ts'
import type { Approval } from '#src/approvals/approval.ts'
import { allPages } from '#src/patterns/all-pages.ts'

/** The approvals of a run, newest first, and by the position of their task those whose deadline passed without a decision, and those with one. */
export interface RunApprovals {
  readonly all: readonly Approval[]
  readonly lapsed: ReadonlyMap<string, Approval>
  readonly decided: ReadonlyMap<string, Approval>
}

const none: readonly Approval[] = []

/** @param asks whether it may have some. */
export function useRunApprovals(run: string, asks: boolean): RunApprovals {
  const { data: all = none } = useQuery({
    queryKey: ['run.approvals', run],
    queryFn: () =>
      allPages((cursor) =>
        api.approvals.ofExecution({ params: { executionId: run }, query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) } }),
      ),
    enabled: asks,
  })
  return useMemo(
    () => ({
      all,
      lapsed: byPosition(all, ['expired']),
      decided: byPosition(all, ['approved', 'rejected']),
    }),
    [all],
  )
}

function byPosition(all: readonly Approval[], states: readonly string[]): ReadonlyMap<string, Approval> {
  return new Map(all.filter(({ state }) => states.includes(state)).map((approval) => [approval.position, approval]))
}
