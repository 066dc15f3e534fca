import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
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

/** The tokens that the account used on a day of all models, and what those of the installation cost. */
export async function usageOfDay(
  tx: Executor,
  accountId: string,
  day: string,
): Promise<{ readonly tokens: number; readonly costMicros: number }> {
  const { rows } = await sql<{ readonly tokens: string; readonly cost: string }>`
    select coalesce(sum(input_tokens + output_tokens), 0)::text as tokens, coalesce(sum(cost_micros) filter (where not own), 0)::text as cost from model_usage
    where account_id = ${accountId} and day = ${day}`.execute(tx)
  return { tokens: Number(rows[0]?.tokens ?? 0), costMicros: Number(rows[0]?.cost ?? 0) }
}

export async function purgeModelUsage(executor: Executor, accountId: string): Promise<void> {
  await sql`delete from model_usage where account_id = ${accountId}`.execute(executor)
}
