import { useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Destinations } from '#src/pages/trust/destinations.tsx'
import { DayProof } from '#src/pages/trust/day-proof.tsx'
import { AuditVerdict } from '#src/pages/trust/audit-verdict.tsx'
import { useAuthors } from '#src/patterns/use-authors.ts'
import { ListPage } from '#src/patterns/list-page.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Time } from '#src/ui/time.tsx'
import { JsonView } from '#src/values/json-view.tsx'

const dayMs = 86_400_000

/** The audit log: search, the verdict over all days, and one day with its proof. */
export function Page() {
  const a = m.audit
  const navigate = useNavigate()
  const { open, sheet } = useSheet()
  const search: Readonly<Record<string, string>> = useSearch({ strict: false })
  const { day } = search
  const nameOf = useAuthors()
  const show = (date: string | undefined) => {
    const { day: _day, cursor: _cursor, ...rest } = search
    void navigate({ to: '.', search: date === undefined ? rest : { ...rest, day: date } })
  }
  return (
    <>
      <ListPage
        title={a.title}
        lede={a.lede}
        name="audit"
        above={
          day === undefined ? (
            <>
              <AuditVerdict onDay={show} />
              <Destinations />
            </>
          ) : (
            <DayProof key={day} date={day} onClose={() => show(undefined)} />
          )
        }
        load={(query) => api.audit.query({ query: withPeriod(query) })}
        id={({ id }) => id}
        filters={[
          { name: 'q', label: m.auditDays.search },
          { name: 'event', label: a.event },
          { name: 'actor', label: a.actor },
          { name: 'target', label: a.target },
        ]}
        columns={[
          {
            head: a.event,
            phone: 'main',
            cell: (entry) => (
              <button type="button" className="link" onClick={() => open(entry.event, () => <JsonView value={entry} />)}>
                <bdi className="mono b">{entry.event}</bdi>
              </button>
            ),
          },
          { head: a.actor, phone: 'below', cell: ({ actor }) => <Named id={actor} name={nameOf(actor)} /> },
          { head: a.target, cell: ({ target }) => <Named id={target ?? ''} name={nameOf(`user:${target}`)} /> },
          { head: a.ip, cell: ({ ip }) => <bdi className="mono i2">{ip ?? ''}</bdi> },
          {
            head: a.leaf,
            end: true,
            cell: ({ log }) =>
              log === null ? null : (
                <button type="button" className="link num i2" title={log.date} onClick={() => show(log.date)}>
                  {log.index}
                </button>
              ),
          },
          {
            head: a.at,
            end: true,
            phone: 'side',
            cell: ({ at }) => (
              <span className="i2">
                <Time at={at} />
              </span>
            ),
          },
        ]}
        empty={{ title: a.emptyTitle, text: a.lede }}
      />
      {sheet}
    </>
  )
}

/** A person by name, with the id as its tooltip; anything else by its id. */
function Named({ id, name }: { readonly id: string; readonly name: string | undefined }) {
  return name === undefined ? <bdi className="mono i2">{id}</bdi> : <bdi title={id}>{name}</bdi>
}

/** The day of the address as the period that the operation knows. */
function withPeriod({ day, ...query }: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const from = Date.parse(`${day ?? ''}T00:00:00Z`)
  return Number.isNaN(from) ? query : { ...query, from: new Date(from).toISOString(), to: new Date(from + dayMs).toISOString() }
}
