import type { modelLimits, Received } from '@millrace/contract'
import { actorOf } from '#platform/auth/principal.ts'
import { amountOf, microsOf } from '#modules/models/micros.ts'
import type { HandlersFor } from '#platform/http/index.ts'
import type { LimitState, ModelLimits } from './limit-service.ts'
import type { PeriodLimit, Spending, SpendingLimits } from './spending-limits.ts'

/** Handlers of the limits that accounts set. */
export function modelLimitHandlers(service: ModelLimits): HandlersFor<typeof modelLimits> {
  return {
    get: async (ctx) => view(await service.state(ctx.tx, ctx.accountId)),
    async update(ctx, { body }) {
      const before = await service.state(ctx.tx, ctx.accountId)
      const after = await service.set(ctx.tx, ctx.accountId, limitsOf(body), actorOf(ctx.principal))
      ctx.audit({ change: { before: chosen(before.limits), after: chosen(after.limits) } })
      return view(after)
    },
  }
}

type Body = Received<typeof modelLimits.update>['body']

function limitsOf({ month, day, warnPercent }: Body): Omit<SpendingLimits, 'currency'> {
  return { month: limitOf(month), day: limitOf(day), warnPercent }
}

function limitOf({ cost, tokens }: Body['month']): PeriodLimit {
  return { costMicros: cost === null ? undefined : microsOf(cost), tokens: tokens ?? undefined }
}

function limitView({ costMicros, tokens }: PeriodLimit) {
  return { cost: costMicros === undefined ? null : amountOf(costMicros), tokens: tokens ?? null }
}

const spendingView = ({ costMicros, tokens }: Spending) => ({ cost: amountOf(costMicros), tokens })

function chosen({ month, day, warnPercent }: SpendingLimits) {
  return { month: limitView(month), day: limitView(day), warnPercent }
}

function view({ limits, used, bounds, forecast, unpriced }: LimitState) {
  return {
    warnPercent: limits.warnPercent,
    currency: limits.currency ?? null,
    month: {
      ...limitView(limits.month),
      used: spendingView(used.month),
      resetsAt: bounds.month.end.toISOString(),
      forecast: forecast === undefined ? null : spendingView(forecast),
    },
    day: { ...limitView(limits.day), used: spendingView(used.day), resetsAt: bounds.day.end.toISOString() },
    unpriced: [...unpriced],
  }
}
