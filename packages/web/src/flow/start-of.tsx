import { durationText } from '#src/flow/duration-text.ts'
import { m } from '#src/messages/messages.ts'
import { Badge, triggerWord } from '#src/ui/badge.tsx'

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
  return [
    ...(every === undefined ? [] : [m.run.startsEvery(durationText(every))]),
    ...(typeof cron === 'string' ? [`${cron} ${typeof timeZone === 'string' ? timeZone : 'UTC'}`] : []),
    ...(after === undefined ? [] : [m.run.startsAfter(durationText(after))]),
    ...(on === undefined ? [] : [m.triggers.event]),
  ]
}
