import * as z from 'zod'

/** A point in time: RFC 3339 in UTC. */
export const Timestamp = z.iso.datetime({ error: 'Must be a time in RFC 3339 and UTC, such as 2026-01-31T09:30:00Z.' })

/** A length of time: ISO 8601, without years and months, whose length is not fixed. */
export const Duration = z
  .string()
  .max(64)
  .regex(/^P(?=.)(?:\d+W|(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d{1,3})?S)?)?)$/, {
    error: 'Must be an ISO 8601 duration, such as PT15M or P1D.',
  })
  .meta({ format: 'duration', examples: ['PT1H'] })
