import { createLoop } from '@millrace/engine'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { toTypeId } from '#platform/ids.ts'
import { type ClaimedDelivery, claimDueDeliveries, releaseClaim } from './delivery-claims.ts'
import { type AttemptOutcome, send, type SendDeps } from './send.ts'
import { postTimeoutMs } from '#platform/net/post-webhook.ts'
import { recordOutcome } from './record-outcome.ts'
import type { SecretOpener } from '#modules/events/subscriptions/subscription-secrets.ts'

export interface DispatcherDeps extends SendDeps {
  readonly db: Kysely<Rows>
  readonly secrets: SecretOpener
  /** Between 0 and 1. */
  readonly chance: () => number
  readonly onError: (error: unknown) => void
}

/** Sends due deliveries, in the background. */
export interface Dispatcher {
  start(): void
  /** Call it after new deliveries were committed. */
  wake(): void
  /** Stops claiming. Attempts that are not finished after `deadlineMs` are aborted and their claims released. */
  stop(deadlineMs: number): Promise<void>
}

/** The interval at which it looks for due deliveries. */
const idleMs = 500
const attemptsMax = 64
/** Simultaneous attempts where those beyond the first 64 belong to accounts that had none. */
const attemptsMaxContended = 128
const perAccountMax = 16
const perSubscriptionMax = 4
/** Much longer than an attempt and the recording of its outcome. */
const leaseMs = 4 * postTimeoutMs

/** The outcome without a secret to sign with: the key of the installation is not the one that sealed the secret. */
function unsignable(nowMs: number): AttemptOutcome {
  const error = 'the secret cannot be opened: rotate it'
  return { kind: 'failed', at: new Date(nowMs), durationMs: 0, status: undefined, error, retryAfterMs: undefined }
}

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const attempts = new Set<Promise<void>>()
  const abort = new AbortController()
  const loop = createLoop(idleMs, async () => {
    await startAttempts().catch(deps.onError)
    return false
  })

  async function deliver(claimed: ClaimedDelivery): Promise<void> {
    const secrets = deps.secrets.open(claimed.subscriptionId, claimed)
    if (secrets === undefined) return recordOutcome(deps.db, claimed, unsignable(deps.now()), deps.chance())
    const { accountId } = claimed
    const event = { id: toTypeId('dlv', claimed.id), accountId, url: claimed.url, body: claimed.body, depth: claimed.depth, secrets }
    const outcome = await send(deps, event, abort.signal).catch((error: unknown) => {
      if (abort.signal.aborted) return undefined
      throw error
    })
    if (outcome === undefined) await releaseClaim(deps.db, claimed)
    else await recordOutcome(deps.db, claimed, outcome, deps.chance())
  }

  async function startAttempts(): Promise<void> {
    const idleLimit = attemptsMaxContended - attempts.size
    if (idleLimit === 0) return
    const limit = Math.max(0, attemptsMax - attempts.size)
    for (const claimed of await claimDueDeliveries(deps.db, { limit, idleLimit, perAccountMax, perSubscriptionMax, leaseMs })) {
      const attempt: Promise<void> = deliver(claimed)
        .catch(deps.onError)
        .finally(() => {
          attempts.delete(attempt)
          loop.wake()
        })
      attempts.add(attempt)
    }
  }

  return {
    start: () => loop.start(),
    wake: () => loop.wake(),
    async stop(deadlineMs) {
      await loop.stop()
      const timer = setTimeout(() => abort.abort(new Error('the server is shutting down')), Math.max(0, deadlineMs))
      await Promise.all(attempts)
      clearTimeout(timer)
    },
  }
}
