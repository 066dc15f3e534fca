import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { type Connection, hostOf, needsConsent } from '#src/pages/connections/connection.ts'
import { ConnectionForm } from '#src/pages/connections/connection-form.tsx'
import { newValues } from '#src/pages/connections/connection-values.ts'
import { type Service, ServicePicker } from '#src/pages/connections/service-picker.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Button } from '#src/ui/button.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { wordsOf } from '#src/ui/problem.tsx'
import { toast } from '#src/ui/toast.tsx'

/**
 * Makes a connection: first the service, then what its way in needs, then how the test went.
 * @param props.name what it is called unless the person says otherwise; empty for the name of the service.
 */
export function NewConnection({ name }: { readonly name: string }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [service, setService] = useState<Service>()
  const [saved, setSaved] = useState<Connection>()
  const toPage = ({ id }: Connection) => void navigate({ to: `/connections/${id}` })
  const done = (connection: Connection) => {
    void queries.invalidateQueries({ queryKey: ['connections'] })
    if (connection.state !== 'ready') return setSaved(connection)
    toast(m.connections.testPassed)
    toPage(connection)
  }
  if (saved !== undefined) return <NotReady key={saved.revision} connection={saved} done={done} leave={() => toPage(saved)} />
  if (service === undefined) return <ServicePicker onPick={setService} />
  return (
    <>
      <p>
        <Button size="sm" look="quiet" icon="prev" onClick={() => setService(undefined)}>
          {m.connections.otherService}
        </Button>
      </p>
      {'kind' in service ? (
        <ConnectionForm known={newValues(service.kind, name)} done={done} />
      ) : (
        <OfConnector id={service.connector.id} called={name} done={done} />
      )}
    </>
  )
}

/** The form for a connector: what its description says is filled in. */
function OfConnector({ id, called, done }: { readonly id: string; readonly called: string; readonly done: (saved: Connection) => void }) {
  const k = m.connections
  const connector = useQuery({ queryKey: ['connectors', 'one', id], queryFn: () => api.connectors.get({ params: { id } }) })
  return (
    <Loaded query={connector}>
      {({ name, title, hosts, access }) => (
        <>
          <h3 className="t16 bb">
            <bdi>{title}</bdi>
          </h3>
          {access !== null && access.keyUrl !== null && (
            <p className="row t13">
              <a href={access.keyUrl} target="_blank" rel="noreferrer">
                {k.getKey(title)}
              </a>
              <Icon name="ext" />
            </p>
          )}
          <ConnectionForm
            service={name}
            known={newValues(
              access?.kind ?? 'bearer',
              called === '' ? name : called,
              access?.settings ?? { url: `https://${hosts[0] ?? ''}` },
            )}
            done={done}
          />
        </>
      )}
    </Loaded>
  )
}

interface NotReadyProps {
  readonly connection: Connection
  readonly done: (saved: Connection) => void
  readonly leave: () => void
}

/** A connection that is stored and does not work yet: why, and the form to correct it. */
function NotReady({ connection, done, leave }: NotReadyProps) {
  const k = m.connections
  const [busy, setBusy] = useState(false)
  const consent = needsConsent(connection) && connection.state === 'unauthorized'
  const authorize = () => {
    setBusy(true)
    api.connections
      .authorize({ params: { id: connection.id } })
      .then(({ authorizationUrl }) => location.assign(authorizationUrl))
      .catch((error: unknown) => {
        toast(wordsOf(error).detail, 'faulted')
        setBusy(false)
      })
  }
  return (
    <>
      <section className="problem" role="status">
        <h3>{consent ? k.needsConsent : k.testFailed}</h3>
        <p className="i2" dir="auto">
          {consent ? k.needsConsentText : k.notReady(hostOf(connection))}
        </p>
        {!consent && connection.problem !== null && <p dir="auto">{connection.problem}</p>}
        <div className="row wrap">
          {consent && (
            <Button look="primary" icon="ext" busy={busy} onClick={authorize}>
              {k.authorize}
            </Button>
          )}
          <Button onClick={leave}>{k.leaveAsIs}</Button>
        </div>
      </section>
      <ConnectionForm connection={connection} done={done} />
    </>
  )
}
