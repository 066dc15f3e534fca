import '#src/styles/pages.css'
import '#src/styles/flow.css'
import '#src/styles/building.css'
import '#src/styles/run.css'
import '#src/styles/trust.css'
import '#src/styles/assist.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { queryClient } from '#src/api/query-client.ts'
import { Frame } from '#src/app/frame.tsx'
import { type Session, useSession } from '#src/session/session.ts'
import { showTimesIn } from '#src/values/format.ts'

const showTimesOf = ({ me }: Session) => showTimesIn(me?.zone ?? undefined)
showTimesOf(useSession.getState())
useSession.subscribe(showTimesOf)

/** The frame of the pages of a session, with what they read from the server. */
export function Framed() {
  return (
    <QueryClientProvider client={queryClient}>
      <Frame />
    </QueryClientProvider>
  )
}
