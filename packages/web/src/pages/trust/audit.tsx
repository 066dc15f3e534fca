import { useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Destinations } from '#src/pages/trust/destinations.tsx'
import { DayProof } from '#src/pages/trust/day-proof.tsx'
import { AuditVerdict } from '#src/pages/trust/audit-verdict.tsx'
import type { Filter } from '#src/patterns/filter-bar.tsx'
import { ListPage } from '#src/patterns/list-page.tsx'
import { usePeople } from '#src/patterns/use-people.ts'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Time } from '#src/ui/time.tsx'
import { loadEntries } from '#src/pages/trust/audit-entries.ts'
import { AuditEntry } from '#src/pages/trust/audit-entry.tsx'
import { AuditSentence } from '#src/pages/trust/audit-sentence.tsx'

const dayMs = 86_400_000

/** The audit log: search, the verdict over all days, and one day with its proof. */
export function Page() {
  const a = m.audit
  const navigate = useNavigate()
  const { open, sheet } = useSheet()
  const search: Readonly<Record<string, string>> = useSearch({ strict: false })
  const { day } = search
  const people = usePeople()
  const show = (date: string | undefined) => {
    const { day: _day, cursor: _cursor, ...rest } = search
    void navigate({ to: '.', search: date === undefined ? rest : { ...rest, day: date } })
  }
  const only = (filter: 'actor' | 'target', id: string) => {
    const { cursor: _cursor, ...rest } = search
    void navigate({ to: '.', search: { ...rest, [filter]: id } })
  }
  return (
    <>
      <ListPage
        title={a.title}
        lede={a.lede}
        name="audit"
        above={day === undefined ? <AuditVerdict onDay={show} /> : <DayProof key={day} date={day} onClose={() => show(undefined)} />}
        load={(query) => loadEntries(api.audit.query({ query: queryOf(query) }))}
        id={({ entry }) => entry.id}
        filters={filtersOf(search, people)}
        columns={[
          {
            head: a.event,
            phone: 'main',
            cell: ({ entry, names }) => (
              <button
                type="button"
                className="link entry-link"
                onClick={() =>
                  open(a.entry, (close) => (
                    <AuditEntry
                      entry={entry}
                      names={names}
                      only={(filter, id) => {
                        close()
                        only(filter, id)
                      }}
                    />
                  ))
                }
              >
                <AuditSentence entry={entry} names={names} />
              </button>
            ),
          },
          { head: a.ip, phone: 'below', cell: ({ entry: { ip } }) => <bdi className="mono i2">{ip ?? ''}</bdi> },
          {
            head: a.leaf,
            end: true,
            cell: ({ entry: { log } }) =>
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
            cell: ({ entry: { at } }) => (
              <span className="i2">
                <Time at={at} />
              </span>
            ),
          },
        ]}
        empty={{ title: a.emptyTitle, text: a.lede }}
        below={<Destinations />}
      />
      {sheet}
    </>
  )
}

const periods = [1, 7, 30] as const
const engine = 'system:engine'

/** Text, event, who, and since when; a target only once it is chosen, in the list or by a link. */
function filtersOf({ actor, target, day }: Readonly<Record<string, string>>, people: ReadonlyMap<string, string>): readonly Filter[] {
  const a = m.audit
  const who = new Map([...people, [engine, a.engine]])
  if (actor !== undefined && !who.has(actor)) who.set(actor, actor)
  return [
    { name: 'q', label: m.auditDays.search },
    { name: 'event', label: a.eventFilter },
    { name: 'actor', label: a.actor, options: [...who] },
    ...(day === undefined ? [{ name: 'period', label: a.at, options: periods.map((days) => [String(days), a.since(days)] as const) }] : []),
    ...(target === undefined ? [] : [{ name: 'target', label: a.target }]),
  ]
}

/** The search of the address in the words of the operation: a day or a period as times, an event by how it begins. */
function queryOf({ day, period, event, ...query }: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const from = day === undefined ? Date.now() - Number(period) * dayMs : Date.parse(`${day}T00:00:00Z`)
  return {
    ...query,
    ...(event === undefined ? {} : { event: event.endsWith('*') ? event : `${event}*` }),
    ...(Number.isNaN(from) ? {} : { from: new Date(from).toISOString() }),
    ...(Number.isNaN(from) || day === undefined ? {} : { to: new Date(from + dayMs).toISOString() }),
  }
}
