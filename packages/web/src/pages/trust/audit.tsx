import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Destinations } from '#src/pages/trust/destinations.tsx'
import { DayProof } from '#src/pages/trust/day-proof.tsx'
import { AuditVerdict } from '#src/pages/trust/audit-verdict.tsx'
import { AuditExport } from '#src/pages/trust/audit-export.tsx'
import { ListPage } from '#src/patterns/list-page.tsx'
import { PeriodFilter } from '#src/patterns/period-filter.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useIsAdmin } from '#src/session/use-is-admin.ts'
import { Button } from '#src/ui/button.tsx'
import { Time } from '#src/ui/time.tsx'
import { loadEntries } from '#src/pages/trust/audit-entries.ts'
import { AuditEntry } from '#src/pages/trust/audit-entry.tsx'
import { exportedSearch, filtersInWords, searchOf, useAuditFilters } from '#src/pages/trust/audit-filters.ts'
import { AuditSentence, words } from '#src/pages/trust/audit-sentence.tsx'
import type { Names } from '#src/pages/trust/sentence-of.ts'

/** The audit log: search, the verdict over all days, and one day with its proof. */
export function Page() {
  const a = m.audit
  const navigate = useNavigate()
  const { open, sheet } = useSheet()
  const search: Readonly<Record<string, string>> = useSearch({ strict: false })
  const { day } = search
  const [known, setKnown] = useState<Names>({})
  const show = (date: string | undefined) => {
    const { day: _day, cursor: _cursor, ...rest } = search
    void navigate({ to: '.', search: date === undefined ? rest : { ...rest, day: date } })
  }
  const only = (filter: 'actor' | 'target', id: string) => {
    const { cursor: _cursor, ...rest } = search
    void navigate({ to: '.', search: { ...rest, [filter]: id } })
  }
  const isAdmin = useIsAdmin()
  const filters = useAuditFilters(search, known)
  const exportSheet = (close: () => void) => (
    <AuditExport search={exportedSearch(search)} filters={filtersInWords(search, filters)} done={close} />
  )
  return (
    <>
      <ListPage
        title={a.title}
        lede={a.lede}
        name="audit"
        actions={
          <Button icon="download" onClick={() => open(words.export.title, (close) => exportSheet(close))}>
            {words.export.open}
          </Button>
        }
        above={day === undefined ? <AuditVerdict onDay={show} /> : <DayProof key={day} date={day} onClose={() => show(undefined)} />}
        load={async (query) => {
          const found = await loadEntries(api.audit.query({ query: searchOf(query) }))
          setKnown((names) => ({ ...names, ...found.names }))
          return found
        }}
        id={({ entry }) => entry.id}
        filters={filters}
        moreFilters={<PeriodFilter hours />}
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
            head: a.logNumber,
            end: true,
            cell: ({ entry: { log } }) =>
              log === null ? null : (
                <button type="button" className="link num i2" title={m.auditDays.day(log.date)} onClick={() => show(log.date)}>
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
        below={isAdmin && <Destinations />}
      />
      {sheet}
    </>
  )
}
