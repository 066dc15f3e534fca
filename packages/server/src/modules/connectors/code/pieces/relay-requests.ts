import { NetError } from '#platform/net/net-error.ts'
import type { PieceRequest, ToPiece } from './messages.ts'

/** Sends a request of a piece. */
export type PieceRequester = (
  request: PieceRequest,
  signal: AbortSignal,
) => Promise<Omit<Extract<ToPiece, { kind: 'response' }>, 'kind' | 'id'>>

export interface RelayDeps {
  readonly request: PieceRequester
  /** Aborts when the action has ended. */
  readonly signal: AbortSignal
  readonly answer: (message: ToPiece) => void
  /** A request that cannot be made ends the action: clients in pieces would repeat it for minutes. */
  readonly deny: (because: NetError) => void
  readonly fail: (message: string) => void
}

/** Of one action. */
const requestsMax = 1_000
const atOnceMax = 8
const mebibyte = 1024 * 1024
/** Of the bodies of all requests and replies of one action: they are in the memory of this process. */
const bytesMax = 64 * mebibyte

/** Makes the requests of one action, a few at a time in the order in which they come. */
export function createRelay({ request, signal, answer, deny, fail }: RelayDeps): (id: number, asked: PieceRequest) => void {
  const waiting: (readonly [id: number, asked: PieceRequest])[] = []
  let [requests, atOnce, bytes] = [0, 0, 0]

  /** @returns false if that ends the action. */
  function fits({ length }: Uint8Array): boolean {
    bytes += length
    if (bytes <= bytesMax) return true
    fail(`The requests of the action and their replies have more than ${bytesMax / mebibyte} MiB.`)
    return false
  }

  async function relay(id: number, asked: PieceRequest): Promise<void> {
    try {
      const reply = await request(asked, signal)
      if (fits(reply.body)) answer({ kind: 'response', id, ...reply })
    } catch (error) {
      if (error instanceof NetError) deny(error)
      else answer({ kind: 'refused', id, message: error instanceof Error ? error.message : String(error) })
    }
  }

  function startNext(): void {
    const next = atOnce < atOnceMax && !signal.aborted ? waiting.shift() : undefined
    if (next === undefined) return
    atOnce += 1
    void relay(...next).finally(() => {
      atOnce -= 1
      startNext()
    })
  }

  return (id, asked) => {
    requests += 1
    if (requests > requestsMax) return fail(`The action makes more than ${requestsMax} requests.`)
    if (!fits(asked.body)) return
    waiting.push([id, asked])
    startNext()
  }
}
