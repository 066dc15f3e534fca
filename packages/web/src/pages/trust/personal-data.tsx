import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Rows } from '#src/patterns/list-page.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { WorkflowName } from '#src/patterns/workflow-name.tsx'
import { Badge } from '#src/ui/badge.tsx'

/** Which kinds of personal data run through which workflows, and which policy says why. */
export function PersonalData() {
  const e = m.evidence
  const query = useQuery({ queryKey: ['pii'], queryFn: () => api.archivist.piiSummary({ query: {} }) })
  return (
    <Loaded query={query}>
      {({ workflows: all, scanned }) => {
        // Those of the runs that were read; most have none.
        const workflows = all.filter(({ kinds }) => kinds.length > 0)
        return (
          <section className="band">
            <h2 className="t20">{e.personalData}</h2>
            <p className="t13 i2">{e.scanned(scanned.executions)}</p>
            {workflows.length === 0 ? (
              <p className="t13">{e.noPersonalData}</p>
            ) : (
              <Rows
                rows={workflows}
                spec={{
                  title: e.personalData,
                  id: ({ workflowId }) => workflowId,
                  columns: [
                    {
                      head: m.runs.workflow,
                      phone: 'main',
                      cell: ({ workflowId }) => (
                        <Link to={`/workflows/${workflowId}`} className="b">
                          <WorkflowName id={workflowId} />
                        </Link>
                      ),
                    },
                    { head: e.kinds, phone: 'below', cell: ({ kinds }) => kinds.map((kind) => m.privacy.kindOf(kind)).join(', ') },
                    { head: m.run.input, end: true, cell: ({ input }) => <span className="num">{sum(input)}</span> },
                    { head: m.run.result, end: true, cell: ({ output }) => <span className="num">{sum(output)}</span> },
                    {
                      head: e.policy,
                      phone: 'side',
                      cell: ({ policies }) =>
                        policies.length === 0 ? (
                          <Badge tone="wait">{e.noPolicy}</Badge>
                        ) : (
                          <span className="i2">
                            {policies.map(({ point, purpose }) => `${m.privacy.points[point]}: ${purpose}`).join(', ')}
                          </span>
                        ),
                    },
                  ],
                }}
              />
            )}
          </section>
        )
      }}
    </Loaded>
  )
}

const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((total, count) => total + count, 0)
