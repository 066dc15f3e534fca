import type { Readable } from 'node:stream'
import { Fault, streamHeartbeatMs } from '@millrace/contract'
import { pause } from '@millrace/engine'
import { type EventStreams, eventText, heartbeatText, retryText, type StreamCaller } from '#platform/http/index.ts'
import type { Agents } from './agent-service.ts'
import { runView } from './views.ts'

export interface LiveStreamsDeps {
  readonly agents: Pick<Agents, 'changed'>
  readonly now: () => number
  readonly eventStreams: EventStreams
}

const everyMs = 500
const runsMax = 200
/** Changes are read again for so long, since transactions commit in another order than their times. */
const overlapMs = 5_000

/** Streams of all runs of accounts. Each event has the whole run, so that a repeated one does no harm. */
export function createLiveStreams({ agents, now, eventStreams }: LiveStreamsDeps) {
  async function* events(accountId: string, from: number | undefined, signal: AbortSignal): AsyncGenerator<string> {
    yield retryText
    const sent = new Map<string, string>()
    let since = from ?? now()
    let quietSince = now()
    while (!signal.aborted) {
      const readAt = now()
      const runs = await agents.changed(accountId, new Date(since - overlapMs), runsMax)
      for (const run of runs.toReversed()) {
        const text = eventText({ name: 'run', id: String(readAt), data: runView(run) })
        const known = text.slice(text.indexOf('\ndata: '))
        if (sent.get(run.row.id) === known) continue
        sent.set(run.row.id, known)
        quietSince = readAt
        yield text
      }
      for (const id of [...sent.keys()].slice(0, Math.max(0, sent.size - 2 * runsMax))) sent.delete(id)
      since = readAt
      if (now() - quietSince >= streamHeartbeatMs) {
        quietSince = now()
        yield heartbeatText
      }
      await pause(everyMs, signal)
    }
  }

  return {
    /** Faults: `request_invalid` for an id of no event, `too_many_streams`, `overloaded`. */
    open(caller: StreamCaller, lastEventId: string | undefined, seconds: number): Promise<Readable> {
      const from = positionOf(lastEventId)
      return eventStreams.open(caller, () => ({
        make: (signal) => events(caller.accountId, from, signal),
        durationMs: seconds * 1000,
      }))
    },
  }
}

function positionOf(lastEventId: string | undefined): number | undefined {
  if (lastEventId === undefined) return undefined
  if (/^\d{1,15}$/.test(lastEventId)) return Number(lastEventId)
  throw new Fault('request_invalid', {
    errors: [{ pointer: '/last-event-id', detail: 'This is not the `id` of an event of this stream.', in: 'header' }],
  })
}
