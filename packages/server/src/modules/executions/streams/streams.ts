import { Readable } from 'node:stream'
import { Fault } from '@millrace/contract'
import { type StreamEventsDeps, streamEvents } from './stream-events.ts'
import type { StreamPosition } from './stream-position.ts'
import { createStreamTurns, type StreamTurn } from './stream-turns.ts'
import type { Watcher } from './watcher.ts'

export interface StreamsDeps extends StreamEventsDeps {
  readonly watcher: Watcher
  /** Aborts when the server closes: streams then end, and clients reconnect to another process. */
  readonly closing: AbortSignal
  readonly limits: StreamLimits
}

export interface StreamLimits {
  /** Streams that may be open in this process at a time, of all accounts and of one. */
  readonly streamsMax: number
  readonly perAccountMax: number
  /** A stream ends after this time; its client reconnects, which checks its credential again. */
  readonly durationMs: number
  /** A client that reads nothing for so long is disconnected. */
  readonly stuckMs: number
}

export const streamLimitsDefault: StreamLimits = { streamsMax: 1_000, perAccountMax: 50, durationMs: 15 * 60_000, stuckMs: 30_000 }

export type Streams = ReturnType<typeof createStreams>

/** The bytes of a stream that are buffered for a client that has not read them. */
const bufferedBytesMax = 16 * 1024

/** Opens streams of the events of executions, within limits. */
export function createStreams(deps: StreamsDeps) {
  const { limits } = deps
  const turns = createStreamTurns(() => performance.now())
  const perAccount = new Map<string, number>()
  let open = 0

  /** Counts a new stream against the limits. @returns the function that releases the slot, to be called once. */
  function acquireSlot(accountId: string): () => void {
    const ownCount = perAccount.get(accountId) ?? 0
    if (ownCount >= limits.perAccountMax) throw new Fault('too_many_streams', { retryAfterSeconds: 10 })
    if (open >= limits.streamsMax) throw new Fault('overloaded', { retryAfterSeconds: 10 })
    perAccount.set(accountId, ownCount + 1)
    open += 1
    return () => {
      const remaining = (perAccount.get(accountId) ?? 1) - 1
      if (remaining === 0) perAccount.delete(accountId)
      else perAccount.set(accountId, remaining)
      open -= 1
    }
  }

  return {
    /** Streams open now in this process. */
    count: () => open,

    /** Faults: `not_found`, `too_many_streams`, `overloaded`. */
    async open(accountId: string, id: string, from: StreamPosition): Promise<Readable> {
      const release = acquireSlot(accountId)
      try {
        const watch = await deps.watcher.open({ accountId, id })
        if (watch === undefined) throw new Fault('not_found', { detail: 'There is no such execution.' })
        return readableOf((signal) => streamEvents(deps, { accountId, id }, from, watch, signal), {
          over: AbortSignal.any([deps.closing, AbortSignal.timeout(limits.durationMs)]),
          stuckMs: limits.stuckMs,
          turn: turns.of(accountId),
          onClose() {
            watch.close()
            release()
          },
        })
      } catch (error) {
        release()
        throw error
      }
    },
  }
}

interface ReadableOptions {
  /** Aborts when the stream is to end. */
  readonly over: AbortSignal
  readonly stuckMs: number
  readonly turn: StreamTurn
  readonly onClose: () => void
}

/**
 * A stream whose pieces are produced when they are read, so that a slow client needs no memory. Unlike `Readable.from`, it ends without
 * waiting for a piece in production.
 */
function readableOf(make: (signal: AbortSignal) => AsyncGenerator<string>, { over, stuckMs, turn, onClose }: ReadableOptions): Readable {
  const closed = new AbortController()
  const pieces = make(AbortSignal.any([over, closed.signal]))
  let pulling = false
  let producedBytes = 0
  let readBefore = 0

  async function pull(): Promise<void> {
    if (pulling) return
    pulling = true
    for (let more = true; more; ) {
      await turn.next()
      const { value, done } = await pieces.next()
      if (stream.destroyed) return
      if (done !== true) producedBytes += Buffer.byteLength(value)
      more = stream.push(done === true ? null : value) && done !== true
    }
    pulling = false
  }

  const stream = new Readable({
    highWaterMark: bufferedBytesMax,
    read: () => void pull().catch((error: unknown) => stream.destroy(error instanceof Error ? error : new Error(String(error)))),
    destroy(error, done) {
      clearInterval(stuckTimer)
      closed.abort()
      onClose()
      done(error)
    },
  })
  // A stuck stream is destroyed between one and two times `stuckMs` after the last byte was read.
  const stuckTimer = setInterval(() => {
    const read = producedBytes - stream.readableLength
    if (stream.readableLength > 0 && read === readBefore) stream.destroy()
    readBefore = read
  }, stuckMs)
  return stream
}
