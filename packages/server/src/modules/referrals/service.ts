import { Fault } from '@millrace/contract'
import { findPaidInvoice, hasPaid, insertCredit, type Invoice, referralCredits } from '#modules/billing/index.ts'
import {
  countCodes,
  countReferred,
  endReward,
  type Executor,
  findCodeOwner,
  hasReferred,
  insertCode,
  insertReferral,
  listCodes,
  lockDueRewards,
  lockReferrals,
  noteFirstPayment,
  type ReferralCode,
  referralOf,
  registeredAt,
  visitCode,
} from './referral-store.ts'

export type { ReferralCode } from './referral-store.ts'

export interface ReferralsDeps {
  readonly db: Executor
  readonly now: () => Date
  readonly newId: () => string
  readonly randomBytes: (size: number) => Uint8Array
}

/** Capitals and digits without those that look alike. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const codeLength = 8
const codesMax = 20
const claimMs = 30 * 24 * 60 * 60 * 1000
/** The share of the first paid invoice, net, that the referrer gets as credit. */
const rewardPercent = 20n
/** Rewards of one transaction. */
const rewardsMax = 100

export type Referrals = ReturnType<typeof createReferrals>

/** Codes by which accounts refer others, and the rewards. */
export function createReferrals(deps: ReferralsDeps) {
  const { db } = deps

  const refused = (detail: string) => new Fault('referral_refused', { detail })

  return {
    async create(tx: Executor, accountId: string, wanted: string | undefined): Promise<ReferralCode> {
      if ((await countCodes(tx, accountId)) >= codesMax)
        throw new Fault('conflict', { detail: `The account has ${codesMax} referral codes, which is the limit.` })
      const createdAt = deps.now()
      const code = wanted ?? randomCode(deps.randomBytes)
      if (!(await insertCode(tx, accountId, code, createdAt)))
        throw new Fault('conflict', { detail: `The code ${code} is in use. Choose another one.` })
      return { code, visits: 0, signUps: 0, createdAt }
    },

    async me(accountId: string) {
      const [codes, counts, credits] = [
        await listCodes(db, accountId),
        await countReferred(db, accountId),
        await referralCredits(db, accountId),
      ]
      return { codes, ...counts, referredBy: await referralOf(db, accountId), credits }
    },

    async resolve(code: string): Promise<void> {
      if (!(await visitCode(db, code))) throw new Fault('not_found', { detail: 'There is no such referral code.' })
    },

    claim: (accountId: string, code: string) =>
      db.transaction().execute(async (tx) => {
        await lockReferrals(tx)
        const referrerId = await findCodeOwner(tx, code)
        if (referrerId === undefined) throw new Fault('not_found', { detail: 'There is no such referral code.' })
        if (referrerId === accountId) throw refused('This is a code of the own account.')
        if (await hasPaid(tx, accountId)) throw refused('A code must be named before the first payment.')
        const at = deps.now()
        const since = await registeredAt(tx, accountId)
        if (since === undefined || at.getTime() - since.getTime() > claimMs)
          throw refused('A code can be named within 30 days of the registration.')
        if (await hasReferred(tx, accountId, referrerId)) throw refused('The account behind this code was referred by this account.')
        if (!(await insertReferral(tx, { referredId: accountId, referrerId, code, at })))
          throw refused('The account has named a referral code already.')
      }),

    /** Notes the first payment of an account. Its referrer is rewarded when the paid period has ended. */
    async notePayment(tx: Executor, accountId: string, { id, due, net, periodEnd }: Invoice): Promise<void> {
      if (due === 0n || rewardOf(net) === 0n) return
      await noteFirstPayment(tx, accountId, id, periodEnd ?? deps.now())
    },

    /** Credits the referrers of accounts whose first paid period has ended, less what was paid back meanwhile. */
    reward: (): Promise<void> =>
      db.transaction().execute(async (tx) => {
        const at = deps.now()
        for (const { referredId, referrerId, invoiceId } of await lockDueRewards(tx, at, rewardsMax)) {
          const invoice = await findPaidInvoice(tx, referredId, invoiceId)
          const amount = rewardOf(invoice?.keptNet ?? 0n)
          await endReward(tx, referredId, amount > 0n ? at : undefined)
          if (invoice === undefined || amount === 0n) continue
          const { currency } = invoice
          await insertCredit(tx, referrerId, { id: deps.newId(), currency, amount, reason: 'referral', cause: referredId, at })
        }
      }),
  }
}

function rewardOf(net: bigint): bigint {
  return (net * rewardPercent) / 100n
}

function randomCode(randomBytes: (size: number) => Uint8Array): string {
  return Array.from(randomBytes(codeLength), (byte) => alphabet[byte % alphabet.length]).join('')
}
