import { durationMs } from '#src/duration.ts'

/** A workflow that starts more often keeps an installation busy with nothing but starting it. */
export const intervalMsMin = 1000

/** What is said of a shorter one. */
export const shortInterval = {
  code: 'invalid_value',
  message: 'A workflow can be started once a second at most.',
  hint: 'Write a duration of one second or more, for example PT1M.',
} as const

/** What is wrong with a duration in parts; parts that are none are reported one by one. */
export function intervalRule(parts: object): typeof shortInterval | undefined {
  const milliseconds = durationMs(parts)
  return milliseconds !== undefined && milliseconds < intervalMsMin ? shortInterval : undefined
}
