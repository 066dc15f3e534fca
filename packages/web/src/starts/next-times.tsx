import type { groups, Sent } from '@millrace/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { wordsOf } from '#src/ui/problem.tsx'
import { exactTime, wallTime } from '#src/values/format.ts'
import { useRested } from '#src/values/use-rested.ts'
import { nextClockChange } from '#src/values/zone-clock.ts'

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
      {preview.data !== undefined && isRare(times) && (
        <ClockChanges key={preview.data.timeZone} schedule={schedule} zone={preview.data.timeZone} usual={times} />
      )}
    </span>
  )
}

interface ClockChangesProps {
  readonly schedule: Schedule
  readonly zone: string
  /** Its next times. */
  readonly usual: readonly { readonly local: string }[]
}

/** What a schedule by the clock does on the next two days on which the clocks are put forward or back, if it is another time than usual. */
function ClockChanges({ schedule, zone, usual }: ClockChangesProps) {
  const [changes] = useState(() => {
    const first = nextClockChange(zone, Date.now())
    const second = first === undefined ? undefined : nextClockChange(zone, first)
    return [first, second].filter((at) => at !== undefined)
  })
  const clocks = new Set(usual.map(clockOf))
  return changes.map((at) => <ClockChange key={at} schedule={schedule} at={at} usual={clocks} />)
}

const clockOf = ({ local }: { readonly local: string }): string => local.slice(11, 19)

interface ClockChangeProps extends Pick<ClockChangesProps, 'schedule'> {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** What the clocks show at its other times. */
  readonly usual: ReadonlySet<string>
}

function ClockChange({ schedule, at, usual }: ClockChangeProps) {
  const rested = useRested(schedule)
  const after = new Date(at - 36 * hourMs).toISOString()
  const { data } = useQuery({
    queryKey: ['schedule.preview', rested, after],
    enabled: isWhole(rested),
    retry: false,
    queryFn: () => api.triggers.previewSchedule({ body: { schedule: rested, count: 4, after } }),
  })
  const around = data?.times.filter(({ utc }) => Date.parse(utc) < at + 36 * hourMs) ?? []
  const shown = new Set(around.map(({ local }) => local.slice(0, 19)))
  if (around.every((time) => usual.has(clockOf(time))) && shown.size === around.length) return null
  return (
    <span className="c-wait">
      {m.starting.clocksChange} {around.map(({ local }) => wallTime(local, false)).join(' · ')}
    </span>
  )
}

const hourMs = 3_600_000

/** Whether a schedule has a time of the day rather than a distance: it is due twice a day at most. */
function isRare(times: readonly { readonly utc: string }[]): boolean {
  const [first, second] = times
  return first !== undefined && (second === undefined || Date.parse(second.utc) - Date.parse(first.utc) > 11 * hourMs)
}

/** What is wrong with the time zone of a schedule. */
export function ZoneProblem({ schedule }: { readonly schedule: Schedule }) {
  const { error } = usePreview(schedule, shownTimes)
  const part = error === null ? undefined : wordsOf(error).parts.find(isOfZone)
  return part === undefined ? null : <span className="c-bad">{part.detail}</span>
}

/** Whether the fields make a schedule: without a day or a time they make no expression. */
const isWhole = ({ cron, start, at }: Schedule): boolean => [cron, start, at].every((text) => text !== '')

const isOfZone = ({ pointer }: { readonly pointer: string }) => pointer.endsWith('/timeZone')

function usePreview(schedule: Schedule, count: number) {
  const rested = useRested(schedule)
  return useQuery({
    queryKey: ['schedule.preview', rested, count],
    enabled: isWhole(rested),
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: () => api.triggers.previewSchedule({ body: { schedule: rested, count } }),
  })
}
