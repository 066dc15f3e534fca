import { durationMs } from '#src/duration.ts'

/** The shortest interval: a workflow that starts more often would keep an installation busy with starts alone. */
export const intervalMsMin = 1000

/** The problem of a shorter interval. */
export const shortInterval = {
  code: 'invalid_value',
  message: 'A workflow can be started once a second at most.',
  hint: 'Write a duration of one second or more, for example PT1M.',
} as const

/** The problem of an interval given by its parts; invalid parts are reported one by one. */
export function intervalRule(parts: object): typeof shortInterval | undefined {
  const milliseconds = durationMs(parts)
  return milliseconds !== undefined && milliseconds < intervalMsMin ? shortInterval : undefined
}
