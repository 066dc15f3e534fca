import type { groups, Reply } from '@millrace/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { FieldProblems } from '#src/forms/use-form.ts'
import { m } from '#src/messages/messages.ts'
import { ListPage } from '#src/patterns/list-page.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useMay } from '#src/session/use-may.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Menu } from '#src/ui/menu.tsx'
import { wordsOf } from '#src/ui/problem.tsx'
import { SecretOnce } from '#src/ui/secret-once.tsx'
import { Time } from '#src/ui/time.tsx'
import { toast } from '#src/ui/toast.tsx'
import { runChanges, typeOf } from '#src/values/run-events.ts'

type Subscription = Reply<(typeof groups)['eventSubscriptions']['list']>['data'][number]

export function Page() {
  const s = m.subscriptions
  const queries = useQueryClient()
  const { open, confirm, sheet } = useSheet()
  const mayChange = useMay('events:subscribe')
  const changed = () => queries.invalidateQueries({ queryKey: ['subscriptions'] })
  const secret = (value: string) => open(s.secret, (close) => <SecretOnce secret={value} text={s.secretText} onDone={close} />)
  const edit = (one?: Subscription) =>
    open(one?.name ?? s.create, (close) => (
      <SubscriptionForm
        subscription={one}
        done={(created) => {
          void changed()
          if (created === undefined) close()
          else secret(created)
        }}
      />
    ))
  const test = async (id: string) => {
    try {
      const { state, attempts } = await api.eventSubscriptions.test({ params: { id } })
      if (state === 'delivered') toast(s.tested)
      else toast(s.testFailed(attempts.at(-1)?.error ?? ''), 'faulted')
    } catch (error) {
      toast(wordsOf(error).detail, 'faulted')
    }
  }
  const actions = (one: Subscription) => {
    const params = { id: one.id }
    const deliveries = { label: s.deliveries, icon: 'list', act: () => open(s.deliveries, () => <Deliveries id={one.id} />) }
    if (!mayChange) return [deliveries]
    return [
      { label: m.common.edit, icon: 'edit', act: () => edit(one) },
      deliveries,
      { label: s.test, icon: 'play', act: () => void test(one.id) },
      {
        label: s.rotate,
        icon: 'key',
        act: () =>
          confirm(s.rotate, s.rotateText, () =>
            api.eventSubscriptions.rotate({ params, body: {} }).then((next) => setTimeout(() => secret(next.secret))),
          ),
      },
      {
        label: m.common.remove,
        icon: 'x',
        danger: true,
        act: () => confirm(s.remove, s.removeText, () => api.eventSubscriptions.delete({ params }).then(changed)),
      },
    ]
  }
  return (
    <>
      <ListPage
        title={s.title}
        lede={s.lede}
        name="subscriptions"
        load={(query) => api.eventSubscriptions.list({ query })}
        id={({ id }) => id}
        actions={
          mayChange && (
            <Button look="primary" icon="plus" onClick={() => edit()}>
              {s.create}
            </Button>
          )
        }
        columns={[
          { head: s.name, phone: 'main', cell: ({ name }) => <b className="b">{name}</b> },
          { head: s.url, phone: 'below', cell: ({ url }) => <bdi className="mono i2">{url}</bdi> },
          {
            head: s.events,
            cell: ({ types }) => (
              <span className="row">
                {types.slice(0, 3).map((type) => (
                  <Badge key={type} tone="line">
                    <bdi>{wordOf(type)}</bdi>
                  </Badge>
                ))}
              </span>
            ),
          },
          { head: s.state, phone: 'side', cell: (one) => <State one={one} /> },
          {
            head: m.common.actions,
            end: true,
            phone: 'end',
            cell: (one) => <Menu label={`${m.common.actions}: ${one.name}`} items={actions(one)} />,
          },
        ]}
        empty={{
          title: s.emptyTitle,
          text: s.emptyText,
          action: mayChange && (
            <Button look="primary" onClick={() => edit()}>
              {s.create}
            </Button>
          ),
        }}
      />
      {sheet}
    </>
  )
}

function State({ one }: { readonly one: Subscription }) {
  if (!one.enabled) return <Badge>{one.disabledReason ?? m.subscriptions.off}</Badge>
  return one.failingSince === null ? (
    <Badge tone="race">{m.subscriptions.on}</Badge>
  ) : (
    <Badge tone="bad">
      {m.subscriptions.failing} <Time at={one.failingSince} kind="ago" />
    </Badge>
  )
}

const ofRuns: ReadonlySet<string> = new Set(runChanges.map(typeOf))
/** A type in words, if there are any. */
function wordOf(type: string): string {
  const change = runChanges.find((one) => typeOf(one) === type)
  return change === undefined ? type : m.subscriptions.changes[change]
}

const noRuns: readonly string[] = []

function SubscriptionForm({
  subscription,
  done,
}: {
  readonly subscription: Subscription | undefined
  readonly done: (secret: string | undefined) => void
}) {
  const s = m.subscriptions
  return (
    <DataForm
      initial={{
        name: subscription?.name ?? '',
        url: subscription?.url ?? '',
        runs: subscription?.types.filter((type) => ofRuns.has(type)) ?? noRuns,
        types: subscription?.types.filter((type) => !ofRuns.has(type)).join('\n') ?? '',
        enabled: subscription?.enabled ?? true,
      }}
      fields={[
        { name: 'name', label: s.name, required: true, autoFocus: true },
        { name: 'url', label: s.url, kind: 'url', required: true },
        { name: 'runs', label: s.runs, kind: 'checks', options: runChanges.map((change) => [typeOf(change), s.changes[change]]) },
        { name: 'types', label: s.types, kind: 'code', rows: 3, hint: s.typesHint },
        { name: 'enabled', label: s.on, kind: 'switch' },
      ]}
      send={async ({ name, url, runs, types, enabled }) => {
        const typed = types.split('\n').map((type) => type.trim())
        const wanted = [...runs, ...typed.filter((type) => type !== '')]
        if (wanted.length === 0) throw new FieldProblems({ types: s.noTypes })
        const blank = typed.find((type) => /\s/.test(type))
        if (blank !== undefined) throw new FieldProblems({ types: s.blankInType(blank) })
        const body = { name, url, enabled, types: wanted }
        if (subscription === undefined) done((await api.eventSubscriptions.create({ body })).secret)
        else done(void (await api.eventSubscriptions.update({ params: { id: subscription.id }, body }, { ifMatch: subscription.revision })))
      }}
      label={m.common.save}
    />
  )
}

function Deliveries({ id }: { readonly id: string }) {
  const query = useQuery({ queryKey: ['deliveries', id], queryFn: () => api.eventSubscriptions.deliveries({ params: { id }, query: {} }) })
  return (
    <Loaded query={query}>
      {({ data }) =>
        data.length === 0 ? (
          <p className="i2">{m.subscriptions.noDeliveries}</p>
        ) : (
          <ul className="mini-l">
            {data.map((delivery) => (
              <li key={delivery.id}>
                <Badge tone={delivery.state === 'delivered' ? 'ok' : delivery.state === 'failed' ? 'bad' : 'wait'}>
                  {delivery.attempts.at(-1)?.status ?? delivery.state}
                </Badge>
                <bdi className="mono trunc">{delivery.eventType}</bdi>
                <span className="sp" />
                <span className="i3">
                  <Time at={delivery.createdAt} />
                </span>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}
