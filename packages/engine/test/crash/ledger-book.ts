import { numberOf } from './answers.ts'

/** One request for an effect, as it came. */
export interface EffectRequest {
  /** `effect` is done; `flaky-2` fails for the first two keys; `refuse` always fails. */
  readonly kind: string
  readonly label: string
  /** The execution that asks. */
  readonly executionId: string
  readonly key: string
  readonly atMs: number
}

export interface EffectAnswer {
  readonly status: number
  readonly body: { readonly add: number }
}

/** What is on the books of one key. */
export interface BookedEffect {
  readonly executionId: string
  readonly label: string
  readonly answer: EffectAnswer
  /** How often it was asked for; all but the first time it was only answered. */
  requests: number
  lastAtMs: number
}

/**
 * The books of a service of the outside world that does for one `Idempotency-Key` one thing, as payment services do: who asks again is
 * given the answer that is on the books.
 */
export interface LedgerBook {
  perform(request: EffectRequest): EffectAnswer
  readonly effects: ReadonlyMap<string, BookedEffect>
}

export function createLedgerBook(): LedgerBook {
  const effects = new Map<string, BookedEffect>()
  const tries = new Map<string, number>()

  function decide({ kind, label, executionId }: EffectRequest): EffectAnswer {
    const body = { add: numberOf(label) }
    if (kind === 'refuse') return { status: 404, body }
    const failures = Number(/^flaky-(\d+)$/.exec(kind)?.[1] ?? 0)
    if (failures === 0) return { status: 200, body }
    const name = `${executionId} ${label}`
    const seen = tries.get(name) ?? 0
    tries.set(name, seen + 1)
    return { status: seen < failures ? 503 : 200, body }
  }

  return {
    effects,
    perform(request) {
      const { key, executionId, label, atMs } = request
      const booked = effects.get(key)
      if (booked !== undefined) {
        booked.requests += 1
        booked.lastAtMs = atMs
        return booked.answer
      }
      const answer = decide(request)
      effects.set(key, { executionId, label, answer, requests: 1, lastAtMs: atMs })
      return answer
    },
  }
}
