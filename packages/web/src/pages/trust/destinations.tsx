import type { groups, Reply } from '@millrace/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Menu } from '#src/ui/menu.tsx'
import { SecretOnce } from '#src/ui/secret-once.tsx'
import { Time } from '#src/ui/time.tsx'
import { toast } from '#src/ui/toast.tsx'
import { toastFailure } from '#src/ui/toast-failure.ts'

type Destination = Reply<(typeof groups)['audit']['destinations']>['data'][number]

const key = ['audit.destinations']
const refreshMs = 10_000

/** The systems that receive the audit log. */
export function Destinations() {
  const d = m.destinations
  const queries = useQueryClient()
  const { open, confirm, sheet } = useSheet()
  const query = useQuery({ queryKey: key, queryFn: () => api.audit.destinations({ query: {} }), refetchInterval: refreshMs })
  const changed = () => queries.invalidateQueries({ queryKey: key })
  const create = () =>
    open(d.create, (close) => (
      <DestinationForm
        done={(secret) => {
          void changed()
          if (secret === null) close()
          else open(d.secret, (closeSecret) => <SecretOnce secret={secret} text={d.secretText} onDone={closeSecret} />)
        }}
      />
    ))
  const test = (id: string) =>
    api.audit
      .testDestination({ params: { id } })
      .then(({ error }) => (error === null ? toast(d.tested) : toast(error, 'faulted')))
      .catch(toastFailure)
  const actions = ({ id }: Destination) => {
    const params = { id }
    return [
      { label: d.test, icon: 'play', act: () => void test(id) },
      { label: d.resume, icon: 'play', act: () => void api.audit.resumeDestination({ params }).then(changed, toastFailure) },
      {
        label: m.common.remove,
        icon: 'x',
        danger: true,
        act: () => confirm(d.remove, d.removeText, () => api.audit.deleteDestination({ params }).then(changed)),
      },
    ]
  }
  return (
    <section className="after-list" aria-label={d.title}>
      <div className="row between">
        <h2 className="b">{d.title}</h2>
        <Button icon="plus" onClick={create}>
          {d.create}
        </Button>
      </div>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="i2">{d.empty}</p>
          ) : (
            <ul className="mini-l destinations">
              {data.map((one) => (
                <li key={one.id}>
                  <span className="grow">
                    <b className="b">{one.name}</b> <bdi className="mono i2">{addressOf(one)}</bdi>
                    <Why one={one} />
                  </span>
                  <State state={one.state} failing={one.lastError !== null} />
                  {one.deliveredAt !== null && (
                    <span className="i3">
                      <Time at={one.deliveredAt} kind="ago" />
                    </span>
                  )}
                  <Menu label={`${m.common.actions}: ${one.name}`} items={actions(one)} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {sheet}
    </section>
  )
}

function State({ state, failing }: { readonly state: Destination['state']; readonly failing: boolean }) {
  const d = m.destinations
  if (state === 'paused') return <Badge tone="bad">{d.paused}</Badge>
  return failing ? <Badge tone="wait">{d.failing}</Badge> : <Badge tone="ok">{d.active}</Badge>
}

/** Why a destination receives nothing. */
function Why({ one: { state, pausedReason, lastError } }: { readonly one: Destination }) {
  const why = state === 'paused' ? pausedReason : lastError
  return why === null ? null : (
    <p className="t12 i2">
      <bdi>{why}</bdi>
    </p>
  )
}

function addressOf({ target }: Destination): string {
  if (target.kind === 'http') return target.url
  return target.kind === 's3' ? `s3://${target.bucket}/${target.prefix}` : `syslog://${target.host}:${target.port}`
}

function DestinationForm({ done }: { readonly done: (secret: string | null) => void }) {
  const d = m.destinations
  return (
    <DataForm
      initial={{
        name: '',
        kind: 'http',
        url: '',
        host: '',
        port: '6514',
        tls: true,
        region: '',
        bucket: '',
        prefix: '',
        accessKeyId: '',
        secretAccessKey: '',
      }}
      fields={({ kind }) => [
        { name: 'name', label: d.name, required: true, autoFocus: true },
        { name: 'kind', label: d.kind, kind: 'select', options: Object.entries(d.kinds) },
        ...(kind === 'http'
          ? [{ name: 'url', label: d.url, kind: 'url', required: true } as const]
          : kind === 's3'
            ? ([
                { name: 'url', label: d.url, kind: 'url', required: true },
                { name: 'region', label: d.region, required: true },
                { name: 'bucket', label: d.bucket, required: true },
                { name: 'prefix', label: d.prefix, placeholder: 'audit/' },
                { name: 'accessKeyId', label: d.accessKeyId, required: true },
                { name: 'secretAccessKey', label: d.secretAccessKey, kind: 'password', required: true },
              ] as const)
            : ([
                { name: 'host', label: d.host, required: true },
                { name: 'port', label: d.port, kind: 'number', required: true },
                { name: 'tls', label: d.tls, kind: 'switch' },
              ] as const)),
      ]}
      send={async ({ name, kind, url, host, port, tls, secretAccessKey, ...s3 }) => {
        const { region, bucket, prefix, accessKeyId } = s3
        const target =
          kind === 'http'
            ? { kind: 'http' as const, url }
            : kind === 's3'
              ? { kind: 's3' as const, url, region, bucket, prefix, accessKeyId }
              : { kind: 'syslog' as const, host, port: Number(port), tls }
        done((await api.audit.createDestination({ body: { name, target, ...(kind === 's3' ? { secretAccessKey } : {}) } })).secret)
      }}
      label={m.common.create}
    />
  )
}
