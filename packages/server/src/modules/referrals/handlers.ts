import type { referrals } from '@millrace/contract'
import type { HandlersFor } from '#platform/http/index.ts'
import type { ReferralCode, Referrals } from './service.ts'

/** Handlers of the group `referrals`. */
export function referralHandlers(service: Referrals): HandlersFor<typeof referrals> {
  return {
    async create(ctx, { body }) {
      const made = await service.create(ctx.tx, ctx.accountId, body.code)
      ctx.audit({ details: { code: made.code } })
      return codeView(made)
    },
    async me(ctx) {
      const { codes, signUps, rewarded, pending, referredBy, credits } = await service.me(ctx.accountId)
      const earned = credits.map(({ currency, amount }) => ({ currency, amount: Number(amount) }))
      return { codes: codes.map(codeView), signUps, rewarded, pending, referredBy: referredBy ?? null, credits: earned }
    },
    async resolve(_ctx, { params }) {
      await service.resolve(params.code)
      return { code: params.code, valid: true as const }
    },
    async claim(ctx, { body }) {
      await service.claim(ctx.accountId, body.code)
      ctx.audit({ details: { code: body.code } })
      return { code: body.code, claimed: true as const }
    },
  }
}

function codeView({ code, visits, signUps, createdAt }: ReferralCode) {
  return { code, visits, signUps, createdAt: createdAt.toISOString() }
}
