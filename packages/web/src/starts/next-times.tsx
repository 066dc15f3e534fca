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
  const preview = usePreview(schedule, count)
  if (preview.isError) {
    const { parts, detail } = wordsOf(preview.error)
    // What is wrong with the zone is shown below the zone.
    return parts.some(isOfZone) ? null : <span className="c-bad">{parts[0]?.detail ?? detail}</span>
  }
  const times = preview.data?.times ?? []
  if (preview.isSuccess && times.length === 0) return <span>{m.starting.neverDue}</span>
  const [first, second] = times
  const isOften = first !== undefined && second !== undefined && Date.parse(second.utc) - Date.parse(first.utc) < 60_000
  const seconds = times.some(({ local }) => local.slice(17, 19) !== '00')
  return (
    <span className="next-times">
      {times.map(({ utc, local }) => (
        <bdi key={utc} title={exactTime(utc)}>
          {wallTime(local, seconds)}
        </bdi>
      ))}
      {isOften && <span className="c-wait">{m.starting.often}</span>}
    </span>
  )
}

/** What is wrong with the time zone of a schedule. */
export function ZoneProblem({ schedule }: { readonly schedule: Schedule }) {
  const { error } = usePreview(schedule, shownTimes)
  const part = error === null ? undefined : wordsOf(error).parts.find(isOfZone)
  return part === undefined ? null : <span className="c-bad">{part.detail}</span>
}

const isOfZone = ({ pointer }: { readonly pointer: string }) => pointer.endsWith('/timeZone')

function usePreview(schedule: Schedule, count: number) {
  const rested = useRested(schedule)
  return useQuery({
    queryKey: ['schedule.preview', rested, count],
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: () => api.triggers.previewSchedule({ body: { schedule: rested, count } }),
  })
}
