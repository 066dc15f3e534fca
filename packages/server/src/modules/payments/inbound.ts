import type { Kysely } from 'kysely'
import { Fault } from '@millrace/contract'
import * as z from 'zod'
import type { Rows } from '#platform/db/rows.ts'
import { fromTypeId } from '#platform/ids.ts'
import { handled, type HandledJob, job } from '#platform/jobs/job.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import { deleteNotifications, endNotification, insertNotification } from './notification-store.ts'
import { type PaymentProvider, type ProviderName, providerNames, type Signed } from './provider.ts'

export interface InboundDeps {
  readonly db: Kysely<Rows>
  readonly jobs: Pick<Jobs, 'send'>
  readonly providers: ReadonlyMap<ProviderName, PaymentProvider>
  readonly now: () => number
  readonly newId: () => string
  /** Asks the provider for the present state of a payment (uuid) and takes it over. Unknown payments are ignored. */
  readonly refresh: (paymentId: string, signal: AbortSignal) => Promise<void>
}

export interface Inbound {
  /** Verifies and stores a notification. It is processed after the response. */
  receive(provider: ProviderName, message: Signed): Promise<{ readonly duplicate: boolean }>
  readonly jobs: readonly HandledJob[]
  /** Deletes old notifications. */
  sweep(): Promise<void>
}

const retry = { limit: 12, delaySeconds: 5, delaySecondsMax: 3600 }

const notificationJob = job({
  name: 'payments.notification',
  payload: z.strictObject({ id: z.string(), paymentId: z.string(), provider: z.enum(providerNames) }),
  retry,
})

const keepMs = 90 * 24 * 60 * 60 * 1000

/**
 * The inbox of payment providers. A notification is a hint that a payment has changed: processing asks the provider for the payment's present
 * state, so neither the order nor the number of notifications matters.
 */
export function createInbound(deps: InboundDeps): Inbound {
  const { db, jobs, now } = deps
  const process = handled(notificationJob, async ({ id, paymentId }, { attempt, signal }) => {
    try {
      await deps.refresh(paymentId, signal)
    } catch (error) {
      // Afterwards only the reconciliation asks for this payment.
      if (attempt > retry.limit) await endNotification(db, id, 'dead', new Date(now()))
      throw error
    }
    await endNotification(db, id, 'processed', new Date(now()))
  })
  return {
    async receive(name, message) {
      const event = await providerOf(deps.providers, name).readEvent(message, now())
      const at = new Date(now())
      return db.transaction().execute(async (tx) => {
        const stored = await insertNotification(tx, { id: deps.newId(), provider: name, event, body: message.body, at })
        const paymentId = event.paymentId === undefined ? undefined : fromTypeId('chk', event.paymentId)
        if (stored.duplicate) return stored
        if (paymentId === undefined) await endNotification(tx, stored.id, 'processed', at)
        else await jobs.send(tx, notificationJob, { id: stored.id, paymentId, provider: name })
        return stored
      })
    },
    jobs: [process],
    sweep: () => deleteNotifications(db, new Date(now() - keepMs), 1000),
  }
}

const settings: Readonly<Record<ProviderName, string>> = {
  pspone: 'MILLRACE_PSPONE_SECRET_KEY',
  psptwo: 'MILLRACE_PSPTWO_URL and MILLRACE_PSPTWO_SECRET_KEY',
}

/** Fault `provider_not_configured` that names the missing setting. */
export function providerOf(providers: ReadonlyMap<ProviderName, PaymentProvider>, name: ProviderName): PaymentProvider {
  const provider = providers.get(name)
  if (provider !== undefined) return provider
  const detail = `The payment provider ${name} is not configured. The operator sets ${settings[name]} and restarts the server.`
  throw new Fault('provider_not_configured', { detail })
}
