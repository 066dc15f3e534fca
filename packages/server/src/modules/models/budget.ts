import { Fault } from '@millrace/contract'
import type { Database } from '#platform/db/database.ts'
import type { CompletionRequest } from './model.ts'
import { usageOfDay } from './usage-store.ts'

/** What an account may use in a day (UTC); undefined for no limit. */
export interface DailyLimits {
  /** Of all models. */
  readonly tokens: number | undefined
  /** Of the models of the installation. */
  readonly costMicros: number | undefined
}

/** A request within the limits. */
export interface BudgetedRequest {
  /** Fault `quota_exceeded` if no model of the installation may be asked; those of the account may. */
  assertCost(): void
  /** Ends the request. */
  release(): void
}

/** Expected of each request in progress beside its input, for requests that begin meanwhile. */
const outputExpected = 1_000
const charactersPerToken = 4

/**
 * Limits what accounts use in a day. A request that begins below the limit is completed; requests in progress in this process count with
 * what they are expected to use, so that many at once do not exceed the limit by much.
 */
export function createBudget(database: Pick<Database, 'account'>, { tokens, costMicros }: DailyLimits, today: () => string) {
  const expected = new Map<string, number>()

  return {
    /** Runs the work within the budget. Fault `quota_exceeded`. */
    async within<T>(
      accountId: string,
      messages: CompletionRequest['messages'],
      work: (entered: BudgetedRequest) => Promise<T>,
    ): Promise<T> {
      const entered = await this.enter(accountId, messages)
      try {
        return await work(entered)
      } finally {
        entered.release()
      }
    },

    /** For work that ends elsewhere, which calls `release`. Fault `quota_exceeded`. */
    async enter(accountId: string, messages: CompletionRequest['messages']): Promise<BudgetedRequest> {
      if (tokens === undefined && costMicros === undefined) return unlimited
      const before = expected.get(accountId) ?? 0
      const own = outputExpected + Math.ceil(JSON.stringify(messages, withoutBytes).length / charactersPerToken)
      const add = (count: number) => {
        const sum = (expected.get(accountId) ?? 0) + count
        if (sum > 0) expected.set(accountId, sum)
        else expected.delete(accountId)
      }
      add(own)
      try {
        const used = await database.account(accountId, (tx) => usageOfDay(tx, accountId, today()))
        if (tokens !== undefined && used.tokens + before >= tokens) throw overTokens(used.tokens, tokens)
        return {
          assertCost() {
            if (costMicros !== undefined && used.costMicros >= costMicros) throw overCost(used.costMicros, costMicros)
          },
          release: () => add(-own),
        }
      } catch (error) {
        add(-own)
        throw error
      }
    },
  }
}

const unlimited: BudgetedRequest = { assertCost: () => undefined, release: () => undefined }
const withoutBytes = (_key: string, value: unknown) => (value instanceof Uint8Array ? '' : value)
const later = 'More are available at midnight UTC.'

function overTokens(used: number, limit: number): Fault {
  const detail = `The account has used ${used} of the ${limit} tokens of models that it may use in a day, or requests in progress will. ${later}`
  return new Fault('quota_exceeded', { detail })
}

function overCost(used: number, limit: number): Fault {
  const [spent, most] = [used, limit].map((micros) => (micros / 1_000_000).toFixed(2))
  return new Fault('quota_exceeded', {
    detail: `The models of the account have cost ${spent} of the ${most} that they may cost in a day. ${later}`,
  })
}
