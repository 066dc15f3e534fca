import type { groups, Reply } from '@millrace/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { EventForm, ScheduleForm, WebhookForm } from '#src/starts/start-forms.tsx'
import { WebhookReady } from '#src/starts/webhook-ready.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Empty } from '#src/ui/empty.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { Menu } from '#src/ui/menu.tsx'
import { Time } from '#src/ui/time.tsx'
import { wordsOf } from '#src/ui/problem.tsx'
import { toast } from '#src/ui/toast.tsx'

export type Trigger = Reply<(typeof groups)['triggers']['ofWorkflow']>['data'][number]
const icons = { schedule: 'clock', webhook: 'hook', event: 'event', manual: 'hand' } as const

/** What starts a workflow: schedules, webhooks, events. */
export function Starts({ workflow }: { readonly workflow: string }) {
  const s = m.starts
  const queries = useQueryClient()
  const { open, confirm, sheet } = useSheet()
  const query = useQuery({
    queryKey: ['starts', workflow],
    queryFn: () => api.triggers.ofWorkflow({ params: { workflowId: workflow }, query: { limit: 100 } }),
  })
  const changed = () => queries.invalidateQueries({ queryKey: ['starts', workflow] })
  const done = (close: () => void) => () => void changed().then(close)
  const ready = (url: string, secret: string | null) =>
    open(s.webhookReady, (close) => <WebhookReady url={url} secret={secret} onDone={close} />)
  const add = (
    <>
      <Button icon="clock" onClick={() => open(s.schedule, (close) => <ScheduleForm workflow={workflow} done={done(close)} />)}>
        {s.schedule}
      </Button>
      <Button
        icon="hook"
        onClick={() =>
          open(s.webhook, () => <WebhookForm workflow={workflow} done={(url, secret) => void changed().then(() => ready(url, secret))} />)
        }
      >
        {s.webhook}
      </Button>
      <Button icon="event" onClick={() => open(s.event, (close) => <EventForm workflow={workflow} done={done(close)} />)}>
        {s.event}
      </Button>
    </>
  )
  const toggle = (one: Trigger) => void api.triggers.toggle({ params: { id: one.id }, body: { enabled: !one.enabled } }).then(changed)
  const fire = (one: Trigger) =>
    void api.triggers
      .fire({ params: { id: one.id }, body: {} })
      .then(() => toast(s.fired))
      .then(changed)
      .catch((error: unknown) => toast(wordsOf(error).detail, 'faulted'))
  const items = (one: Trigger) => {
    const url = one.webhook?.url ?? undefined
    return [
      { label: s.fire, icon: 'play', act: () => fire(one) },
      ...(url === undefined ? [] : [{ label: s.howToCall, icon: 'copy', act: () => ready(url, null) }]),
      { label: one.enabled ? s.pause : s.enable, icon: one.enabled ? 'stop' : 'check', act: () => toggle(one) },
      ...(one.origin === 'definition'
        ? []
        : [
            {
              label: m.common.remove,
              icon: 'x',
              danger: true,
              act: () => confirm(s.remove, s.removeText, () => api.triggers.delete({ params: { id: one.id } }).then(changed)),
            },
          ]),
    ]
  }
  return (
    <div className="page">
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={s.emptyTitle} text={s.emptyText} action={add} />
          ) : (
            <>
              <div className="row wrap filters">{add}</div>
              <ul className="panel starts">
                {data.map((one) => (
                  <li key={one.id} className="need">
                    <span className="gly">
                      <Icon name={icons[one.kind]} />
                    </span>
                    <div className="grow">
                      <p className="row wrap">
                        <b className="b">{one.name}</b>
                        {!one.enabled && <Badge tone={one.pausedReason === null ? 'off' : 'bad'}>{one.pausedReason ?? s.paused}</Badge>}
                        {one.origin === 'definition' && <Badge tone="line">{s.fromDefinition}</Badge>}
                      </p>
                      <p className="t13 i2">
                        <What one={one} />
                      </p>
                      {one.lastError !== null && <p className="t13 c-bad">{one.lastError}</p>}
                    </div>
                    {one.lastFiredAt !== null && (
                      <span className="t13 i2">
                        {one.lastExecutionId === null ? (
                          <Time at={one.lastFiredAt} kind="ago" />
                        ) : (
                          <Link to={`/runs/${one.lastExecutionId}`}>
                            <Time at={one.lastFiredAt} kind="ago" />
                          </Link>
                        )}
                      </span>
                    )}
                    <Menu label={`${m.common.actions}: ${one.name}`} items={items(one)} />
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
      {sheet}
    </div>
  )
}

function What({ one }: { readonly one: Trigger }) {
  const { schedule, webhook, event } = one
  if (schedule !== null)
    return (
      <>
        <bdi className="mono">{schedule.cron ?? schedule.every ?? schedule.rrule ?? schedule.at}</bdi> {schedule.timeZone}
        {schedule.nextAt !== null && (
          <>
            {' · '}
            {m.starts.next} <Time at={schedule.nextAt} kind="ago" />
          </>
        )}
      </>
    )
  if (webhook !== null) return <bdi className="mono">{webhook.url ?? m.starts.hidden}</bdi>
  return event === null ? null : <bdi className="mono">{event.types.join(', ')}</bdi>
}
