import { Readable } from 'node:stream'
import { Fault } from '@millrace/contract'
import { pause } from '@millrace/engine'
import type { Agents } from './agent-service.ts'
import { runView } from './views.ts'

export interface LiveStreamsDeps {
  readonly agents: Pick<Agents, 'changed'>
  readonly now: () => number
  /** Aborts when the server closes. */
  readonly closing: AbortSignal
}

const perAccountMax = 20
const everyMs = 500
const heartbeatMs = 15_000
const runsMax = 200
/** Changes are read again for so long, since transactions commit in another order than their times. */
const overlapMs = 5_000

/** Streams of all runs of accounts. Each event has the whole run, so that a repeated one does no harm. */
export function createLiveStreams({ agents, now, closing }: LiveStreamsDeps) {
  const open = new Map<string, number>()

  async function* events(accountId: string, from: number | undefined, signal: AbortSignal): AsyncGenerator<string> {
    yield 'retry: 1000\n\n'
    const sent = new Map<string, string>()
    let since = from ?? now()
    let quietSince = now()
    while (!signal.aborted) {
      const readAt = now()
      const runs = await agents.changed(accountId, new Date(since - overlapMs), runsMax)
      for (const run of runs.toReversed()) {
        const data = JSON.stringify(runView(run))
        if (sent.get(run.row.id) === data) continue
        sent.set(run.row.id, data)
        quietSince = readAt
        yield `event: run\nid: ${readAt}\ndata: ${data}\n\n`
      }
      for (const id of [...sent.keys()].slice(0, Math.max(0, sent.size - 2 * runsMax))) sent.delete(id)
      since = readAt
      if (now() - quietSince >= heartbeatMs) {
        quietSince = now()
        yield ': still there\n\n'
      }
      await pause(everyMs, signal)
    }
  }

  return {
    /** Faults: `request_invalid` for an id of no event, `too_many_streams`. */
    open(accountId: string, lastEventId: string | undefined, seconds: number): Readable {
      const from = positionOf(lastEventId)
      const count = open.get(accountId) ?? 0
      if (count >= perAccountMax) throw new Fault('too_many_streams', { retryAfterSeconds: 10 })
      open.set(accountId, count + 1)
      const closed = new AbortController()
      const signal = AbortSignal.any([closing, closed.signal, AbortSignal.timeout(seconds * 1000)])
      const stream = Readable.from(events(accountId, from, signal), { objectMode: false, highWaterMark: 16 * 1024 })
      stream.once('close', () => {
        closed.abort()
        const left = (open.get(accountId) ?? 1) - 1
        if (left === 0) open.delete(accountId)
        else open.set(accountId, left)
      })
      return stream
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
