import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { useWorkflowName } from '#src/api/workflow-names.ts'
import { Crumbs } from '#src/app/crumbs.tsx'
import { m } from '#src/messages/messages.ts'
import { Deliveries } from '#src/pages/triggers/deliveries.tsx'
import { SkippedTimes } from '#src/pages/triggers/skipped-times.tsx'
import { StartFacts } from '#src/pages/triggers/start-facts.tsx'
import { WebhookTest } from '#src/pages/triggers/webhook-test.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { NextTimes } from '#src/starts/next-times.tsx'
import { NotStartable } from '#src/starts/not-startable.tsx'
import { StartBadges } from '#src/starts/start-badges.tsx'
import { useStartActions } from '#src/starts/use-start-actions.tsx'
import { WebhookCall } from '#src/starts/webhook-ready.tsx'
import { StartIcon, type Trigger } from '#src/starts/what-starts.tsx'
import { Button } from '#src/ui/button.tsx'
import { Menu } from '#src/ui/menu.tsx'

/** One start: when it is due or how it is called, what it did last, and what its webhook received. */
export function Page() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const trigger = useQuery({ queryKey: ['starts', 'one', id], queryFn: () => api.triggers.get({ params: { id } }) })
  return <Loaded query={trigger}>{(data) => <Start trigger={data} />}</Loaded>
}

function Start({ trigger }: { readonly trigger: Trigger }) {
  const navigate = useNavigate()
  const actions = useStartActions(() => void navigate({ to: '/triggers' }))
  const { name, workflowId, schedule, webhook, watch, enabled, lastError } = trigger
  const workflowName = useWorkflowName(workflowId)
  return (
    <div className="page wide">
      <Crumbs title={name}>
        <Link to="/triggers">{m.starts.title}</Link> <span className="i3">/</span> <b>{name}</b>
      </Crumbs>
      <header className="row wrap pagehead">
        <div>
          <h1 className="row wrap">
            <StartIcon trigger={trigger} />
            <bdi>{name}</bdi>
          </h1>
          <p className="lede row wrap">
            <Link to={`/workflows/${workflowId}`}>{workflowName ?? m.starting.workflow}</Link> <StartBadges trigger={trigger} />
          </p>
        </div>
        <span className="sp" />
        <div className="row wrap">
          {actions.mayChange && (
            <Button icon="play" look="primary" disabled={!enabled} onClick={() => actions.fire(trigger)}>
              {m.starts.fire}
            </Button>
          )}
          <Menu label={`${m.common.actions}: ${name}`} items={actions.items(trigger)} />
        </div>
      </header>
      <NotStartable workflow={workflowId} />
      {lastError !== null && (
        <section className="problem start-problem">
          <h2>{m.starting.lastFailed(trigger.failures)}</h2>
          <p className="i2">{lastError}</p>
        </section>
      )}
      {watch !== null && watch.problem !== null && (
        <section className="problem start-problem">
          <h2>{m.watches.lookFailed(watch.failures)}</h2>
          <p className="i2">{watch.problem}</p>
        </section>
      )}
      <div className="preview">
        <div className="preview-main">
          {schedule !== null && <ScheduleTimes schedule={schedule} enabled={enabled} />}
          {trigger.kind !== 'webhook' && trigger.kind !== 'manual' && <SkippedTimes id={trigger.id} />}
          {webhook !== null && (
            <section className="panel acard form">
              <h2 className="t16 bb">{webhook.form === undefined ? m.starts.howToCall : m.startForms.howTo}</h2>
              <WebhookCall webhook={webhook} />
            </section>
          )}
          {webhook !== null && <WebhookTest trigger={trigger} />}
          {webhook !== null && <Deliveries id={trigger.id} />}
        </div>
        <aside className="preview-aside">
          <StartFacts trigger={trigger} />
        </aside>
      </div>
      {actions.sheet}
    </div>
  )
}

const previewed = 10

function ScheduleTimes({ schedule, enabled }: { readonly schedule: NonNullable<Trigger['schedule']>; readonly enabled: boolean }) {
  const { nextAt: _at, nextLocal: _local, ...own } = schedule
  return (
    <section className="panel acard">
      <h2 className="t16 bb">{m.starting.nextTimes}</h2>
      {!enabled && <p className="t13 i2">{m.starting.pausedTimes}</p>}
      <div className="times-panel">
        <NextTimes schedule={own} count={previewed} />
      </div>
    </section>
  )
}
