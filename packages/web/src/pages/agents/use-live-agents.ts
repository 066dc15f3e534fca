import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { watch } from '#src/api/sse.ts'
import type { AgentRun } from '#src/pages/agents/outcome-mark.tsx'

/** The agent runs that changed while the page is open, by their id. A run that the list does not have makes it load again. */
export function useLiveAgents(): ReadonlyMap<string, AgentRun> {
  const queries = useQueryClient()
  const [runs, setRuns] = useState<ReadonlyMap<string, AgentRun>>(new Map())
  useEffect(() => {
    const stop = new AbortController()
    void watch({
      path: '/api/v1/agent/runs/live/stream',
      signal: stop.signal,
      restsUnseen: true,
      onEvent: ({ event, data }) => {
        if (event !== 'run') return
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The contract types the events of this stream.
        const run = JSON.parse(data) as AgentRun
        setRuns((before) => new Map(before).set(run.id, run))
        const known = queries
          .getQueriesData<{ readonly data?: readonly AgentRun[] }>({ queryKey: ['agents'] })
          .some(([, page]) => page?.data?.some(({ id }) => id === run.id))
        if (!known) void queries.invalidateQueries({ queryKey: ['agents'] })
      },
    })
    return () => stop.abort()
  }, [queries])
  return runs
}
