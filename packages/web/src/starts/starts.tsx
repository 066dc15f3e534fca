import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { NotGiven } from '#src/run-input/not-given.tsx'
import { NotStartable } from '#src/starts/not-startable.tsx'
import { EndForm, EventForm, FormForm, ScheduleForm, WatchForm, WebhookForm } from '#src/starts/start-forms.tsx'
import { StartBadges } from '#src/starts/start-badges.tsx'
import { type StartActions, useStartActions } from '#src/starts/use-start-actions.tsx'
import { StartIcon, type Trigger, WhatStarts } from '#src/starts/what-starts.tsx'
import { Button } from '#src/ui/button.tsx'
import { Empty } from '#src/ui/empty.tsx'
import { CopyButton } from '#src/ui/id.tsx'
import { Menu } from '#src/ui/menu.tsx'
import { Time } from '#src/ui/time.tsx'

/** What starts a workflow: schedules, webhooks, events. */
export function Starts({ workflow }: { readonly workflow: string }) {
  const actions = useStartActions()
  const query = useQuery({
    queryKey: ['starts', workflow],
    queryFn: () => api.triggers.ofWorkflow({ params: { workflowId: workflow }, query: { limit: 100 } }),
  })
  return (
    <div className="page">
      <NotStartable workflow={workflow} />
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={m.starts.emptyTitle} text={m.starts.emptyText} action={<AddStart workflow={workflow} actions={actions} />} />
          ) : (
            <>
              <div className="row wrap filters">
                <AddStart workflow={workflow} actions={actions} />
              </div>
              <ul className="panel starts">
                {data.map((one) => (
                  <Start key={one.id} one={one} actions={actions} />
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
      {actions.sheet}
    </div>
  )
}

/** The buttons that add a start to a workflow. */
export function AddStart({ workflow, actions }: { readonly workflow: string; readonly actions: StartActions }) {
  const s = m.starts
  const { open, changed, show } = actions
  const done = (close: () => void) => () => changed().then(close)
  if (!actions.mayChange) return null
  return (
    <>
      <Button icon="clock" onClick={() => open(s.schedule, (close) => <ScheduleForm workflow={workflow} done={done(close)} />)}>
        {s.schedule}
      </Button>
      <Button
        icon="hook"
        onClick={() =>
          open(s.webhook, () => <WebhookForm workflow={workflow} done={(made, secret) => changed().then(() => show(made, secret))} />)
        }
      >
        {s.webhook}
      </Button>
      <Button
        icon="people"
        onClick={() =>
          open(m.startForms.form, () => <FormForm workflow={workflow} done={(made, secret) => changed().then(() => show(made, secret))} />)
        }
      >
        {m.startForms.form}
      </Button>
      <Button icon="event" onClick={() => open(s.event, (close) => <EventForm workflow={workflow} done={done(close)} />)}>
        {s.event}
      </Button>
      <Button icon="warn" onClick={() => open(m.ends.start, (close) => <EndForm workflow={workflow} done={done(close)} />)}>
        {m.ends.start}
      </Button>
      <Button icon="eye" onClick={() => open(m.watches.watch, (close) => <WatchForm workflow={workflow} done={done(close)} />)}>
        {m.watches.watch}
      </Button>
    </>
  )
}

function Start({ one, actions }: { readonly one: Trigger; readonly actions: StartActions }) {
  return (
    <li className="need">
      <span className="gly">
        <StartIcon trigger={one} />
      </span>
      <div className="grow">
        <p className="row wrap">
          <Link to={`/triggers/${one.id}`} className="quiet-link b">
            {one.name}
          </Link>
          <StartBadges trigger={one} />
        </p>
        <p className="t13 i2 row">
          <span className="break">
            <WhatStarts trigger={one} />
          </span>
          {typeof one.webhook?.url === 'string' && <CopyButton text={one.webhook.url} label={m.startForms.copy} />}
        </p>
        <NotGiven reads={one.warnings ?? []} by="start" />
        {one.lastError !== null && <p className="t13 c-bad">{one.lastError}</p>}
        {typeof one.webhook?.formProblem === 'string' && <p className="t13 c-bad">{one.webhook.formProblem}</p>}
        {typeof one.watch?.problem === 'string' && <p className="t13 c-bad">{one.watch.problem}</p>}
      </div>
      <span className="t13 i2">
        <LastFired trigger={one} />
      </span>
      <Menu label={`${m.common.actions}: ${one.name}`} items={actions.items(one)} />
    </li>
  )
}

/** When a start last started something, with a link to the run. */
export function LastFired({ trigger: { lastFiredAt, lastExecutionId } }: { readonly trigger: Trigger }) {
  if (lastFiredAt === null) return null
  return lastExecutionId === null ? (
    <Time at={lastFiredAt} kind="ago" />
  ) : (
    <Link to={`/runs/${lastExecutionId}`}>
      <Time at={lastFiredAt} kind="ago" />
    </Link>
  )
}
