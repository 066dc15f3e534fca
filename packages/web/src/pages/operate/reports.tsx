import type { groups, Reply } from '@millrace/contract'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { t } from '#src/pages/marketplace/texts.ts'
import { ListPage } from '#src/patterns/list-page.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { Time } from '#src/ui/time.tsx'
import { toast } from '#src/ui/toast.tsx'

type Report = Reply<(typeof groups)['marketplace']['reports']>['data'][number]

const states = ['removed', 'listed'] as const

/** Reports of entries of the marketplace, for the people who run the installation. */
export function Page() {
  const r = m.reach
  const { open, sheet } = useSheet()
  return (
    <>
      <ListPage
        title={r.reports}
        lede={r.reportsLede}
        name="marketplace-reports"
        load={(query) => api.marketplace.reports({ query })}
        id={({ id }) => id}
        columns={[
          {
            head: r.entry,
            phone: 'main',
            cell: ({ entryId, title }) => (
              <Link to={`/marketplace/${entryId}`} className="quiet-link b">
                <bdi>{title}</bdi>
              </Link>
            ),
          },
          { head: r.why, phone: 'side', cell: ({ reason }) => <Badge tone="wait">{t.reasons[reason]}</Badge> },
          { head: m.compare.difference, phone: 'below', cell: ({ detail }) => <span className="i2 prewrap">{detail}</span> },
          {
            head: r.reported,
            end: true,
            phone: 'foot',
            cell: ({ createdAt }) => (
              <span className="i2">
                <Time at={createdAt} />
              </span>
            ),
          },
          {
            head: m.common.actions,
            end: true,
            phone: 'below-side',
            cell: (report) => (
              <Button size="sm" onClick={() => open(report.title, (close) => <Decision report={report} done={close} />)}>
                {r.moderate}
              </Button>
            ),
          },
        ]}
        empty={{ title: r.noReports, text: r.noReportsText, action: <ButtonLink to="/marketplace">{m.nav.marketplace}</ButtonLink> }}
      />
      {sheet}
    </>
  )
}

function Decision({ report, done }: { readonly report: Report; readonly done: () => void }) {
  const r = m.reach
  const queries = useQueryClient()
  return (
    <DataForm
      initial={{ state: 'removed', reason: '' }}
      before={<p className="prewrap i2">{report.detail}</p>}
      fields={[
        { name: 'state', label: r.decision, kind: 'select', options: states.map((state) => [state, r.states[state]]) },
        { name: 'reason', label: r.reason, kind: 'textarea', rows: 3, hint: r.reasonHint },
      ]}
      send={async ({ state, reason }) => {
        const next = state === 'listed' ? 'listed' : 'removed'
        await api.marketplace.moderate({
          params: { id: report.entryId },
          body: { state: next, ...(reason.trim() === '' ? {} : { reason }) },
        })
        await queries.invalidateQueries({ queryKey: ['marketplace-reports'] })
        toast(r.decided(r.states[next]))
        done()
      }}
      label={r.moderate}
    />
  )
}
