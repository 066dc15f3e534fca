import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Badge, type Tone } from '#src/ui/badge.tsx'
import { Time } from '#src/ui/time.tsx'

const tones: Readonly<Record<'waiting' | 'started' | 'skipped', Tone>> = { waiting: 'wait', started: 'ok', skipped: 'bad' }

/** Due times, events and items that a quota has refused, with the reason; nothing without any. */
export function SkippedTimes({ id }: { readonly id: string }) {
  const s = m.starting
  const query = useQuery({
    queryKey: ['starts', 'skipped', id],
    queryFn: () => api.triggers.skipped({ params: { id }, query: { limit: 50 } }),
  })
  const times = query.data?.data ?? []
  if (times.length === 0) return null
  return (
    <section className="panel acard">
      <h2 className="t16 bb">{s.skipped}</h2>
      <p className="t13 i2">{s.skippedText}</p>
      <ul className="deliveries">
        {times.map(({ dueAt, state, reason, executionId }, index) => (
          <li key={`${dueAt} ${index}`} className="row wrap">
            <Badge tone={tones[state]}>{s.skippedStates[state]}</Badge>
            <span className="grow t13">
              <Time at={dueAt} />
              <span className="blk i2">{reason}</span>
            </span>
            {executionId !== null && (
              <Link to={`/runs/${executionId}`} className="t13">
                {m.approvals.toRun}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
