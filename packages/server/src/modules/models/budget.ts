import { Fault } from '@millrace/contract'
import type { Database } from '#platform/db/database.ts'
import type { createLimitNotices } from './limits/limit-notices.ts'
import {
  amountText,
  periodsAt,
  plus,
  type ReachedLimit,
  reachedLimits,
  type Spending,
  type SpendingLimits,
  type SpendingNow,
} from './limits/spending-limits.ts'
import { amountOf } from './micros.ts'
import type { CompletionRequest, ModelEndpoint, ModelUsage } from './model.ts'
import { usageAt } from './usage-store.ts'

/** What an account may use in a day (UTC) by the choice of the operator; undefined for no limit. */
export interface DailyLimits {
  /** Of all models. */
  readonly tokens: number | undefined
  /** Of the models of the installation. */
  readonly costMicros: number | undefined
}

/** A request within the limits. */
export interface BudgetedRequest {
  /** Call it before a model of the installation is asked. Fault `quota_exceeded` if none may be asked; those of the account may. */
  assertCost(installation: Pick<ModelEndpoint, 'prices'>): Promise<void>
  /** Notifies of limits that the request has reached; call it when its usage is recorded. */
  noteUse(usage: ModelUsage): Promise<void>
  /** Ends the request. */
  release(): void
}

/** What a request is about to use. */
export interface BudgetedWork {
  /** Undefined for work that is not counted in tokens. */
  readonly messages: CompletionRequest['messages'] | undefined
  /** The limits of the account, if it has any. */
  readonly limits: SpendingLimits | undefined
  /** Of the model that is asked first. */
  readonly prices: ModelEndpoint['prices']
}

interface BudgetDeps {
  readonly database: Pick<Database, 'account'>
  readonly now: () => number
  /** Undefined: no person is notified. */
  readonly notices: ReturnType<typeof createLimitNotices> | undefined
}

/** Expected of each request in progress beside its input, for requests that begin meanwhile. */
const outputExpected = 1_000
const charactersPerToken = 4

/** What the requests in progress of an account are expected to use. */
interface Expected extends Spending {
  /** Of the requests that ask a model of the installation: what those cost. */
  readonly installationCostMicros: number
}

const nothing: Expected = { tokens: 0, costMicros: 0, installationCostMicros: 0 }

/**
 * Limits what accounts use. A request that begins below the limits is completed; requests in progress in this process count with what they are
 * expected to use, so that many at once do not exceed a limit by much.
 */
export function createBudget({ database, now, notices }: BudgetDeps, { tokens, costMicros }: DailyLimits) {
  const expected = new Map<string, Expected>()

  function add(
    accountId: string,
    { tokens: more, costMicros: cost, installationCostMicros: ofInstallation }: Expected,
    times: 1 | -1,
  ): void {
    const before = expected.get(accountId) ?? nothing
    const sum = {
      tokens: before.tokens + times * more,
      costMicros: before.costMicros + times * cost,
      installationCostMicros: before.installationCostMicros + times * ofInstallation,
    }
    if (Object.values(sum).some((amount) => amount > 0)) expected.set(accountId, sum)
    else expected.delete(accountId)
  }

  /** Counts an amount as expected until it is released. @returns what was expected before. */
  function reserve(accountId: string, amount: Partial<Expected>) {
    const own = { ...nothing, ...amount }
    const before = expected.get(accountId) ?? nothing
    add(accountId, own, 1)
    return { before, release: () => add(accountId, own, -1) }
  }

  const usedAt = (accountId: string, atMs: number) => database.account(accountId, (tx) => usageAt(tx, accountId, atMs))

  async function begun(accountId: string, limits: SpendingLimits | undefined, before: Spending): Promise<SpendingNow> {
    const atMs = now()
    const used = await usedAt(accountId, atMs)
    if (tokens !== undefined && used.day.tokens + before.tokens >= tokens)
      throw quotaFault({ setBy: 'operator', period: 'day', unit: 'tokens', limit: tokens, used: used.day.tokens }, atMs)
    if (limits === undefined) return used
    await notices?.(accountId, limits, used)
    assertWithin(limits, used, before, atMs)
    return used
  }

  return {
    /** Runs the work within the budget. Fault `quota_exceeded`. */
    async within<T>(accountId: string, asked: BudgetedWork, work: (entered: BudgetedRequest) => Promise<T>): Promise<T> {
      const entered = await this.enter(accountId, asked)
      try {
        return await work(entered)
      } finally {
        entered.release()
      }
    },

    /** For work that ends elsewhere, which calls `release`. Fault `quota_exceeded`. */
    async enter(accountId: string, { messages, limits, prices }: BudgetedWork): Promise<BudgetedRequest> {
      if (tokens === undefined && costMicros === undefined && limits === undefined) return unlimited
      const entry = reserve(accountId, expectedOf(messages, prices))
      let ofInstallation: ReturnType<typeof reserve> | undefined
      const release = () => {
        entry.release()
        ofInstallation?.release()
      }
      try {
        const used = await begun(accountId, limits, entry.before)
        return {
          async assertCost(installation) {
            // A further model of the installation is asked instead of the first one, so one reservation is enough.
            if (costMicros === undefined || ofInstallation !== undefined) return
            ofInstallation = reserve(accountId, { installationCostMicros: expectedOf(messages, installation.prices).costMicros })
            const { before } = ofInstallation
            // Read again: the models of the account may have taken minutes.
            const atMs = now()
            const { installationCostMicros: spent } = await usedAt(accountId, atMs)
            if (spent + before.installationCostMicros >= costMicros)
              throw quotaFault({ setBy: 'operator', period: 'day', unit: 'costMicros', limit: costMicros, used: spent }, atMs)
          },
          async noteUse(usage) {
            if (limits === undefined) return
            const more = { tokens: usage.inputTokens + usage.outputTokens, costMicros: usage.costMicros }
            await notices?.(accountId, limits, { month: plus(used.month, more), day: plus(used.day, more) })
          },
          release,
        }
      } catch (error) {
        release()
        throw error
      }
    },
  }
}

