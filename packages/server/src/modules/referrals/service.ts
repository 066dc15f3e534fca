import { Fault } from '@millrace/contract'
import { insertCredit, type Invoice, referralCredits } from '#modules/billing/index.ts'
import {
  countCodes,
  countReferred,
  type Executor,
  findCodeOwner,
  hasReferred,
  insertCode,
  insertReferral,
  listCodes,
  lockReferrals,
  type ReferralCode,
  referralOf,
  registeredAt,
  takeReward,
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
        const at = deps.now()
        const since = await registeredAt(tx, accountId)
        if (since === undefined || at.getTime() - since.getTime() > claimMs)
          throw refused('A code can be named within 30 days of the registration.')
        if (await hasReferred(tx, accountId, referrerId)) throw refused('The account behind this code was referred by this account.')
        if (!(await insertReferral(tx, { referredId: accountId, referrerId, code, at })))
          throw refused('The account has named a referral code already.')
      }),

    /** Credits the referrer when an account has paid for the first time. */
    async reward(tx: Executor, accountId: string, invoice: Invoice): Promise<void> {
      const amount = (invoice.net * rewardPercent) / 100n
      if (invoice.due === 0n || amount === 0n) return
      const at = deps.now()
      const referrer = await takeReward(tx, accountId, at)
      if (referrer === undefined) return
      await insertCredit(tx, referrer, { id: deps.newId(), currency: invoice.currency, amount, reason: 'referral', cause: accountId, at })
    },
  }
}

function randomCode(randomBytes: (size: number) => Uint8Array): string {
  return Array.from(randomBytes(codeLength), (byte) => alphabet[byte % alphabet.length]).join('')
}
