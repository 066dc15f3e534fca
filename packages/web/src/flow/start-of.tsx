import { durationText } from '#src/flow/duration-text.ts'
import { m } from '#src/messages/messages.ts'
import { scheduleWords } from '#src/starts/schedule-words.ts'
import { Badge, triggerWord } from '#src/ui/badge.tsx'
import { ownOrder } from '#src/values/format.ts'

interface StartProps {
  readonly definition: unknown
  /** The starts that were added to it, in words. */
  readonly added?: readonly string[]
}

/** What starts a definition: a person or a program at any time, its own schedule, and the starts that were added. */
export function StartOf({ definition, added = [] }: StartProps) {
  return (
    <span className="row wrap t13">
      <b className="bb">{m.run.startsBy}</b>
      <Badge tone="line">{triggerWord('manual')}</Badge>
      {[...new Set([...scheduleTexts(definition), ...added])].map((text) => (
        <Badge key={text} tone="line">
          {text}
        </Badge>
      ))}
    </span>
  )
}

/** The times and events of `schedule`; nothing for what cannot be read yet. */
function scheduleTexts(definition: unknown): readonly string[] {
  const { schedule, document } = Object(definition)
  const { timeZone }: Readonly<Record<string, unknown>> = Object(Object(document).metadata)
  const { every, cron, after, on }: Readonly<Record<string, unknown>> = Object(schedule)
  const zone = typeof timeZone === 'string' ? timeZone : 'UTC'
  return [
    ...(every === undefined ? [] : [scheduleWords({ every }, m.schedules) ?? m.schedules.every(durationText(every))]),
    ...(typeof cron === 'string' ? [scheduleWords({ cron, timeZone: zone }, m.schedules) ?? ownOrder(`${cron} ${zone}`)] : []),
    ...(after === undefined ? [] : [scheduleWords({ after }, m.schedules) ?? m.schedules.after(durationText(after))]),
    ...(on === undefined ? [] : [m.triggers.event]),
  ]
}
