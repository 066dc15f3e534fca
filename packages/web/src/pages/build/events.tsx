import type { groups, Sent } from '@millrace/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { readJson } from '#src/api/json.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { ListPage } from '#src/patterns/list-page.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useMay } from '#src/session/use-may.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Time } from '#src/ui/time.tsx'
import { toast } from '#src/ui/toast.tsx'
import { JsonView } from '#src/values/json-view.tsx'

type CloudEvent = NonNullable<Sent<(typeof groups)['events']['publish']>['body']>['events'][number]

export function Page() {
  const e = m.events
  const { open, sheet } = useSheet()
  const maySend = useMay('events:write')
  const send = () => open(e.send, (close) => <SendForm done={close} />)
  return (
    <>
      <ListPage
        title={e.title}
        lede={e.lede}
        name="events"
        refreshMs={15_000}
        load={(query) => api.events.list({ query })}
        id={({ id }) => id}
        actions={
          maySend && (
            <Button look="primary" onClick={send}>
              {e.send}
            </Button>
          )
        }
        filters={[
          { name: 'type', label: e.type },
          { name: 'source', label: e.source },
        ]}
        columns={[
          {
            head: e.type,
            phone: 'main',
            cell: ({ id, type }) => (
              <button type="button" className="link b" onClick={() => open(type, () => <Whole id={id} />)}>
                <bdi className="mono">{type}</bdi>
              </button>
            ),
          },
          { head: e.source, phone: 'below', cell: ({ source }) => <bdi className="i2">{source}</bdi> },
          { head: e.id, cell: ({ eventId }) => <bdi className="mono i2">{eventId}</bdi> },
          { head: e.state, phone: 'side', cell: ({ state }) => <Badge tone={state === 'taken' ? 'ok' : 'off'}>{e.states[state]}</Badge> },
          {
            head: e.received,
            end: true,
            phone: 'below-side',
            cell: ({ receivedAt }) => (
              <span className="i2">
                <Time at={receivedAt} />
              </span>
            ),
          },
        ]}
        empty={{
          title: e.emptyTitle,
          text: e.emptyText,
          action: maySend && (
            <Button look="primary" onClick={send}>
              {e.send}
            </Button>
          ),
        }}
      />
      {sheet}
    </>
  )
}

function Whole({ id }: { readonly id: string }) {
  const query = useQuery({ queryKey: ['event', id], queryFn: () => api.events.get({ params: { id } }) })
  return <Loaded query={query}>{({ event }) => <JsonView value={event} />}</Loaded>
}

function SendForm({ done }: { readonly done: () => void }) {
  const e = m.events
  const queries = useQueryClient()
  return (
    <DataForm
      initial={{ type: 'com.example.order.placed', source: 'https://shop.example.com/orders', data: '{\n  "order": 7\n}' }}
      fields={[
        { name: 'type', label: e.type, required: true, autoFocus: true },
        { name: 'source', label: e.source, required: true },
        { name: 'data', label: e.data, kind: 'code', rows: 8 },
      ]}
      send={async ({ type, source, data }) => {
        const event: CloudEvent = { specversion: '1.0', id: crypto.randomUUID(), type, source }
        if (data.trim() !== '') Object.assign(event, { data: readJson(data, m.editor.notJson) })
        await api.events.publish({ body: { events: [event] } })
        await queries.invalidateQueries({ queryKey: ['events'] })
        toast(e.sent)
        done()
      }}
      label={e.send}
    />
  )
}
