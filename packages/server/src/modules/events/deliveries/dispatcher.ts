import { createLoop } from '@millrace/engine'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { toTypeId } from '#platform/ids.ts'
import { type Claimed, claimDue, releaseClaim } from './outgoing-store.ts'
import { type Outcome, send, type SendDeps, sendTimeoutMs } from './send.ts'
import { settle } from './settle.ts'
import type { SecretOpener } from './subscription-secrets.ts'

export interface DispatcherDeps extends SendDeps {
  readonly db: Kysely<Rows>
  readonly secrets: SecretOpener
  /** Between 0 and 1. */
  readonly chance: () => number
  readonly onError: (error: unknown) => void
}

/** Delivers events to their subscriptions. */
export interface Dispatcher {
  start(): void
  /** There may be something to deliver. */
  nudge(): void
  /** Stops taking on deliveries; those under way have until the deadline, in milliseconds, and are given back then. */
  stop(deadlineMs: number): Promise<void>
}

/** How often it is looked for what is due. */
const idleMs = 500
const underWayMax = 64
/** So many may be under way when the others are those of accounts that had none. */
const underWayMaxContended = 128
const perAccountMax = 16
const perSubscriptionMax = 4
/** Far beyond what an attempt and the writing of its outcome take. */
const leaseMs = 4 * sendTimeoutMs

/** Without its secret nothing can be signed: the key of the installation is another one than when the subscription was made. */
function unsigned(nowMs: number): Outcome {
  const error = 'the secret cannot be opened: rotate it'
  return { kind: 'failed', at: new Date(nowMs), durationMs: 0, status: undefined, error, retryAfterMs: undefined }
}

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const underWay = new Set<Promise<void>>()
  const abort = new AbortController()
  const loop = createLoop(idleMs, async () => {
    await pass().catch(deps.onError)
    return false
  })

  async function deliver(claimed: Claimed): Promise<void> {
    const secrets = deps.secrets.open(claimed.subscriptionId, claimed)
    if (secrets === undefined) return settle(deps.db, claimed, unsigned(deps.now()), deps.chance())
    const message = { id: toTypeId('dlv', claimed.id), url: claimed.url, body: claimed.body, secrets }
    const outcome = await send(deps, message, abort.signal).catch((error: unknown) => {
      if (abort.signal.aborted) return undefined
      throw error
    })
    if (outcome === undefined) await releaseClaim(deps.db, claimed)
    else await settle(deps.db, claimed, outcome, deps.chance())
  }

  async function pass(): Promise<void> {
    const idleLimit = underWayMaxContended - underWay.size
    if (idleLimit === 0) return
    const limit = Math.max(0, underWayMax - underWay.size)
    for (const claimed of await claimDue(deps.db, { limit, idleLimit, perAccountMax, perSubscriptionMax, leaseMs })) {
      const work: Promise<void> = deliver(claimed)
        .catch(deps.onError)
        .finally(() => {
          underWay.delete(work)
          loop.wake()
        })
      underWay.add(work)
    }
  }

  return {
    start: () => loop.start(),
    nudge: () => loop.wake(),
    async stop(deadlineMs) {
      await loop.stop()
      const timer = setTimeout(() => abort.abort(new Error('the server closes')), Math.max(0, deadlineMs))
      await Promise.all(underWay)
      clearTimeout(timer)
    },
  }
}
