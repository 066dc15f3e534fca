import { cronStartOf, type Definition } from '@millrace/dsl'

/** A line that says when the schedule of a definition starts it; empty without a cron expression. */
export function startNote(definition: Definition | undefined, nowMs: number): string {
  const start = definition === undefined ? undefined : cronStartOf(definition, nowMs)
  return start === undefined ? '' : `  starts by "${start.cron}" in ${start.timeZone}, next ${start.nextAt}\n`
}
