import { effectResult } from './outside-values.ts'

/** One request for an effect. */
export interface EffectRequest {
  /** `effect` succeeds, `flaky-2` fails for the first two keys, `refuse` always fails. */
  readonly kind: string
  readonly label: string
  /** The requesting execution. */
  readonly executionId: string
  readonly key: string
  readonly atMs: number
}

export interface EffectAnswer {
  readonly status: number
  readonly body: { readonly add: number }
}

/** The record of one key. */
export interface BookedEffect {
  readonly executionId: string
  readonly label: string
  readonly answer: EffectAnswer
  /** Number of requests; all but the first returned the recorded result. */
  requests: number
  lastAtMs: number
}

/**
 * The records of an outside service that performs each `Idempotency-Key` once, as payment services do: a repeated request gets the
 * recorded result.
 */
export interface LedgerBook {
  perform(request: EffectRequest): EffectAnswer
  readonly effects: ReadonlyMap<string, BookedEffect>
}

export function createLedgerBook(): LedgerBook {
  const effects = new Map<string, BookedEffect>()
  const tries = new Map<string, number>()

  function decide({ kind, label, executionId }: EffectRequest): EffectAnswer {
    const body = { add: effectResult(label) }
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
