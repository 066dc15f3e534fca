import type { groups, Reply } from '@millrace/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { ListPage } from '#src/patterns/list-page.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button, ButtonLink } from '#src/ui/button.tsx'
import { JsonView } from '#src/values/json-view.tsx'

type Connector = Reply<(typeof groups)['connectors']['list']>['data'][number]

/** Everything that a definition can connect to by name. */
export function Page() {
  const k = m.connectors
  const { open, sheet } = useSheet()
  return (
    <>
      <ListPage
        title={k.title}
        lede={k.lede}
        name="connectors"
        load={(query) => api.connectors.list({ query })}
        id={({ id }) => id}
        actions={
          <ButtonLink to="/connectors/proposals" icon="plus">
            {k.proposals}
          </ButtonLink>
        }
        filters={[{ name: 'q', label: k.find }]}
        columns={[
          {
            head: m.workflows.name,
            phone: 'main',
            cell: (connector) => (
              <Button look="quiet" size="sm" onClick={() => open(connector.title, () => <Detail id={connector.id} />)}>
                {connector.title}
              </Button>
            ),
          },
          { head: k.what, phone: 'below', cell: ({ summary }) => <span className="i2">{summary}</span> },
          { head: k.hosts, cell: ({ hosts }) => <bdi className="mono i2">{hosts.join(', ')}</bdi> },
          { head: k.origin, phone: 'side', cell: (connector) => <OriginBadge connector={connector} /> },
          { head: k.version, end: true, cell: ({ version }) => <span className="num i2">{version}</span> },
        ]}
        empty={{ title: k.emptyTitle, text: k.emptyText }}
      />
      {sheet}
    </>
  )
}

function OriginBadge({ connector: { origin } }: { readonly connector: Connector }) {
  return <Badge tone={origin.kind === 'built-in' ? 'off' : 'race'}>{m.connectors.origins[origin.kind]}</Badge>
}

function Detail({ id }: { readonly id: string }) {
  const k = m.connectors
  const connector = useQuery({ queryKey: ['connectors', 'one', id], queryFn: () => api.connectors.get({ params: { id } }) })
  return (
    <Loaded query={connector}>
      {({ name, summary, inputSchema, document, origin }) => (
        <div className="form">
          <p>{summary}</p>
          <p className="t13">
            <bdi className="mono">{`call: ${name}`}</bdi> <span className="i3">{origin.licence}</span>
          </p>
          {inputSchema !== null && <JsonView value={inputSchema} title={k.input} />}
          {document !== null && <JsonView value={document} title={k.document} />}
        </div>
      )}
    </Loaded>
  )
}
