import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '#src/api/client.ts'
import { useMay } from '#src/session/use-may.ts'
import type { Trigger } from '#src/starts/what-starts.tsx'

const limit = 100
const pagesMax = 5

/** The kinds of the starts that each workflow has beside those of its definition. */
export function useStartKinds(): (workflow: string) => readonly Trigger['kind'][] {
  const { data } = useQuery({ queryKey: ['starts', 'all'], enabled: useMay('triggers:read'), queryFn: allStarts })
  return useMemo(() => {
    const kinds = Map.groupBy(
      (data ?? []).filter(({ enabled }) => enabled),
      ({ workflowId }) => workflowId,
    )
    return (workflow) => (kinds.get(workflow) ?? []).map(({ kind }) => kind)
  }, [data])
}

async function allStarts(): Promise<readonly Trigger[]> {
  const found: Trigger[] = []
  let cursor: string | null | undefined
  for (let page = 0; page < pagesMax && cursor !== null; page++) {
    const { data, nextCursor } = await api.triggers.list({ query: { limit, ...(cursor === undefined ? {} : { cursor }) } })
    found.push(...data)
    cursor = nextCursor
  }
  return found
}
