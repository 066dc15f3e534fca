import { Readable } from 'node:stream'
import { Fault } from '@millrace/contract'
import { type StreamEventsDeps, streamEvents } from './stream-events.ts'
import type { StreamPosition } from './stream-position.ts'
import type { Watcher } from './watch.ts'

export interface StreamsDeps extends StreamEventsDeps {
  readonly watcher: Watcher
  /** Aborts when the server closes: streams then end, and clients go on elsewhere. */
  readonly closing: AbortSignal
  readonly limits: StreamLimits
}

export interface StreamLimits {
  /** Streams open at one time in this process, of all accounts and of one. */
  readonly streamsMax: number
  readonly perAccountMax: number
  /** A stream ends after this time; its client connects again, and its credential is looked at again. */
  readonly durationMs: number
  /** Whoever takes nothing off a stream for so long is disconnected. */
  readonly stuckMs: number
}

export const streamLimitsDefault: StreamLimits = { streamsMax: 1_000, perAccountMax: 50, durationMs: 15 * 60_000, stuckMs: 30_000 }

export type Streams = ReturnType<typeof createStreams>

/** So much of a stream is made ahead of what its client has taken. */
const aheadBytes = 16 * 1024

/** Streams of events of executions, no more than there is room for. */
export function createStreams(deps: StreamsDeps) {
  const { limits } = deps
  const perAccount = new Map<string, number>()
  let open = 0

  /** Takes a place; the function given back gives it back, once. */
  function enter(accountId: string): () => void {
    const own = perAccount.get(accountId) ?? 0
    if (own >= limits.perAccountMax) throw new Fault('too_many_streams', { retryAfterSeconds: 10 })
    if (open >= limits.streamsMax) throw new Fault('overloaded', { retryAfterSeconds: 10 })
    perAccount.set(accountId, own + 1)
    open += 1
    return () => {
      const left = (perAccount.get(accountId) ?? 1) - 1
      if (left === 0) perAccount.delete(accountId)
      else perAccount.set(accountId, left)
      open -= 1
    }
  }

  return {
    /** Streams open now in this process. */
    count: () => open,

    /** Faults: `not_found`, `too_many_streams`, `overloaded`. */
    async open(accountId: string, id: string, from: StreamPosition): Promise<Readable> {
      const leave = enter(accountId)
      try {
        const watch = await deps.watcher.open({ accountId, id })
        if (watch === undefined) throw new Fault('not_found', { detail: 'There is no such execution.' })
        const closed = new AbortController()
        const over = AbortSignal.any([deps.closing, closed.signal, AbortSignal.timeout(limits.durationMs)])
        const events = streamEvents(deps, { accountId, id }, from, watch, over)
        // Made as it is taken: what a client does not read is not there yet, and needs no memory.
        const stream = Readable.from(
          watched(events, limits.stuckMs, () => stream.destroy()),
          { objectMode: false, highWaterMark: aheadBytes },
        )
        stream.once('close', () => {
          closed.abort()
          watch.close()
          leave()
        })
        return stream
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}

/** Passes pieces on, and tells when nobody has asked for the next one in time. */
async function* watched(pieces: AsyncIterable<string>, stuckMs: number, onStuck: () => void): AsyncGenerator<string> {
  for await (const piece of pieces) {
    const timer = setTimeout(onStuck, stuckMs)
    try {
      yield piece
    } finally {
      clearTimeout(timer)
    }
  }
}
