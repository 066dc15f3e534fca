import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { dateOf, periodsAt, type SpendingNow } from './limits/spending-limits.ts'
import type { ModelUsage } from './model.ts'

type Executor = Kysely<Rows>

/** Adds one call to the day's usage of a model. `day` is as `2026-01-31`; `own`: the account paid for the call by its own key. */
export async function addUsage(
  tx: Executor,
  accountId: string,
  { day, model, own, usage }: { readonly day: string; readonly model: string; readonly own: boolean; readonly usage: ModelUsage },
): Promise<void> {
  await sql`
    insert into model_usage (account_id, day, model, own, calls, input_tokens, output_tokens, cost_micros)
    values (${accountId}, ${day}, ${model}, ${own}, 1, ${usage.inputTokens}, ${usage.outputTokens}, ${usage.costMicros})
    on conflict (account_id, day, model) do update set calls = model_usage.calls + 1,
      input_tokens = model_usage.input_tokens + excluded.input_tokens, output_tokens = model_usage.output_tokens + excluded.output_tokens,
      cost_micros = model_usage.cost_micros + excluded.cost_micros`.execute(tx)
}

interface SumsRow {
  readonly month_tokens: string
  readonly month_cost: string
  readonly day_tokens: string
  readonly day_cost: string
  readonly installation_cost: string
}

/** What the account has used in the month and on the day of a time. */
export async function usageAt(tx: Executor, accountId: string, atMs: number): Promise<SpendingNow> {
  const { month, day } = periodsAt(atMs)
  const isToday = sql`day = ${dateOf(day.start)}`
  const { rows } = await sql<SumsRow>`
    select coalesce(sum(input_tokens + output_tokens), 0)::text as month_tokens, coalesce(sum(cost_micros), 0)::text as month_cost,
      coalesce(sum(input_tokens + output_tokens) filter (where ${isToday}), 0)::text as day_tokens,
      coalesce(sum(cost_micros) filter (where ${isToday}), 0)::text as day_cost,
      coalesce(sum(cost_micros) filter (where ${isToday} and not own), 0)::text as installation_cost
    from model_usage where account_id = ${accountId} and day >= ${dateOf(month.start)}`.execute(tx)
  const [row] = rows
  return {
    month: { tokens: Number(row?.month_tokens ?? 0), costMicros: Number(row?.month_cost ?? 0) },
    day: { tokens: Number(row?.day_tokens ?? 0), costMicros: Number(row?.day_cost ?? 0) },
    installationCostMicros: Number(row?.installation_cost ?? 0),
  }
}

export async function purgeModelUsage(executor: Executor, accountId: string): Promise<void> {
  await sql`delete from model_usage where account_id = ${accountId}`.execute(executor)
}
