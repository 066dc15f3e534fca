import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { ListPage } from '#src/patterns/list-page.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Time } from '#src/ui/time.tsx'
import { JsonView } from '#src/values/json-view.tsx'

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
        load={(query) => api.audit.me({ query })}
        id={({ id }) => id}
        filters={[{ name: 'event', label: a.event }]}
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
          { head: a.target, phone: 'below', cell: ({ target }) => <bdi className="mono i2">{target ?? ''}</bdi> },
          { head: a.ip, cell: ({ ip }) => <bdi className="mono i2">{ip ?? ''}</bdi> },
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
        empty={{ title: r.noActivity, text: r.activityLede }}
      />
      {sheet}
    </>
  )
}
