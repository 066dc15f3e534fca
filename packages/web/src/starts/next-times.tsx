import type { groups, Sent } from '@millrace/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { wordsOf } from '#src/ui/problem.tsx'
import { exactTime, wallTime } from '#src/values/format.ts'
import { useRested } from '#src/values/use-rested.ts'

export type Schedule = Sent<(typeof groups)['triggers']['previewSchedule']>['body']['schedule']

const shownTimes = 5

/** The next times of a schedule, as the server computes them: in its zone, and in that of the reader on request. */
export function NextTimes({ schedule, count = shownTimes }: { readonly schedule: Schedule; readonly count?: number }) {
  const rested = useRested(schedule)
  const preview = useQuery({
    queryKey: ['schedule.preview', rested, count],
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: () => api.triggers.previewSchedule({ body: { schedule: rested, count } }),
  })
  if (preview.isError) return <span className="c-bad">{wordsOf(preview.error).parts[0]?.detail ?? wordsOf(preview.error).detail}</span>
  const times = preview.data?.times ?? []
  if (preview.isSuccess && times.length === 0) return <span>{m.starting.neverDue}</span>
  return (
    <span className="next-times">
      {times.map(({ utc, local }) => (
        <bdi key={utc} title={exactTime(utc)}>
          {wallTime(local)}
        </bdi>
      ))}
    </span>
  )
}
