import { segmentAt } from './zone.ts'

/** Times of a clock on a wall, which knows no zone: milliseconds since the epoch as if local time were UTC. */
export interface WallTimes {
  /** The first time after `local`; undefined when there is no further one. */
  next(local: number): number | undefined
  /** Whether the times occur in every hour. Only such times occur twice when an hour is repeated. */
  readonly isHourly: boolean
}

/** A search passes few transitions, because it jumps to the time that the clock shows next. */
const segmentsMax = 50
/** More than two offsets of a zone can differ. */
const offsetsMs = 2 * 24 * 60 * 60 * 1000

/**
 * The first instant after `after` at which a clock in the zone shows one of the times.
 *
 * The policy for daylight saving, the same for every kind of schedule: times that a gap skips are due once, at its end. A time that an
 * overlap repeats is due at its first occurrence only, unless the schedule is due in every hour; then both hours have their times.
 */
export function nextInZone(times: WallTimes, zone: string, after: number): number | undefined {
  let cursor = after
  for (let count = 0; count < segmentsMax; count++) {
    const segment = segmentAt(zone, cursor)
    const local = times.next(firstLocal(times, segment, cursor))
    const instant = local === undefined ? undefined : local - segment.offsetMs
    if (instant !== undefined && instant < segment.to) return instant
    if (segment.to === Number.POSITIVE_INFINITY) return undefined
    if (skipsOne(times, segment, segmentAt(zone, segment.to))) return segment.to
    if (local === undefined && times.next(cursor - offsetsMs) === undefined) return undefined
    cursor = Math.max(segment.to, (instant ?? 0) - offsetsMs)
    // The first instant of a segment is a candidate, too.
    if (cursor === segment.to) {
      const first = firstOfSegment(times, segmentAt(zone, cursor))
      if (first) return cursor
    }
  }
  return undefined
}

/** Whether one of the times is due at the first instant of a segment. */
function firstOfSegment(times: WallTimes, segment: Segment): boolean {
  return times.next(firstLocal(times, segment, segment.from - 1)) === segment.from + segment.offsetMs
}

/** The local time after which the times of a segment are searched. */
function firstLocal({ isHourly }: WallTimes, { from, offsetMs, offsetMsBefore }: Segment, cursor: number): number {
  const local = cursor + offsetMs
  if (isHourly || offsetMsBefore === undefined || offsetMsBefore <= offsetMs) return local
  // The local times before this one occurred already, before the clocks were set back.
  return Math.max(local, from + offsetMsBefore - 1)
}

type Segment = ReturnType<typeof segmentAt>

/** Whether the gap between two segments skips at least one of the times. */
function skipsOne(times: WallTimes, { to, offsetMs }: Segment, following: Segment): boolean {
  if (following.offsetMs <= offsetMs) return false
  const skipped = times.next(to + offsetMs - 1)
  return skipped !== undefined && skipped < to + following.offsetMs
}
