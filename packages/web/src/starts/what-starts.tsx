import type { groups, Reply } from '@millrace/contract'
import { m } from '#src/messages/messages.ts'
import { Time } from '#src/ui/time.tsx'

export type Trigger = Reply<(typeof groups)['triggers']['ofWorkflow']>['data'][number]

export const startIcons = { schedule: 'clock', webhook: 'hook', event: 'event', manual: 'hand' } as const

/** When a start is due, where it is called, or what it listens to. */
export function WhatStarts({ trigger: { schedule, webhook, event } }: { readonly trigger: Trigger }) {
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
