import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import type { RunDetail } from '#src/run/use-run.ts'
import { StateMark } from '#src/ui/badge.tsx'

const shownMax = 20
/** Runs start about a second after the end of the one that causes them. */
const soonMs = 15_000
const againMs = 1_500

/** The runs that the end of a run has started; nothing without any. */
export function Caused({ run: { id, endedAt } }: { readonly run: RunDetail }) {
  const query = useQuery({
    queryKey: ['run', id, 'caused'],
    queryFn: () => api.executions.search({ query: { causedBy: id, limit: shownMax } }),
    refetchInterval: ({ state }) =>
      (state.data?.data.length ?? 0) === 0 && endedAt !== null && Date.now() - Date.parse(endedAt) < soonMs ? againMs : false,
  })
  const runs = query.data?.data ?? []
  if (runs.length === 0) return null
  return (
    <section className="notice-strip quiet row wrap" aria-label={m.run.caused}>
      <span>{m.run.caused}</span>
      {runs.map((one) => (
        <span key={one.id} className="row">
          <Link to={`/runs/${one.id}`}>
            <bdi>{one.workflowName ?? one.id}</bdi>
          </Link>
          <StateMark state={one.state} />
        </span>
      ))}
    </section>
  )
}
