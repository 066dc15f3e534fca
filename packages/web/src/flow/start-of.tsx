import { durationText } from '#src/flow/duration-text.ts'
import { m } from '#src/messages/messages.ts'
import { Badge, triggerWord } from '#src/ui/badge.tsx'

/** What starts a definition: a person or a program at any time, and its own schedule. */
export function StartOf({ definition }: { readonly definition: unknown }) {
  return (
    <span className="row wrap t13">
      <b className="bb">{m.run.startsBy}</b>
      <Badge tone="line">{triggerWord('manual')}</Badge>
      {scheduleTexts(definition).map((text) => (
        <Badge key={text} tone="line">
          {text}
        </Badge>
      ))}
    </span>
  )
}

/** The times and events of `schedule`, which runs in UTC; nothing for what cannot be read yet. */
function scheduleTexts(definition: unknown): readonly string[] {
  const { schedule } = Object(definition)
  const { every, cron, after, on }: Readonly<Record<string, unknown>> = Object(schedule)
  return [
    ...(every === undefined ? [] : [m.run.startsEvery(durationText(every))]),
    ...(typeof cron === 'string' ? [`${cron} UTC`] : []),
    ...(after === undefined ? [] : [m.run.startsAfter(durationText(after))]),
    ...(on === undefined ? [] : [m.triggers.event]),
  ]
}
