import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { newest } from '#src/pages/agents/newest.ts'
import { OutcomeMark } from '#src/pages/agents/outcome-mark.tsx'
import { useLiveAgents } from '#src/pages/agents/use-live-agents.ts'
import { ListPage } from '#src/patterns/list-page.tsx'
import { Tiles } from '#src/patterns/tiles.tsx'
import { useMay } from '#src/session/use-may.ts'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { Time } from '#src/ui/time.tsx'
import { duration, number, percent } from '#src/values/format.ts'

const outcomes = ['answered', 'step_limit', 'token_limit', 'cost_limit', 'time_limit', 'faulted', 'cancelled'] as const

/** Agent runs, live, with their figures of the last 30 days. */
export function Page() {
  const a = m.agents
  const live = useLiveAgents()
  const create = useMay('agents:run') && (
    <ButtonLink to="/agents/new" look="primary" icon="plus">
      {a.create}
    </ButtonLink>
  )
  return (
    <ListPage
      title={a.title}
      lede={a.lede}
      name="agents"
      above={<Figures />}
      load={(query) => api.agent.runs({ query })}
      id={({ id }) => id}
      href={({ id }) => `/agents/${id}`}
      actions={create}
      filters={[{ name: 'outcome', label: a.outcome, options: outcomes.map((outcome) => [outcome, a.outcomes[outcome]]) }]}
      columns={[
        {
          head: a.goal,
          phone: 'main',
          cell: ({ goal }) => (
            <b className="b trunc blk">
              <bdi>{goal}</bdi>
            </b>
          ),
        },
        { head: a.state, phone: 'side', cell: (run) => <OutcomeMark run={newest(run, live.get(run.id))} /> },
        { head: a.turns, end: true, cell: (run) => <span className="num">{newest(run, live.get(run.id)).turns}</span> },
        { head: a.calls, end: true, cell: (run) => <span className="num">{newest(run, live.get(run.id)).toolCalls}</span> },
        {
          head: a.tokens,
          end: true,
          phone: 'below',
          cell: (run) => <span className="num i2">{number(run.inputTokens + run.outputTokens)}</span>,
        },
        {
          head: a.begun,
          end: true,
          phone: 'below-side',
          cell: ({ createdAt }) => (
            <span className="i2">
              <Time at={createdAt} kind="ago" />
            </span>
          ),
        },
      ]}
      empty={{ title: a.emptyTitle, text: a.emptyText, action: create }}
    />
  )
}

function Figures() {
  const a = m.agents
  const stats = useQuery({ queryKey: ['agents', 'stats'], queryFn: () => api.agent.stats() })
  if (stats.data === undefined || stats.data.runs === 0) return null
  const { runs, successRate, toolCalls, inputTokens, outputTokens, durationMs, approvals } = stats.data
  const asked = approvals.approved + approvals.rejected
  const tiles = [
    [a.runs, number(runs), a.days],
    [a.answered, percent(successRate), a.ofEnded],
    [a.median, durationMs.median === null ? '–' : duration(durationMs.median), a.withWaits],
    [a.tokens, number(inputTokens + outputTokens), a.toolCalls(number(toolCalls))],
    ...(approvals.rate === null ? [] : [[a.approved, percent(approvals.rate), a.ofAsked(number(asked))] as const]),
  ] as const
  return <Tiles tiles={tiles} />
}
