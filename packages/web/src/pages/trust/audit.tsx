import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { ListPage } from '#src/patterns/list-page.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Button } from '#src/ui/button.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { Time } from '#src/ui/time.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { JsonView } from '#src/values/json-view.tsx'

export function Page() {
  const a = m.audit
  const { open, sheet } = useSheet()
  return (
    <>
      <ListPage
        title={a.title}
        lede={a.lede}
        name="audit"
        above={<Verdict />}
        load={(query) => api.audit.query({ query })}
        id={({ id }) => id}
        filters={[
          { name: 'event', label: a.event },
          { name: 'actor', label: a.actor },
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
          { head: a.actor, phone: 'below', cell: ({ actor }) => <bdi className="mono i2">{actor}</bdi> },
          { head: a.target, cell: ({ target }) => <bdi className="mono i2">{target ?? ''}</bdi> },
          { head: a.ip, cell: ({ ip }) => <bdi className="mono i2">{ip ?? ''}</bdi> },
          { head: a.leaf, end: true, cell: ({ log }) => <span className="num i3">{log === null ? '' : log.index}</span> },
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

/** The verdict over the whole log, on request: the server computes it from the events again. */
function Verdict() {
  const a = m.audit
  const query = useQuery({ queryKey: ['audit.verify'], queryFn: () => api.audit.verify({ query: {} }), enabled: false })
  if (query.isError) return <ProblemPanel error={query.error} />
  const days = query.data?.days ?? []
  const leaves = days.reduce((sum, day) => sum + day.leaves, 0)
  const findings = days.flatMap((day) => day.findings.map((finding) => ({ ...finding, date: day.date })))
  const verified = query.data?.verified
  return (
    <section className={verified === undefined ? 'verdict' : verified ? 'verdict ok' : 'verdict bad'} role="status">
      <Icon name={verified === false ? 'warn' : 'seal'} />
      <div className="grow">
        <p>{verified === undefined ? a.notVerified : verified ? a.verified(days.length, leaves) : a.broken(findings.length)}</p>
        {findings.slice(0, 20).map((finding) => (
          <p key={`${finding.date}.${finding.kind}.${finding.index}`} className="t13">
            {finding.date} {finding.detail}
          </p>
        ))}
      </div>
      <Button onClick={() => void query.refetch()} busy={query.isFetching}>
        {a.verify}
      </Button>
    </section>
  )
}
