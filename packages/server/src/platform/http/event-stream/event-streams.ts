import type { Readable } from 'node:stream'
import { Fault } from '@millrace/contract'
import type { RequestContext } from '#platform/http/request/request-context.ts'
import { producedStream } from './produced-stream.ts'
import { streamProblem } from './stream-problem.ts'
import type { StreamTurns } from './stream-turn.ts'

export interface EventStreamsDeps {
  /** Aborts when the server closes: streams then end, and clients reconnect to another process. */
  readonly closing: AbortSignal
  readonly limits: EventStreamLimits
  readonly turns: StreamTurns
  readonly logError: (error: unknown, message: string) => void
}

export interface EventStreamLimits {
  /** Streams that may be open in this process at a time, of all accounts and of one. */
  readonly streamsMax: number
  readonly perAccountMax: number
  /** A stream ends after this time; its client reconnects. */
  readonly durationMs: number
  /** A client that reads nothing for so long is disconnected. */
  readonly stuckMs: number
  /** Time between two checks that the credential of a stream is still valid. */
  readonly recheckMs: number
}

export const eventStreamLimitsDefault: EventStreamLimits = {
  streamsMax: 1_000,
  perAccountMax: 100,
  durationMs: 15 * 60_000,
  stuckMs: 30_000,
  recheckMs: 2_500,
}

/** Who watches: the account, and whether the credential is still valid. */
export type StreamCaller = Pick<RequestContext, 'accountId' | 'credentialStands'>

export interface StreamSource {
  /** Makes the texts of the stream, until its end or until the signal aborts. */
  readonly make: (signal: AbortSignal) => AsyncGenerator<string>
  /** Called once, when the stream is closed. Its error is logged. */
  readonly onClose?: () => void | Promise<void>
  /** Shorter than that of the limits. */
  readonly durationMs?: number
}

export type EventStreams = ReturnType<typeof createEventStreams>

/** Opens every stream of server-sent events of this process, within limits, and ends those whose credential is revoked. */
export function createEventStreams({ closing, limits, turns, logError }: EventStreamsDeps) {
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

  function start({ accountId, credentialStands }: StreamCaller, source: StreamSource, release: () => void): Readable {
    const revoked = new AbortController()
    const recheck = setInterval(() => {
      // While the database cannot be reached, streams stay open: nothing new can be read either.
      void credentialStands().then(
        (stands) => stands || revoked.abort(),
        () => undefined,
      )
    }, limits.recheckMs)
    const durationMs = Math.min(source.durationMs ?? limits.durationMs, limits.durationMs)
    return producedStream(source.make, {
      over: AbortSignal.any([closing, revoked.signal, AbortSignal.timeout(durationMs)]),
      stuckMs: limits.stuckMs,
      turn: turns.of(accountId),
      onClose() {
        clearInterval(recheck)
        void close(source).catch((error: unknown) => logError(error, 'stream could not be closed'))
        release()
      },
    })
  }

  return {
    /** Streams open now in this process. */
    count: () => open,

    /** The data of the event `error`, with which a stream ends; logs what no caller causes. */
    problemOf: (error: unknown): object => streamProblem(error, logError),

    /** Opens a stream of what `prepare` returns, which may refuse. Faults: `too_many_streams`, `overloaded`, those of `prepare`. */
    async open(caller: StreamCaller, prepare: () => StreamSource | Promise<StreamSource>): Promise<Readable> {
      const release = acquireSlot(caller.accountId)
      try {
        return start(caller, await prepare(), release)
      } catch (error) {
        release()
        throw error
      }
    },
  }
}

async function close({ onClose }: StreamSource): Promise<void> {
  await onClose?.()
}
