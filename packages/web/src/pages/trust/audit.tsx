import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Destinations } from '#src/pages/trust/destinations.tsx'
import { DayProof } from '#src/pages/trust/day-proof.tsx'
import { AuditVerdict } from '#src/pages/trust/audit-verdict.tsx'
import type { Filter } from '#src/patterns/filter-bar.tsx'
import { ListPage } from '#src/patterns/list-page.tsx'
import { PeriodFilter, queryOf } from '#src/patterns/period-filter.tsx'
import { usePeople } from '#src/patterns/use-people.ts'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useMay } from '#src/session/use-may.ts'
import { Time } from '#src/ui/time.tsx'
import { loadEntries } from '#src/pages/trust/audit-entries.ts'
import { AuditEntry } from '#src/pages/trust/audit-entry.tsx'
import { eventOf, kindOptions } from '#src/pages/trust/audit-kinds.ts'
import { AuditSentence, words } from '#src/pages/trust/audit-sentence.tsx'
import { actorName, type Names, targetName } from '#src/pages/trust/sentence-of.ts'

const dayMs = 86_400_000

/** The audit log: search, the verdict over all days, and one day with its proof. */
export function Page() {
  const a = m.audit
  const navigate = useNavigate()
  const { open, sheet } = useSheet()
  const search: Readonly<Record<string, string>> = useSearch({ strict: false })
  const { day } = search
  const people = usePeople()
  const workflows = useWorkflows()
  const [known, setKnown] = useState<Names>({})
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
        load={async (query) => {
          const found = await loadEntries(api.audit.query({ query: searchOf(query) }))
          setKnown((names) => ({ ...names, ...found.names }))
          return found
        }}
        id={({ entry }) => entry.id}
        filters={filtersOf(search, { people, workflows, names: known })}
        moreFilters={day === undefined && <PeriodFilter />}
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

const engine = 'system:engine'

interface Chosen {
  readonly people: ReadonlyMap<string, string>
  readonly workflows: ReadonlyMap<string, string>
  /** Of what the entries name. */
  readonly names: Names
}

/** Text, what was done, by whom, and on what; a person or a thing that is not in the lists once it is chosen in an entry or by a link. */
function filtersOf({ actor, target, event }: Readonly<Record<string, string>>, { people, workflows, names }: Chosen): readonly Filter[] {
  const a = m.audit
  const who = new Map([...people, [engine, a.engine]])
  if (actor !== undefined && !who.has(actor)) who.set(actor, actorName(actor, names, words))
  const what = new Map(workflows)
  if (target !== undefined && !what.has(target)) what.set(target, targetName({ target, details: {} }, names, words) ?? target)
  return [
    { name: 'q', label: m.auditDays.search },
    { name: 'kind', label: a.eventFilter, options: kindOptions(words) },
    { name: 'actor', label: a.actor, options: [...who] },
    { name: 'target', label: a.target, options: [...what] },
    ...(event === undefined ? [] : [{ name: 'event', label: a.event }]),
  ]
}

/** The names of workflows by id, as many as one request has; others are chosen in an entry. */
function useWorkflows(): ReadonlyMap<string, string> {
  const mayRead = useMay('workflows:read')
  const found = useQuery({
    queryKey: ['workflows', 'names-of-audit'],
    enabled: mayRead,
    staleTime: 60_000,
    queryFn: () => api.workflows.list({ query: { limit: 100, sort: 'name' } }),
  })
  return new Map((found.data?.data ?? []).map(({ id, name }) => [id, name]))
}

/** The search of the address in the words of the operation: a day of the log as times, in UTC, or a period. */
function searchOf({ day, kind, event, ...search }: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const asked = eventOf({ kind, event })
  const start = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(start)) return { ...queryOf(search), ...asked }
  const { period: _period, ...rest } = search
  return { ...rest, ...asked, from: new Date(start).toISOString(), to: new Date(start + dayMs).toISOString() }
}
