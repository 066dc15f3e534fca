import type { groups, Reply } from '@millrace/contract'
import { m } from '#src/messages/messages.ts'
import { endOf, ofWorkflows } from '#src/starts/ends.ts'
import { capitalized, scheduleWords } from '#src/starts/schedule-words.ts'
import { Icon } from '#src/ui/icon.tsx'
import { Time } from '#src/ui/time.tsx'

export type Trigger = Reply<(typeof groups)['triggers']['ofWorkflow']>['data'][number]

const startIcons = { schedule: 'clock', webhook: 'hook', event: 'event', manual: 'hand', watch: 'eye' } as const

/** What a start is, as a picture with its name. A form is a webhook that people fill in. */
export function StartIcon({ trigger: { kind, webhook } }: { readonly trigger: Pick<Trigger, 'kind' | 'webhook'> }) {
  if (webhook?.form !== undefined) return <Icon name="people" label={m.startForms.form} />
  return <Icon name={startIcons[kind]} label={m.triggers[kind]} />
}

/** When a start is due, where it is called, or what it listens to. */
export function WhatStarts({ trigger }: { readonly trigger: Trigger }) {
  const { schedule, webhook, event, watch } = trigger
  const end = endOf(trigger)
  if (schedule !== null)
    return (
      <>
        <When schedule={schedule} />
        {schedule.nextAt !== null && (
          <>
            {' · '}
            {m.starts.next} <Time at={schedule.nextAt} kind="ago" />
          </>
        )}
      </>
    )
  if (webhook !== null) return <bdi className="mono">{webhook.url ?? m.starts.hidden}</bdi>
  if (watch !== null)
    return (
      <>
        {m.watches.sources[watch.settings.source]} <bdi className="mono">{placeOf(watch.settings)}</bdi>
      </>
    )
  if (end !== undefined)
    return (
      <>
        {m.ends.shown[end]} · {ofWorkflows(trigger)}
      </>
    )
  return event === null ? null : <bdi className="mono">{event.types.join(', ')}</bdi>
}

function When({ schedule }: { readonly schedule: NonNullable<Trigger['schedule']> }) {
  const { cron, every, rrule, at, after = '', timeZone } = schedule
  const words = scheduleWords(schedule, m.schedules)
  const written = cron ?? every ?? rrule ?? at
  if (words !== undefined) return <span title={written ?? after}>{capitalized(words)}</span>
  return (
    <>
      <bdi className="mono">{written ?? m.schedules.after(after)}</bdi> {timeZone}
    </>
  )
}

/** Where a watch looks. */
function placeOf(settings: NonNullable<Trigger['watch']>['settings']): string {
  switch (settings.source) {
    case 'feed':
      return settings.url
    case 'mailbox':
      return `${settings.connection} · ${settings.mailbox}`
    case 'rows':
      return `${settings.connection} · ${settings.table}.${settings.column}`
    case 'objects':
      return `${settings.connection} · ${settings.prefix}`
  }
}
