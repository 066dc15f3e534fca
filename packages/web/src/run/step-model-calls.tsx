import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { CallEnd } from '#src/models/call-end.tsx'
import { CallTexts, type ModelCall } from '#src/models/call-texts.tsx'
import { costText } from '#src/models/cost-text.ts'
import { useModelCurrency } from '#src/models/use-model-currency.ts'
import type { TimelineEntry } from '#src/run/use-run.ts'
import { Icon } from '#src/ui/icon.tsx'
import { durationOr, exactTime, number } from '#src/values/format.ts'

const listedMax = 100
const refreshMs = 3000

/** The calls of models that a task made, or the tasks inside of it: each a line that opens to its texts. */
export function StepModelCalls({ run, entry }: { readonly run: string; readonly entry: TimelineEntry }) {
  const u = m.modelUse
  const { position, state, endedAt } = entry
  const calls = useQuery({
    queryKey: ['model-calls', run, position, state],
    queryFn: () => api.modelCalls.list({ query: { executionId: run, position, limit: listedMax } }),
    refetchInterval: endedAt === null ? refreshMs : false,
  })
  if (calls.data === undefined || calls.data.data.length === 0) return null
  const listed = calls.data.data.toReversed()
  return (
    <section className="step-calls" aria-label={u.inRun(listed.length)}>
      <h3 className="t12 i3">{calls.data.nextCursor === null ? u.inRun(listed.length) : u.firstOf(listed.length)}</h3>
      {listed.map((call) => (
        <Call key={call.id} call={call} />
      ))}
    </section>
  )
}

function Call({ call }: { readonly call: ModelCall }) {
  const u = m.modelUse
  const { id, at, model, inputTokens, outputTokens, cost, durationMs, state } = call
  const [open, setOpen] = useState(false)
  const currency = useModelCurrency()
  return (
    <details className="step-line" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="row wrap">
        <span className="chev">
          <Icon name="down" />
        </span>
        <b className="b" title={exactTime(at)}>
          <bdi className="mono">{model}</bdi>
        </b>
        <CallEnd call={call} />
        <span className="sp" />
        {(state === 'answered' || inputTokens > 0) && (
          <>
            <span className="t12 i2 num">{u.tokensOf(number(inputTokens), number(outputTokens))}</span>
            <span className="t12 i2 num">{`${u.cost} ${costText(cost, currency)}`}</span>
          </>
        )}
        <span className="t12 i2 num">{durationOr(durationMs)}</span>
      </summary>
      {open && <CallTexts id={id} />}
    </details>
  )
}
