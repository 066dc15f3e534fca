import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { createInbound, createPspone, createPsptwo, type PaymentProvider, type ProviderName } from '#modules/payments/index.ts'
import { createReferrals } from '#modules/referrals/index.ts'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import { createIdSource } from '#platform/ids.ts'
import { createTestDatabase } from '#testing/database.ts'
import { startPsptwoStandIn } from '#testing/payments/psptwo-stand-in.ts'
import { startStripeStandIn } from '#testing/payments/stripe-stand-in.ts'
import { createBilling } from '#modules/billing/service.ts'

const dayMs = 24 * 60 * 60 * 1000

/** An account with its providers, a clock, and jobs that run when the test says so. */
export async function createBillingWorld(http: GuardedFetch) {
  // A database for each: the reconciliation asks for the payments of all accounts.
  const db = await createTestDatabase()
  const accountId = randomUUID()
  await sql`insert into accounts (id, name) values (${accountId}, 'Ada')`.execute(db.database.system)
  const pspone = await startStripeStandIn()
  const psptwo = await startPsptwoStandIn()
  const stands = { pspone, psptwo }
  let nowMs = Date.now()
  const queue: { readonly name: string; readonly payload: never }[] = []
  const jobs = {
    send: async (_tx: unknown, { name }: { readonly name: string }, payload: unknown) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The handler of the same name parses it again.
      queue.push({ name, payload: payload as never })
      return randomUUID()
    },
  }
  const settings = (stand: { readonly url: string; readonly webhookSecret: string }) => ({
    url: stand.url,
    secretKey: 'stand-in',
    webhookSecrets: [stand.webhookSecret],
  })
  const providers = new Map<ProviderName, PaymentProvider>([
    ['pspone', createPspone(settings(pspone), http)],
    ['psptwo', createPsptwo(settings(psptwo), http)],
  ])
  const newId = createIdSource({ now: () => nowMs, randomBytes })
  const now = () => new Date(nowMs)
  const referrals = createReferrals({ db: db.database.system, now, newId, randomBytes })
  const billing = createBilling({
    db: db.database.system,
    jobs,
    providers,
    now,
    newId,
    settings: {
      issuer: accountId,
      defaultPlan: 'free',
      graceDays: 14,
      taxRates: [{ country: 'DE', basisPoints: 1900 }],
      publicUrl: 'http://x',
    },
    closing: new AbortController().signal,
    onPaid: (tx, id, invoice) => referrals.notePayment(tx, id, invoice),
    onPlanChanged: () => undefined,
  })
  const refresh = async (id: string, signal: AbortSignal) => void (await billing.collector.refresh(id, signal))
  const inbound = createInbound({ db: db.database.system, jobs, providers, now: Date.now, newId, refresh })
  const handlers = [billing.collector.job, ...inbound.jobs]
  const attempt = { id: 'x', attempt: 1, signal: new AbortController().signal, report: async () => undefined }
  return {
    db,
    accountId,
    billing,
    referrals,
    inbound,
    stands,
    providers,
    wait: (days: number) => void (nowMs += days * dayMs),
    /** Runs the jobs that wait. A job that fails, and those behind it, wait again. @param number of the attempt. */
    async runJobs(number = 1) {
      const waiting = queue.splice(0)
      try {
        for (let [next] = waiting; next !== undefined; [next] = waiting) {
          const { name, payload } = next
          await handlers.find(({ job }) => job.name === name)?.handle(payload, { ...attempt, attempt: number })
          waiting.shift()
        }
      } finally {
        queue.unshift(...waiting)
      }
    },
    async [Symbol.asyncDispose]() {
      await pspone[Symbol.asyncDispose]()
      await psptwo[Symbol.asyncDispose]()
      await db.drop()
    },
  }
}
export type BillingWorld = Awaited<ReturnType<typeof createBillingWorld>>
