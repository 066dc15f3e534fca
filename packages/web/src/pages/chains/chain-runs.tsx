import { m } from '#src/messages/messages.ts'
import type { Chain } from '#src/pages/chains/member.ts'
import { Rows } from '#src/patterns/list-page.tsx'
import { StateMark, triggerWord } from '#src/ui/badge.tsx'
import { Empty } from '#src/ui/empty.tsx'
import { Time } from '#src/ui/time.tsx'
import { duration } from '#src/values/format.ts'

/** The last runs of a chain. */
export function ChainRuns({ runs }: { readonly runs: Chain['runs'] }) {
  if (runs.length === 0) return <Empty title={m.runs.emptyTitle} text={m.chains.noRuns} />
  return (
    <Rows
      rows={runs}
      spec={{
        title: m.editor.runs,
        id: ({ executionId }) => executionId,
        href: ({ executionId }) => `/runs/${executionId}`,
        columns: [
          { head: m.runs.state, phone: 'main', cell: ({ state }) => <StateMark state={state} /> },
          { head: m.runs.startedBy, phone: 'below', cell: ({ trigger }) => <span className="i2">{triggerWord(trigger)}</span> },
          { head: m.runs.started, end: true, phone: 'side', cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            head: m.runs.took,
            end: true,
            phone: 'below-side',
            cell: ({ createdAt, endedAt }) => (
              <span className="num">{endedAt === null ? '' : duration(Date.parse(endedAt) - Date.parse(createdAt))}</span>
            ),
          },
        ],
      }}
    />
  )
}
