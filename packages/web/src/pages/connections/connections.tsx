import { connectionKinds } from '@millrace/contract'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { hostOf } from '#src/pages/connections/connection.ts'
import { ConnectionState, connectionStates } from '#src/pages/connections/connection-state.tsx'
import { NewConnection } from '#src/pages/connections/new-connection.tsx'
import { askedConnection } from '#src/patterns/new-asked.ts'
import { ListPage } from '#src/patterns/list-page.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useMay } from '#src/session/use-may.ts'
import { Button } from '#src/ui/button.tsx'
import { Time } from '#src/ui/time.tsx'

/** The services that workflows of the account can use, without their secrets. */
export function Page() {
  const k = m.connections
  const mayChange = useMay('connections:write')
  const { open, sheet } = useSheet()
  const create = (name = '') => open(k.create, () => <NewConnection name={name} />)
  const { at }: { at?: string } = useSearch({ strict: false })
  const openAsked = useEffectEvent(create)
  useEffect(() => {
    const asked = askedConnection(at)
    if (asked !== undefined && mayChange) openAsked(asked)
  }, [at, mayChange])
  const button = mayChange && (
    <Button look="primary" icon="plus" onClick={() => create()}>
      {k.create}
    </Button>
  )
  return (
    <>
      <ListPage
        title={k.title}
        lede={k.lede}
        name="connections"
        load={(query) => api.connections.list({ query })}
        id={({ id }) => id}
        href={({ id }) => `/connections/${id}`}
        actions={button}
        filters={[
          { name: 'kind', label: k.kind, options: connectionKinds.map((kind) => [kind, k.kinds[kind]]) },
          { name: 'state', label: k.state, options: connectionStates.map((state) => [state, k.states[state]]) },
        ]}
        columns={[
          { head: m.workflows.name, phone: 'main', cell: ({ name }) => <bdi className="mono b">{name}</bdi> },
          { head: k.kind, cell: ({ kind }) => <span className="i2">{k.kinds[kind]}</span> },
          { head: k.host, phone: 'below', cell: (connection) => <bdi className="mono i2">{hostOf(connection)}</bdi> },
          { head: k.state, phone: 'side', cell: ({ state }) => <ConnectionState state={state} /> },
          {
            head: k.expires,
            end: true,
            phone: 'below-side',
            cell: ({ expiresAt }) => <span className="i2">{expiresAt === null ? m.common.never : <Time at={expiresAt} kind="ago" />}</span>,
          },
        ]}
        empty={{ title: k.emptyTitle, text: k.emptyText, ...(mayChange ? { action: button } : {}) }}
      />
      {sheet}
    </>
  )
}
