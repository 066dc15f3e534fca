import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import type { TimelineEntry } from '#src/run/use-run.ts'

/** What the attempt wrote beside its result. */
export function LogView({ run, entry }: { readonly run: string; readonly entry: TimelineEntry }) {
  const log = useQuery({
    queryKey: ['run.log', run, entry.position, entry.state],
    queryFn: () => api.executions.attemptLog({ params: { executionId: run }, query: { position: entry.position } }),
  })
  if (log.data === undefined) return <p className="i3">{log.isError ? m.run.logFailed : m.run.notYet}</p>
  if (log.data.text === null) return <p className="i3">{m.run.noLog}</p>
  return (
    <>
      {log.data.truncated && <p className="i3">{m.run.logCut}</p>}
      <pre className="mono t12 prewrap">{log.data.text}</pre>
    </>
  )
}
