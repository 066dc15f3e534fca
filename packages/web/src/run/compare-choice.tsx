import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import type { RunDetail } from '#src/run/use-run.ts'
import { StateMark, versionWord } from '#src/ui/badge.tsx'
import { shortId } from '#src/ui/id.tsx'
import { Time } from '#src/ui/time.tsx'

/** The other runs of the workflow, one of which is compared with this one. */
export function CompareChoice({ run }: { readonly run: RunDetail }) {
  const runs = useQuery({
    queryKey: ['runs', 'compare', run.workflowId],
    queryFn: () => api.workflows.executions({ params: { id: run.workflowId }, query: { limit: 50 } }),
  })
  return (
    <Loaded query={runs}>
      {({ data }) => {
        const others = data.filter(({ id }) => id !== run.id)
        if (others.length === 0) return <p className="i2">{m.compare.noOther}</p>
        return (
          <ul className="choices">
            {others.map((other) => (
              <li key={other.id}>
                <Link to="/runs/compare" search={{ a: other.id, b: run.id }} className="row">
                  <StateMark state={other.state} />
                  <bdi className="mono">{shortId(other.id)}</bdi>
                  <span className="i3 t12 num">{versionWord(other.workflowVersion)}</span>
                  <span className="grow" />
                  <span className="i2 t13">
                    <Time at={other.createdAt} />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )
      }}
    </Loaded>
  )
}
