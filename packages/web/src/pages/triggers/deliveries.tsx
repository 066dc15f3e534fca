import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useMayChange } from '#src/session/use-may-change.ts'
import { Badge, type Tone } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Time } from '#src/ui/time.tsx'
import { bytes } from '#src/values/format.ts'

const outcomes = ['started', 'duplicate', 'refused', 'failed', 'received', 'ignored'] as const
const tones: Readonly<Record<(typeof outcomes)[number], Tone>> = {
  started: 'ok',
  duplicate: 'off',
  refused: 'bad',
  failed: 'bad',
  received: 'off',
  ignored: 'off',
}
const refreshMs = 10_000

/** What a webhook received in the last week, refused requests included; what was accepted can start a run again. */
export function Deliveries({ id }: { readonly id: string }) {
  const s = m.starting
  const [outcome, setOutcome] = useState<(typeof outcomes)[number]>()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const query = useQuery({
    queryKey: ['starts', 'deliveries', id, outcome],
    refetchInterval: refreshMs,
    queryFn: () => api.triggers.deliveries({ params: { id }, query: { limit: 50, ...(outcome === undefined ? {} : { outcome }) } }),
  })
  const { confirm, sheet } = useSheet()
  const mayChange = useMayChange()
  const replay = (deliveryId: string) =>
    confirm(s.replay, s.replayText, async () => {
      const { executionId } = await api.triggers.replayDelivery({ params: { deliveryId } })
      await queries.invalidateQueries({ queryKey: ['starts'] })
      await navigate({ to: `/runs/${executionId}` })
    })
  return (
    <section className="panel acard">
      <div className="row wrap">
        <h2 className="t16 bb">{s.deliveries}</h2>
        <span className="sp" />
        <label className="fchip">
          <span className="i3">{s.outcome}</span>
          <select value={outcome ?? ''} onChange={(event) => setOutcome(outcomes.find((one) => one === event.target.value))}>
            <option value="">{m.lists.any}</option>
            {outcomes.map((one) => (
              <option key={one} value={one}>
                {s.outcomes[one]}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="t13 i2">{s.noDeliveries}</p>
          ) : (
            <ul className="deliveries">
              {data.map((one) => (
                <li key={one.id} className="row wrap">
                  <Badge tone={tones[one.outcome]}>{s.outcomes[one.outcome]}</Badge>
                  {one.test && <Badge tone="off">{s.test}</Badge>}
                  <span className="num t13">{one.status}</span>
                  <span className="grow t13">
                    <bdi className="mono">{`${one.method} ${one.address}`}</bdi> <span className="i3">{bytes(one.bytes)}</span>
                    {one.reason !== null && <span className="blk i2">{one.reason}</span>}
                  </span>
                  <span className="t13 i2">
                    <Time at={one.at} kind="ago" />
                  </span>
                  {one.executionId !== null && (
                    <Link to={`/runs/${one.executionId}`} className="t13">
                      {m.approvals.toRun}
                    </Link>
                  )}
                  {one.replayable && mayChange && (
                    <Button size="sm" icon="retry" onClick={() => replay(one.id)}>
                      {s.replay}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {sheet}
    </section>
  )
}
