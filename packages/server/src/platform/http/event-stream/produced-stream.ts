import { Readable } from 'node:stream'
import type { StreamTurn } from './stream-turn.ts'

/** The bytes of a stream that are buffered for a client that has not read them. */
const bufferedBytesMax = 16 * 1024

export interface ProducedStreamOptions {
  /** Aborts when the stream is to end. */
  readonly over: AbortSignal
  /** A client that reads nothing for so long is disconnected. */
  readonly stuckMs: number
  readonly turn: StreamTurn
  readonly onClose: () => void
}

/**
 * A stream whose pieces are produced when they are read, so that a slow client needs no memory. Unlike `Readable.from`, it ends without
 * waiting for a piece in production.
 */
export function producedStream(
  make: (signal: AbortSignal) => AsyncGenerator<string>,
  { over, stuckMs, turn, onClose }: ProducedStreamOptions,
): Readable {
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
