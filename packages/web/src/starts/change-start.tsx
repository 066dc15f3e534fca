import { endOf } from '#src/starts/ends.ts'
import { EndForm, EventForm, FormForm, ScheduleForm, WatchForm, WebhookForm } from '#src/starts/start-forms.tsx'
import type { Trigger } from '#src/starts/what-starts.tsx'

interface ChangeStartProps {
  readonly trigger: Trigger
  /** `secret` is that of a webhook if it is a new one. */
  readonly done: (changed: Trigger, secret: string | null) => Promise<unknown>
}

/** The form of a start with its settings, which keeps its address and its history. */
export function ChangeStart({ trigger, done }: ChangeStartProps) {
  const { kind, workflowId: workflow } = trigger
  if (trigger.webhook?.form !== undefined) return <FormForm workflow={workflow} trigger={trigger} done={done} />
  if (kind === 'webhook') return <WebhookForm workflow={workflow} trigger={trigger} done={done} />
  const form = { workflow, trigger, done: () => done(trigger, null) }
  if (kind === 'schedule') return <ScheduleForm {...form} />
  if (endOf(trigger) !== undefined) return <EndForm {...form} />
  if (kind === 'event') return <EventForm {...form} />
  return kind === 'watch' ? <WatchForm {...form} /> : null
}
