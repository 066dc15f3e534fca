import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import type { AgentDetail } from '#src/pages/agents/agent-detail.ts'
import { api } from '#src/api/client.ts'
import { watch } from '#src/api/sse.ts'
import { Crumbs } from '#src/app/crumbs.tsx'
import { ApprovalCard } from '#src/approvals/approval-card.tsx'
import { m } from '#src/messages/messages.ts'
import { OutcomeMark } from '#src/pages/agents/outcome-mark.tsx'
import { Steps } from '#src/pages/agents/steps.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Button } from '#src/ui/button.tsx'
import { wordsOf } from '#src/ui/problem.tsx'
import { Time } from '#src/ui/time.tsx'
import { toast } from '#src/ui/toast.tsx'
import { duration, number } from '#src/values/format.ts'
import { Markdown } from '#src/values/markdown.tsx'

/** One agent run: its goal, every turn and call as they happen, what waits for a person, and the answer. */
export function Page() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const queries = useQueryClient()
  const run = useQuery({ queryKey: ['agents', 'one', id], queryFn: () => api.agent.getRun({ params: { id } }) })
  const over = run.data?.endedAt !== null
  useEffect(() => {
    if (over) return undefined
    const stop = new AbortController()
    const again = () => void queries.invalidateQueries({ queryKey: ['agents', 'one', id] })
    void watch({
      path: `/api/v1/agent/runs/${id}/stream`,
      signal: stop.signal,
      onEvent: again,
      isLast: ({ event }) => event === 'end',
      restsUnseen: true,
    }).then(again)
    return () => stop.abort()
  }, [id, over, queries])
  return <Loaded query={run}>{(data) => <Agent run={data} />}</Loaded>
}

function Agent({ run }: { readonly run: AgentDetail }) {
  const a = m.agents
  const queries = useQueryClient()
  const { id, goal, answer, answerWithheld, executionId, endedAt, createdAt, turns, toolCalls, inputTokens, outputTokens, state } = run
  const cancel = (execution: string) =>
    void api.executions
      .cancel({ params: { executionId: execution } })
      .then(() => queries.invalidateQueries({ queryKey: ['agents', 'one', id] }))
      .catch((error: unknown) => toast(wordsOf(error).detail, 'faulted'))
  const facts: readonly (readonly [string, ReactNode])[] = [
    [a.turns, number(turns)],
    [a.calls, number(toolCalls)],
    [a.tokens, number(inputTokens + outputTokens)],
    endedAt === null
      ? [a.begun, <Time key="begun" at={createdAt} kind="ago" />]
      : [m.runs.took, duration(Date.parse(endedAt) - Date.parse(createdAt))],
  ]
  return (
    <div className="page">
      <Crumbs title={goal}>
        <Link to="/agents">{a.title}</Link> <span className="i3">/</span> <b className="trunc">{goal}</b>
      </Crumbs>
      <header className="row wrap pagehead">
        <div className="grow">
          <h1 className="agent-goal" dir="auto">
            {goal}
          </h1>
          <p className="row wrap">
            <OutcomeMark run={run} />
            {executionId !== null && <Link to={`/runs/${executionId}`}>{m.approvals.toRun}</Link>}
          </p>
        </div>
        {endedAt === null && executionId !== null && (
          <Button look="danger" onClick={() => cancel(executionId)}>
            {m.run.cancel}
          </Button>
        )}
      </header>
      {(answer !== null || answerWithheld !== undefined) && (
        <section className="panel acard">
          <h2 className="t16 bb">{a.answer}</h2>
          {answer === null ? <p className="t13 i2">{answerWithheld}</p> : <Markdown text={answer} />}
        </section>
      )}
      {executionId !== null && <Waiting execution={executionId} waiting={state === 'waiting'} />}
      <dl className="panel kpis">
        {facts.map(([word, value]) => (
          <div key={word} className="kpi">
            <dt className="t12 i3">{word}</dt>
            <dd>
              <b className="num">{value}</b>
            </dd>
          </div>
        ))}
      </dl>
      <Steps steps={run.steps} />
    </div>
  )
}

/** Calls that wait for a person. */
function Waiting({ execution, waiting }: { readonly execution: string; readonly waiting: boolean }) {
  const approvals = useQuery({
    queryKey: ['run.approvals', execution, 'open'],
    queryFn: () => api.approvals.ofExecution({ params: { executionId: execution }, query: { state: 'open' } }),
    enabled: waiting,
  })
  if (!waiting) return null
  return approvals.data?.data.map((approval) => <ApprovalCard key={approval.id} approval={approval} />)
}
