import { Temporal } from 'temporal-polyfill'
import type { LocalTimes } from './read-form.ts'

/** Times that people fill in, of a zone. A time that a gap skips is that after the gap, one that an overlap repeats its first occurrence. */
export function localTimes(zone: string, nowMs: number): LocalTimes {
  const written = (time: Temporal.ZonedDateTime) => time.toString({ timeZoneName: 'never', fractionalSecondDigits: 0 })
  return {
    instant: (text) =>
      hasOffset(text)
        ? text
        : /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/.test(text)
          ? orUndefined(() => written(Temporal.PlainDateTime.from(text, { overflow: 'reject' }).toZonedDateTime(zone)))
          : undefined,
    time: (text) =>
      hasOffset(text)
        ? text
        : /^\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/.test(text)
          ? orUndefined(() => {
              const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone).toPlainDate()
              return written(
                today.toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from(text, { overflow: 'reject' }) }),
              ).slice(11)
            })
          : undefined,
  }
}

/** Such as a program writes it; the validator judges the rest. */
const hasOffset = (text: string) => /\d\d:\d\d\S*(?:Z|[+-]\d\d:\d\d)$/i.test(text)

function orUndefined(make: () => string): string | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
