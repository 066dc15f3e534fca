import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { ListPage } from '#src/patterns/list-page.tsx'
import { PeriodFilter, queryOf } from '#src/patterns/period-filter.tsx'
import { loadEntries } from '#src/pages/trust/audit-entries.ts'
import { AuditEntry } from '#src/pages/trust/audit-entry.tsx'
import { eventOf, kindOptions } from '#src/pages/trust/audit-kinds.ts'
import { AuditSentence, words } from '#src/pages/trust/audit-sentence.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Time } from '#src/ui/time.tsx'

/** What the signed-in person did, as the audit log has it. */
export function Page() {
  const { audit: a, reach: r } = m
  const { open, sheet } = useSheet()
  return (
    <>
      <ListPage
        title={r.activity}
        lede={r.activityLede}
        name="activity"
        load={({ kind, event, ...query }) => loadEntries(api.audit.me({ query: { ...queryOf(query), ...eventOf({ kind, event }) } }))}
        id={({ entry }) => entry.id}
        filters={[
          { name: 'q', label: m.auditDays.search },
          { name: 'kind', label: a.eventFilter, options: kindOptions(words) },
        ]}
        moreFilters={<PeriodFilter />}
        columns={[
          {
            head: a.event,
            phone: 'main',
            cell: ({ entry, names }) => (
              <button
                type="button"
                className="link entry-link"
                onClick={() => open(a.entry, () => <AuditEntry entry={entry} names={names} />)}
              >
                <AuditSentence entry={entry} names={names} />
              </button>
            ),
          },
          { head: a.ip, phone: 'below', cell: ({ entry: { ip } }) => <bdi className="mono i2">{ip ?? ''}</bdi> },
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
        empty={{ title: r.noActivity, text: r.activityLede }}
      />
      {sheet}
    </>
  )
}
