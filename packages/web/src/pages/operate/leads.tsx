import type { groups, Reply } from '@millrace/contract'
import { useSearch } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { ListPage } from '#src/patterns/list-page.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Time } from '#src/ui/time.tsx'
import { toast } from '#src/ui/toast.tsx'
import { wordsOf } from '#src/ui/problem.tsx'
import { JsonView } from '#src/values/json-view.tsx'
import { saveFile } from '#src/values/save-file.ts'

type Lead = Reply<(typeof groups)['leads']['list']>['data'][number]

const kinds = ['contact', 'sales', 'demo', 'newsletter'] as const
const states = ['received', 'pending', 'confirmed', 'unsubscribed'] as const

/** Who wrote by the public forms, for the people who run the installation. */
export function Page() {
  const o = m.operate
  const { open, sheet } = useSheet()
  const search: Readonly<Record<string, string>> = useSearch({ strict: false })
  const save = () => {
    const { cursor: _cursor, ...query } = search
    api.leads
      .export({ query })
      .then(({ fileName, content, mediaType }) => saveFile(fileName, content, mediaType))
      .catch((error: unknown) => toast(wordsOf(error).detail, 'faulted'))
  }
  return (
    <>
      <ListPage
        title={o.leads}
        lede={o.leadsLede}
        name="leads"
        load={(query) => api.leads.list({ query })}
        id={({ id }) => id}
        actions={
          <Button icon="download" onClick={save}>
            {o.csv}
          </Button>
        }
        filters={[
          { name: 'kind', label: o.form, options: kinds.map((one) => [one, o.leadKinds[one]] as const) },
          { name: 'state', label: o.state, options: states.map((one) => [one, o.leadStates[one]] as const) },
        ]}
        columns={[
          {
            head: m.session.email,
            phone: 'main',
            cell: (lead) => (
              <button type="button" className="link" onClick={() => open(lead.email, () => <Details lead={lead} />)}>
                <bdi className="b">{lead.email}</bdi>
              </button>
            ),
          },
          {
            head: m.session.name,
            phone: 'below',
            cell: ({ name, company }) => <span className="i2">{[name, company].filter((one) => one !== null).join(', ')}</span>,
          },
          { head: o.form, phone: 'side', cell: ({ kind }) => <Badge tone="line">{o.leadKinds[kind]}</Badge> },
          { head: o.state, cell: ({ state }) => <span className="i2">{o.leadStates[state]}</span> },
          {
            head: m.notifications.last,
            end: true,
            phone: 'below-side',
            cell: ({ updatedAt }) => (
              <span className="i2">
                <Time at={updatedAt} kind="ago" />
              </span>
            ),
          },
        ]}
        empty={{ title: o.noLeads, text: o.leadsLede }}
      />
      {sheet}
    </>
  )
}

function Details({ lead }: { readonly lead: Lead }) {
  const o = m.operate
  return (
    <div className="form">
      {lead.messages.map(({ at, text }) => (
        <p key={at} className="prewrap" dir="auto">
          {text}
        </p>
      ))}
      <p className="t13 i2">
        {o.consent} <Time at={lead.consent.at} /> · {lead.consent.text}
      </p>
      <JsonView value={lead} />
    </div>
  )
}
