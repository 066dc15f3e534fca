import type { groups, Reply } from '@millrace/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { day as dayText, number } from '#src/values/format.ts'

type Day = Reply<(typeof groups)['audit']['verify']>['days'][number]

const requestsMax = 200

/** The verdict over the whole log, on request: the server computes it from the events again; then every day, to be opened. */
export function AuditVerdict({ onDay }: { readonly onDay: (date: string) => void }) {
  const a = m.audit
  const query = useQuery({ queryKey: ['audit.verify'], queryFn: verifyEverything, enabled: false, staleTime: Number.POSITIVE_INFINITY })
  if (query.isError) return <ProblemPanel error={query.error} retry={() => void query.refetch()} />
  const days = query.data
  const findings = days?.reduce((sum, one) => sum + one.findings.length, 0) ?? 0
  const leaves = days?.reduce((sum, one) => sum + one.leaves, 0) ?? 0
  return (
    <>
      <section className={days === undefined ? 'verdict' : findings === 0 ? 'verdict ok' : 'verdict bad'} role="status">
        <Icon name={findings === 0 ? 'seal' : 'warn'} />
        <p className="grow">{days === undefined ? a.notVerified : findings === 0 ? a.verified(days.length, leaves) : a.broken(findings)}</p>
        <Button onClick={() => void query.refetch()} busy={query.isFetching}>
          {a.verify}
        </Button>
      </section>
      {days !== undefined && (
        <ul className="day-strip" aria-label={m.auditDays.days}>
          {days.toReversed().map((day) => (
            <DayCard key={day.date} day={day} onDay={onDay} />
          ))}
        </ul>
      )}
    </>
  )
}

function DayCard({ day, onDay }: { readonly day: Day; readonly onDay: (date: string) => void }) {
  const broken = day.findings.length > 0
  return (
    <li>
      <button type="button" className={broken ? 'day-card bad' : 'day-card'} onClick={() => onDay(day.date)}>
        <Icon name={broken ? 'warn' : 'seal'} />
        <b className="b">{dayText(day.date)}</b>
        <span className="t12 i2 num">{m.auditDays.entries(number(day.leaves))}</span>
        <bdi className="t12 mono i3">{day.root.slice(0, 8)}</bdi>
      </button>
    </li>
  )
}

/** A long log takes several requests. */
async function verifyEverything(): Promise<readonly Day[]> {
  const days: Day[] = []
  let from: string | undefined
  for (let count = 0; count < requestsMax; count += 1) {
    const reply = await api.audit.verify({ query: from === undefined ? {} : { from } })
    days.push(...reply.days)
    if (reply.continueFrom === null) break
    from = reply.continueFrom
  }
  return days
}
