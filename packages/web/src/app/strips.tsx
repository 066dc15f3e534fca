import { useSyncExternalStore } from 'react'
import { useLostStreams } from '#src/api/lost-streams.ts'
import { isServerHere } from '#src/api/query-client.ts'
import { UnverifiedStrip } from '#src/app/unverified-strip.tsx'
import { m } from '#src/messages/messages.ts'

/** What concerns every page: no connection to the server, or an address that is not confirmed. */
export function Strips() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  const isLost = useLostStreams(({ lost }) => lost > 0)
  if (isLost && (online || isServerHere))
    return (
      <p className="notice-strip quiet" role="status">
        {m.problems.lost}
      </p>
    )
  if (online || isServerHere) return <UnverifiedStrip />
  return (
    <p className="notice-strip" role="status">
      {m.problems.offline}
    </p>
  )
}

function subscribe(changed: () => void): () => void {
  window.addEventListener('online', changed)
  window.addEventListener('offline', changed)
  return () => {
    window.removeEventListener('online', changed)
    window.removeEventListener('offline', changed)
  }
}
