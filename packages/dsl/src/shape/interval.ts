import { durationMs } from '#src/duration.ts'

/** The shortest interval: a workflow that starts more often would keep an installation busy with starts alone. */
const intervalMsMin = 1000
/** A hundred years: a longer one leads to times that no calendar has. */
const intervalMsMax = 36_500 * 24 * 60 * 60 * 1000

const shortInterval = {
  code: 'invalid_value',
  message: 'A workflow can be started once a second at most.',
  hint: 'Write a duration of one second or more, for example PT1M.',
} as const

const longInterval = {
  code: 'invalid_value',
  message: 'An interval has 36,500 days at most.',
  hint: 'Write a shorter duration, for example P365D.',
} as const

/** The problem of an interval that is too short or too long. */
export function intervalProblem(milliseconds: number): typeof shortInterval | typeof longInterval | undefined {
  if (milliseconds < intervalMsMin) return shortInterval
  return milliseconds > intervalMsMax ? longInterval : undefined
}

/** The same for an interval given by its parts; invalid parts are reported one by one. */
export function intervalRule(parts: object): ReturnType<typeof intervalProblem> {
  const milliseconds = durationMs(parts)
  return milliseconds === undefined ? undefined : intervalProblem(milliseconds)
}
