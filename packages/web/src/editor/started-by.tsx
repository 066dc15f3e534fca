import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { StartOf } from '#src/flow/start-of.tsx'
import { m } from '#src/messages/messages.ts'
import { useMay } from '#src/session/use-may.ts'
import { scheduleWords } from '#src/starts/schedule-words.ts'
import type { Trigger } from '#src/starts/what-starts.tsx'
import { triggerWord } from '#src/ui/badge.tsx'
import { ownOrder } from '#src/values/format.ts'

/** What starts a workflow: its definition, and the starts that were added to it. */
export function StartedBy({ workflow, definition }: { readonly workflow: string; readonly definition: unknown }) {
  const { data } = useQuery({
    queryKey: ['starts', workflow],
    enabled: useMay('triggers:read'),
    queryFn: () => api.triggers.ofWorkflow({ params: { workflowId: workflow }, query: { limit: 100 } }),
  })
  const added = (data?.data ?? []).filter(({ enabled, origin }) => enabled && origin === 'user')
  return <StartOf definition={definition} added={[...new Set(added.map(textOf))]} />
}

function textOf({ kind, schedule }: Trigger): string {
  if (schedule === null) return triggerWord(kind)
  const { cron, every, rrule, at, timeZone } = schedule
  const time = cron ?? every ?? rrule ?? at
  return scheduleWords(schedule, m.schedules) ?? (time === undefined ? triggerWord(kind) : ownOrder(`${time} ${timeZone}`))
}
