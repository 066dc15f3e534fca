import { m } from '#src/messages/messages.ts'
import type { AgentDetail } from '#src/pages/agents/agent-detail.ts'
import { Icon, StateIcon } from '#src/ui/icon.tsx'
import { Time } from '#src/ui/time.tsx'
import { stateWord } from '#src/ui/badge.tsx'
import { duration } from '#src/values/format.ts'

type Step = AgentDetail['steps'][number]
const icons = { model: 'agent', tool: 'plug', approval: 'people' } as const

/** Every turn of the model and every call of a tool, oldest first. */
export function Steps({ steps }: { readonly steps: readonly Step[] }) {
  const a = m.agents
  return (
    <section>
      <h2 className="t16 bb home-h">{a.steps}</h2>
      {steps.length === 0 ? (
        <p className="i2">{a.noSteps}</p>
      ) : (
        <ol className="panel report turns">
          {steps.map((step, index) => (
            <li key={index}>
              <Line step={step} />
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function Line({ step: { kind, name, state, startedAt, endedAt, output, error } }: { readonly step: Step }) {
  const a = m.agents
  const hasMore = output !== null || error !== null
  const head = (
    <span className="row wrap grow">
      <Icon name={icons[kind]} label={a.stepKinds[kind]} />
      <b className="b">
        <bdi>{kind === 'tool' ? name : a.stepKinds[kind]}</bdi>
      </b>
      <StateIcon state={state} label={stateWord(state)} />
      <span className="sp" />
      <span className="t12 i3">
        {endedAt === null ? <Time at={startedAt} kind="ago" /> : duration(Date.parse(endedAt) - Date.parse(startedAt))}
      </span>
      {hasMore && (
        <span className="chev">
          <Icon name="down" />
        </span>
      )}
    </span>
  )
  if (!hasMore) return head
  return (
    <details className="step-line">
      <summary className="row">{head}</summary>
      {error !== null && <p className="t13 c-bad">{error}</p>}
      {output !== null && (
        <pre className="json" dir="ltr" tabIndex={0}>
          {output}
        </pre>
      )}
    </details>
  )
}
