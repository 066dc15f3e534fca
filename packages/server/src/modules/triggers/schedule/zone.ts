import { Temporal } from 'temporal-polyfill'

/** A time during which a zone has one offset. Times are milliseconds since the epoch. */
export interface Segment {
  /** The first instant. */
  readonly from: number
  /** The first instant after it; infinite for the last one. */
  readonly to: number
  /** Local time minus UTC. */
  readonly offsetMs: number
  /** The offset before `from`; undefined for the first segment that was read. */
  readonly offsetMsBefore: number | undefined
}

const zonesMax = 600
const cache = new Map<string, Segment[]>()

/** The segment that contains an instant. Each is read once for a zone, then cached. */
export function segmentAt(zone: string, instant: number): Segment {
  const known = cache.get(zone) ?? remember(zone)
  const found = known.find(({ from, to }) => from <= instant && instant < to)
  if (found !== undefined) return found
  const segment = readSegment(zone, instant)
  known.push(segment)
  return segment
}

/** An instant in local time with its offset, such as `2026-03-29T03:00:00+02:00`. */
export function localText(zone: string, instant: number): string {
  const { offsetMs } = segmentAt(zone, instant)
  const minutes = Math.abs(Math.round(offsetMs / 60_000))
  const two = (value: number) => String(value).padStart(2, '0')
  const offset = `${offsetMs < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
  return `${new Date(instant + offsetMs).toISOString().replace(/(?:\.000)?Z$/, '')}${offset}`
}

function remember(zone: string): Segment[] {
  const oldest = cache.size >= zonesMax ? cache.keys().next().value : undefined
  if (oldest !== undefined) cache.delete(oldest)
  const segments: Segment[] = []
  cache.set(zone, segments)
  return segments
}

function readSegment(zone: string, instant: number): Segment {
  // `previous` is exclusive, so that it finds a transition at the instant itself only from a millisecond later.
  const at = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone)
  const start = at.add({ milliseconds: 1 }).getTimeZoneTransition('previous')
  const end = at.getTimeZoneTransition('next')
  const before = start === null ? undefined : start.subtract({ milliseconds: 1 })
  return {
    from: start?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    to: end?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMs: offsetOf(at),
    offsetMsBefore: before === undefined ? undefined : offsetOf(before),
  }
}

function offsetOf({ offsetNanoseconds }: Temporal.ZonedDateTime): number {
  return Math.trunc(offsetNanoseconds / 1e6)
}