const unlimited: BudgetedRequest = { assertCost: async () => undefined, noteUse: async () => undefined, release: () => undefined }
const withoutBytes = (_key: string, value: unknown) => (value instanceof Uint8Array ? '' : value)

function expectedOf(messages: BudgetedWork['messages'], prices: ModelEndpoint['prices']): Spending {
  if (messages === undefined) return nothing
  const input = Math.ceil(JSON.stringify(messages, withoutBytes).length / charactersPerToken)
  const costMicros = prices === undefined ? 0 : Math.ceil(input * prices.input + outputExpected * prices.output)
  return { tokens: input + outputExpected, costMicros }
}

/** Fault `quota_exceeded` for the first limit of the account that is reached. */
function assertWithin(limits: SpendingLimits, used: SpendingNow, before: Spending, atMs: number): void {
  const withBefore = { month: plus(used.month, before), day: plus(used.day, before) }
  const [reached] = reachedLimits(limits, withBefore, 100)
  if (reached === undefined) return
  const { period, unit } = reached
  throw quotaFault({ ...reached, setBy: 'account', used: used[period][unit], currency: limits.currency }, atMs)
}

/** A limit that is reached by what was used, or with what requests in progress are expected to use. */
interface ReachedQuota extends Omit<ReachedLimit, 'used'> {
  readonly setBy: 'account' | 'operator'
  /** Without requests in progress. */
  readonly used: number
  readonly currency?: string | undefined
}

const waysOn = {
  account: () => 'An administrator can raise the limit on the page Model use, or with PUT /api/v1/model-limits.',
  operator: (unit: keyof Spending) =>
    unit === 'tokens'
      ? 'The operator of the installation can raise the limit.'
      : 'Models of the account are used beyond it, and the operator of the installation can raise it.',
}

function quotaFault({ setBy, period, unit, limit, used, currency }: ReachedQuota, atMs: number): Fault {
  const resetsAt = periodsAt(atMs)[period].end
  const text = (amount: number) => amountText(unit, amount, currency)
  const verb = unit === 'tokens' ? 'used' : 'spent'
  const models = setBy === 'operator' && unit === 'costMicros' ? 'models of the installation' : 'models'
  const allowing = setBy === 'account' ? 'its limit' : 'the operator'
  const inProgress = used >= limit ? '' : ', and requests in progress need the rest'
  return new Fault('quota_exceeded', {
    detail: `The account has ${verb} ${text(used)} of the ${text(limit)} that ${allowing} allows for ${models} in a ${period}${inProgress}. The count begins again at ${resetsAt.toISOString()}. ${waysOn[setBy](unit)}`,
    retryAfterSeconds: Math.max(1, Math.ceil((resetsAt.getTime() - atMs) / 1000)),
    extensions: {
      meter: unit === 'tokens' ? 'model_tokens' : 'model_cost',
      setBy,
      period,
      ...amounts(unit, limit, used),
      resetAt: resetsAt.toISOString(),
    },
  })
}

function amounts(unit: keyof Spending, limit: number, used: number) {
  return unit === 'tokens' ? { limit, used } : { limit: amountOf(limit), used: amountOf(used) }
}
