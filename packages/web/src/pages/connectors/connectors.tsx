import type { groups, Reply } from '@millrace/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { AddConnector } from '#src/pages/connectors/own-connector.tsx'
import { ListPage } from '#src/patterns/list-page.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useMay } from '#src/session/use-may.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { wordsOf } from '#src/ui/problem.tsx'
import { toast } from '#src/ui/toast.tsx'
import { JsonView } from '#src/values/json-view.tsx'

type Connector = Reply<(typeof groups)['connectors']['list']>['data'][number]

/** Everything that a definition can connect to by name. */
export function Page() {
  const k = m.connectors
  const { open, sheet } = useSheet()
  const mayAdd = useMay('connectors:write')
  const add = () => open(m.reach.addConnector, (close) => <AddConnector done={close} />)
  return (
    <>
      <ListPage
        title={k.title}
        lede={k.lede}
        name="connectors"
        load={(query) => api.connectors.list({ query })}
        id={({ id }) => id}
        actions={
          <>
            <ButtonLink to="/connectors/proposals">{k.proposals}</ButtonLink>
            {mayAdd && (
              <Button look="primary" icon="plus" onClick={add}>
                {m.reach.addConnector}
              </Button>
            )}
          </>
        }
        filters={[{ name: 'q', label: k.find }]}
        columns={[
          {
            head: m.workflows.name,
            phone: 'main',
            cell: (connector) => (
              <button
                type="button"
                className="link b"
                onClick={() => open(connector.title, (close) => <Detail id={connector.id} close={close} />)}
              >
                <bdi>{connector.title}</bdi>
              </button>
            ),
          },
          { head: k.what, phone: 'below', cell: ({ summary }) => <span className="i2">{summary}</span> },
          { head: k.hosts, cell: ({ hosts }) => <bdi className="mono i2">{hosts.join(', ')}</bdi> },
          { head: k.origin, phone: 'side', cell: (connector) => <OriginBadge connector={connector} /> },
          { head: k.version, end: true, cell: ({ version }) => <span className="num i2">{version}</span> },
        ]}
        empty={{
          title: k.emptyTitle,
          text: k.emptyText,
          action: mayAdd && (
            <Button look="primary" onClick={add}>
              {m.reach.addConnector}
            </Button>
          ),
        }}
      />
      {sheet}
    </>
  )
}

function OriginBadge({ connector: { origin } }: { readonly connector: Connector }) {
  return <Badge tone={origin.kind === 'built-in' ? 'off' : 'race'}>{m.connectors.origins[origin.kind]}</Badge>
}

function Detail({ id, close }: { readonly id: string; readonly close: () => void }) {
  const k = m.connectors
  const connector = useQuery({ queryKey: ['connectors', 'one', id], queryFn: () => api.connectors.get({ params: { id } }) })
  return (
    <Loaded query={connector}>
      {({ name, summary, kind, inputSchema, document, origin }) => (
        <div className="form">
          <p>{summary}</p>
          <p className="t13">
            <bdi className="mono">{kind === 'function' ? `call: ${name}` : `call: ${name}.…`}</bdi>{' '}
            <span className="i3">{origin.licence}</span>
          </p>
          {kind !== 'function' && <FunctionList connector={name} />}
          {origin.kind === 'account' && <Own id={id} close={close} />}
          {inputSchema !== null && <JsonView value={inputSchema} title={k.input} />}
          {document !== null && <JsonView value={document} title={k.document} />}
        </div>
      )}
    </Loaded>
  )
}

const functionsMax = 100

/** What a step writes to call each function of a connector. */
function FunctionList({ connector }: { readonly connector: string }) {
  const found = useQuery({
    queryKey: ['functions', 'of', connector],
    queryFn: () => api.functions.list({ query: { connector, limit: functionsMax } }),
  })
  return (
    <Loaded query={found}>
      {({ data }) => (
        <dl className="functions">
          {data.map(({ name, summary }) => (
            <div key={name}>
              <dt>
                <bdi className="mono">{`call: ${name}`}</bdi>
              </dt>
              <dd className="t13 i2">{summary}</dd>
            </div>
          ))}
        </dl>
      )}
    </Loaded>
  )
}

/** What can be done with a connector of the account. */
function Own({ id, close }: { readonly id: string; readonly close: () => void }) {
  const r = m.reach
  const queries = useQueryClient()
  const mayChange = useMay('connectors:write')
  const [sure, setSure] = useState(false)
  const act = (work: Promise<unknown>, words: string | undefined) => {
    work
      .then(async () => {
        await queries.invalidateQueries({ queryKey: ['connectors'] })
        if (words === undefined) close()
        else toast(words)
      })
      .catch((error: unknown) => toast(wordsOf(error).detail, 'faulted'))
  }
  if (!mayChange) return null
  return (
    <div className="row wrap">
      <Button icon="retry" onClick={() => act(api.connectors.replace({ params: { id }, body: {} }), r.wasRead)}>
        {r.readAgain}
      </Button>
      {sure ? (
        <>
          <span className="t13 i2">{r.removeConnectorText}</span>
          <Button look="danger" onClick={() => act(api.connectors.delete({ params: { id } }), undefined)}>
            {r.removeConnector}
          </Button>
        </>
      ) : (
        <Button look="quiet" onClick={() => setSure(true)}>
          {r.removeConnector}
        </Button>
      )}
    </div>
  )
}
