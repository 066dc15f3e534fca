import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useMayChange } from '#src/session/use-may-change.ts'
import { ChangeStart } from '#src/starts/change-start.tsx'
import type { Trigger } from '#src/starts/what-starts.tsx'
import { WebhookReady } from '#src/starts/webhook-ready.tsx'
import { Button } from '#src/ui/button.tsx'
import { ButtonLink } from '#src/ui/button-link.tsx'
import type { MenuItem } from '#src/ui/menu.tsx'
import { wordsOf } from '#src/ui/problem.tsx'
import { onDemand } from '#src/ui/on-demand.tsx'
import { toast } from '#src/ui/toast.tsx'

const StartForm = onDemand(() => import('#src/run-input/start-form.tsx').then((module) => module.StartForm))

export interface StartActions {
  readonly items: (one: Trigger) => readonly MenuItem[]
  readonly toggle: (one: Trigger) => void
  readonly fire: (one: Trigger) => void
  readonly show: (made: Trigger, secret: string | null) => void
  readonly open: (title: string, content: (close: () => void) => ReactNode) => void
  readonly changed: () => Promise<void>
  readonly sheet: ReactNode
  /** Whether the person may add, change and fire starts. */
  readonly mayChange: boolean
}

/** What can be done with a start, in every list of starts. */
export function useStartActions(gone: () => void = () => undefined): StartActions {
  const s = m.starts
  const queries = useQueryClient()
  const mayChange = useMayChange()
  const { open, confirm, sheet } = useSheet()
  const changed = async () => {
    // The list of workflows names the kinds of their starts.
    await queries.invalidateQueries({ queryKey: ['workflows'] })
    await queries.invalidateQueries({ queryKey: ['starts'] })
  }
  const failed = (error: unknown) => toast(wordsOf(error).detail, 'faulted')
  const toggle = (one: Trigger) =>
    void api.triggers
      .toggle({ params: { id: one.id }, body: { enabled: !one.enabled } })
      .then(changed)
      .catch(failed)
  const fire = (one: Trigger) => open(`${s.fire}: ${one.name}`, (close) => <Fire trigger={one} done={() => void changed().then(close)} />)
  const show = ({ webhook }: Trigger, secret: string | null) => {
    if (webhook !== null)
      open(webhook.form === undefined ? s.webhookReady : m.startForms.ready, (close) => (
        <WebhookReady webhook={webhook} secret={secret} onDone={close} />
      ))
  }
  const change = (one: Trigger) =>
    open(`${m.starting.change}: ${one.name}`, (close) => (
      <ChangeStart
        trigger={one}
        done={(after, secret) => {
          toast(m.starting.changed)
          return changed().then(() => (secret === null ? close() : show(after, secret)))
        }}
      />
    ))
  const remove = (one: Trigger) =>
    confirm(s.remove, s.removeText, () =>
      api.triggers
        .delete({ params: { id: one.id } })
        .then(changed)
        .then(gone),
    )
  const howTo = (one: Trigger): readonly MenuItem[] =>
    one.webhook === null
      ? []
      : [{ label: one.webhook.form === undefined ? s.howToCall : m.startForms.howTo, icon: 'copy', act: () => show(one, null) }]
  const changes = (one: Trigger): readonly MenuItem[] => [
    { label: s.fire, icon: 'play', disabled: !one.enabled, act: () => fire(one) },
    ...howTo(one),
    { label: one.enabled ? s.pause : s.resume, icon: one.enabled ? 'stop' : 'check', act: () => toggle(one) },
    ...(one.origin === 'definition' || one.kind === 'manual' ? [] : [{ label: m.starting.change, icon: 'edit', act: () => change(one) }]),
    ...(one.origin === 'definition' ? [] : [{ label: m.common.remove, icon: 'x', danger: true, act: () => remove(one) }]),
  ]
  const items = mayChange ? changes : howTo
  return { items, toggle, fire, show, open, changed, sheet, mayChange }
}

function Fire({ trigger, done }: { readonly trigger: Trigger; readonly done: () => void }) {
  const [run, setRun] = useState<string>()
  if (run !== undefined)
    return (
      <div className="form" role="status">
        <p>{m.starts.fired}</p>
        <div className="row">
          <ButtonLink to={`/runs/${run}`} look="primary">
            {m.approvals.toRun}
          </ButtonLink>
          <Button onClick={done}>{m.common.done}</Button>
        </div>
      </div>
    )
  const { id, workflowId, mapping, input } = trigger
  return (
    <StartForm
      workflow={mapping === null ? workflowId : undefined}
      input={input}
      hint={m.starting.fireHint}
      label={m.starts.fire}
      start={async (given) => {
        const body = given === undefined ? {} : { input: given }
        const { executionId } = await api.triggers.fire({ params: { id }, body })
        setRun(executionId)
      }}
    />
  )
}
