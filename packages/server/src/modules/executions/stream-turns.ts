import { createFairQueue } from '@millrace/engine'

/** The turns of one stream. */
export interface StreamTurn {
  /** Resolves when the stream may make its next piece. */
  next(): Promise<void>
}

export interface StreamTurns {
  of(accountId: string): StreamTurn
}

/** So long a stream works at a stretch, before everything else of the process gets its turn. */
const stretchMs = 5

/**
 * Lets streams work in short stretches, one stream in each round of the event loop. Where more have something to do, their accounts take turns, so that one with
 * many streams slows down its own streams alone.
 * @param elapsed milliseconds of a clock that only goes forward.
 */
export function createStreamTurns(elapsed: () => number): StreamTurns {
  const waiting = createFairQueue<() => void>()
  /** The stream whose round this is. */
  let current: StreamTurn | undefined
  let began = 0

  function begin(turn: StreamTurn): void {
    current = turn
    began = elapsed()
    setImmediate(() => {
      current = undefined
      waiting.take()?.()
    })
  }

  return {
    of(accountId) {
      const turn: StreamTurn = {
        next() {
          if (current === undefined) begin(turn)
          if (current === turn && elapsed() - began < stretchMs) return Promise.resolve()
          const { promise, resolve } = Promise.withResolvers<void>()
          waiting.add(accountId, () => {
            begin(turn)
            resolve()
          })
          return promise
        },
      }
      return turn
    },
  }
}
