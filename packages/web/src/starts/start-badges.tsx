import { m } from '#src/messages/messages.ts'
import type { Trigger } from '#src/starts/what-starts.tsx'
import { Badge } from '#src/ui/badge.tsx'

/** Whether a start is paused, and whether the definition made it. */
export function StartBadges({ trigger: { enabled, pausedReason, origin } }: { readonly trigger: Trigger }) {
  return (
    <>
      {!enabled && <Badge tone={pausedReason === null ? 'off' : 'bad'}>{pausedReason ?? m.starts.paused}</Badge>}
      {origin === 'definition' && <Badge tone="line">{m.starts.fromDefinition}</Badge>}
    </>
  )
}
