import { useEffect, useState, useSyncExternalStore } from 'react'
import { useLostStreams } from '#src/api/lost-streams.ts'
import { isServerHere } from '#src/api/query-client.ts'
import { UnverifiedStrip } from '#src/app/unverified-strip.tsx'
import { m } from '#src/messages/messages.ts'
import { useRateWait } from '#src/session/fetch-within-rate.ts'

/** What concerns every page: no connection to the server, or an address that is not confirmed. */
export function Strips() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  const rateWait = useRateWait(({ untilMs }) => untilMs)
  const isLost = useLostStreams(({ lost }) => lost > 0)
  if (isLost && (online || isServerHere))
    return (
      <p className="notice-strip quiet" role="status">
        {m.problems.lost}
      </p>
    )
  if (rateWait > 0) return <RateStrip untilMs={rateWait} />
  if (online || isServerHere) return <UnverifiedStrip />
  return (
    <p className="notice-strip" role="status">
      {m.problems.offline}
    </p>
  )
}

/** Says once that the page waits, and shows how long; the seconds are not announced one by one. */
function RateStrip({ untilMs }: { readonly untilMs: number }) {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  return (
    <p className="notice-strip quiet" role="status">
      <span className="vh">{m.problems.waitsBriefly}</span>
      <span aria-hidden="true">{m.problems.waits(Math.max(1, Math.ceil((untilMs - nowMs) / 1000)))}</span>
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
